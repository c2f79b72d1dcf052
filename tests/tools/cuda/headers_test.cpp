// What our headers of types promise in host code and in kernels. What needs clang says so and passes where there is
// none.
#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

std::string output_of(const std::string& kernels, const std::string& body) {
  const FinishedProgram finished = CudaProgram(program_of(kernels, body)).run({"HEDDLE_TIMED=none"});
  CHECK(finished.errors == "");
  return finished.output;
}

}  // namespace

TEST_CASE("Halves and bfloat16s are computed by the host as by the GPU") {
  if (!has_clang() || !has_plain_library()) return;
  // Each operator on both sides over 65,536 pairs of bits; a NaN equals each other one.
  const std::string output = output_of(R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <typename T>
__host__ __device__ T value(unsigned bits) {
  T made;
  made.__x = (unsigned short)bits;
  return made;
}
template <typename T>
__host__ __device__ void operate(unsigned i, T* results) {
  const T a = value<T>(i * 40503u), b = value<T>(i * 30011u + (i >> 3));
  T sum = a, next = a, last = a;
  sum += b;
  results[0] = sum;
  results[1] = a - b;
  results[2] = a * b;
  results[3] = a / b;
  results[4] = -a;
  results[5] = next++ + ++next;
  results[6] = --last;
}
template <typename T>
__global__ void on_gpu(T* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  operate(i, results + 7 * i);
}
template <typename T>
int differing() {
  const unsigned count = 65536;
  T* results;
  cudaMallocManaged(&results, 7 * count * sizeof(T));
  on_gpu<<<count / 256, 256>>>(results);
  cudaDeviceSynchronize();
  int found = 0;
  for (unsigned i = 0; i < count; ++i) {
    T wanted[7];
    operate(i, wanted);
    for (int k = 0; k < 7; ++k) {
      const T got = results[7 * i + k];
      if (got.__x != wanted[k].__x && !(__hisnan(got) && __hisnan(wanted[k]))) ++found;
    }
  }
  return found;
}
)",
                                       R"(
  std::printf("%d %d\n", differing<__half>(), differing<__nv_bfloat16>());
)");
  CHECK(output == "0 0\n");
}

TEST_CASE("Whole numbers are assigned to halves and bfloat16s") {
  if (!has_clang() || !has_plain_library()) return;
  // The host's own header for vectors has names for these types, too.
  const std::string headers =
      "#if __has_include(<immintrin.h>)\n#include <immintrin.h>\n#endif\n"
      "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n";
  CHECK(output_of(headers, R"(
  __half a;
  __nv_bfloat16 b;
  a = 2049;  // Rounds to even: 11 digits.
  b = -257L;
  std::printf("%g %g", (float)a, (float)b);
  a = (unsigned short)7;
  b = 9ULL;
  std::printf(" %d %lld\n", (int)a, (long long)b);
)") == "2048 -256 7 9\n");
}

TEST_CASE("Complex numbers: each function by the host and in a kernel") {
  if (!has_clang() || !has_plain_library()) return;
  const std::string wanted = "4 2 -2 6 11 2 0.44 0.08 11 12 5 -3\n";
  CHECK(output_of(R"(
#include <cuComplex.h>
__host__ __device__ void operate(cuDoubleComplex* r, cuFloatComplex* f) {
  const cuDoubleComplex a = make_cuDoubleComplex(1, 4), b = make_cuDoubleComplex(3, -2);  // ab = 11 + 10i
  r[0] = cuCadd(a, b);
  r[1] = cuCsub(a, b);
  r[2] = cuConj(cuConj(cuCmul(a, make_cuDoubleComplex(cuCreal(b), cuCimag(b)))));
  r[2].y -= 8;
  r[3] = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4));  // (11 + 2i) / 25
  r[4] = cuCfma(a, b, make_cuDoubleComplex(0, 2));
  f[0] = make_cuComplex(cuCabsf(make_cuFloatComplex(3e30f, -4e30f)) / 1e30f, cuCimagf(cuConjf(make_cuComplex(0, 3))));
}
__global__ void on_gpu(cuDoubleComplex* r, cuFloatComplex* f) { operate(r, f); }
void print(const cuDoubleComplex* r, const cuFloatComplex* f) {
  for (int i = 0; i < 5; ++i) std::printf("%g %g ", r[i].x, r[i].y);
  std::printf("%g %g\n", (double)f->x, (double)f->y);
}
)",
                  R"(
  cuDoubleComplex *r, mine[5];
  cuFloatComplex *f, own;
  check(cudaMallocManaged(&r, 80));
  check(cudaMallocManaged(&f, 8));
  on_gpu<<<1, 1>>>(r, f);
  check(cudaDeviceSynchronize());
  print(r, f);
  operate(mine, &own);
  print(mine, &own);
)") == wanted + wanted);
}

TEST_CASE("What nvcc takes with a warning compiles: the word register, a header that Thrust includes") {
  if (!has_clang() || !has_plain_library()) return;
  CHECK(output_of("#include <cuda_occupancy.h>\n__global__ void k(int* p) { register int x = 3; *p = x; }\n", R"(
  register int* p;
  check(cudaMallocManaged(&p, 4));
  k<<<1, 1>>>(p);
  check(cudaDeviceSynchronize());
  std::printf("%d\n", *p);
)") == "3\n");
}

}  // namespace heddle::cuda
