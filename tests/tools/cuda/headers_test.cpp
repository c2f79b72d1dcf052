// What our headers of types promise in host code and in kernels. What needs clang says so and passes where there is
// none.
#include <filesystem>
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

TEST_CASE("Numbers of eight bits: each is its own nearest, and what lies between goes to the nearer, by host and GPU") {
  if (!has_clang() || !has_plain_library()) return;
  // The reference searches all codes; a code's value is what the format's definition says.
  const std::string output = output_of(R"(
#include <cuda_fp8.h>
#include <cmath>
double defined(int code, int digits, int bias) {
  const int e = (code & 0x7f) >> digits, m = code & ((1 << digits) - 1);
  const double size = e == 0 ? std::ldexp(m, 1 - bias - digits) : std::ldexp((1 << digits) + m, e - bias - digits);
  return code & 0x80 ? -size : size;
}
template <typename T>
__global__ void convert(const float* values, unsigned char* codes, float* back, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T made(values[i]);
  codes[i] = made.__x;
  back[i] = (float)made;
}
template <typename T>
int differing(int digits, int bias, int greatest) {
  const int count = 40000;
  float *values, *back;
  unsigned char* codes;
  cudaMallocManaged(&values, count * sizeof(float));
  cudaMallocManaged(&back, count * sizeof(float));
  cudaMallocManaged(&codes, count);
  for (int i = 0; i < count; ++i) {
    const double a = defined(i % 256, digits, bias), b = defined((i % 256) + 1, digits, bias);
    const double parts[] = {0, 0.5, 0.4999, 0.5001, 1.7};
    const double value = a + (b - a) * parts[i / 256 % 5] * (1 + i / 1280 * 1e-6);
    values[i] = i % 256 == 127 || i % 256 == 255 ? (i < 20000 ? 1e30f : -INFINITY) : (float)value;
  }
  convert<T><<<(count + 255) / 256, 256>>>(values, codes, back, count);
  cudaDeviceSynchronize();
  int found = 0;
  for (int i = 0; i < count; ++i) {
    int best = 0;
    for (int code = 0; code <= greatest; ++code) {
      const double now = std::fabs(defined(code, digits, bias) - std::fabs((double)values[i]));
      const double then = std::fabs(defined(best, digits, bias) - std::fabs((double)values[i]));
      if (now < then || (now == then && code % 2 == 0)) best = code;
    }
    if (std::fabs(values[i]) > defined(greatest, digits, bias)) best = greatest;
    if (std::signbit(values[i])) best |= 0x80;
    if (codes[i] != best || T(values[i]).__x != best || T((double)values[i]).__x != best) ++found;
    if (back[i] != (float)defined(best, digits, bias) || (float)T(values[i]) != back[i]) ++found;
  }
  return found;
}
)",
                                       R"(
  std::printf("%d %d", differing<__nv_fp8_e4m3>(3, 7, 0x7e), differing<__nv_fp8_e5m2>(2, 15, 0x7b));
  // Just above a tie: as a float it is the tie, which would go down to the even one.
  const __nv_fp8_e4m3 above(1.0625 + 1e-12), tie(1.0625);
  std::printf(" %g %g", (float)above, (float)tie);
  const __nv_fp8x4_e5m2 four(make_float4(1, -2, 0.25f, 57344));
  const float4 back = (float4)four;
  std::printf(" %x %g %g %g %g", four.__x, back.x, back.y, back.z, back.w);
  const __half2 pair = (__half2)__nv_fp8x2_e4m3(__half2(__half(1.5f), __half(-448.0f)));
  std::printf(" %g %g", (float)pair.x, (float)pair.y);
  std::printf(" %x %x %x\n", __nv_cvt_float_to_fp8(500, __NV_NOSAT, __NV_E4M3),
              __nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2), __nv_cvt_float_to_fp8(-NAN, __NV_SATFINITE, __NV_E5M2));
)");
  CHECK(output == "0 0 1.125 1 7b34c03c 1 -2 0.25 57344 1.5 -448 7f fc 7f\n");
}

TEST_CASE("Random numbers in kernels: Philox's published words, and the moments of each distribution") {
  if (!has_clang() || !has_plain_library()) return;
  // The words are those that Random123 publishes for counter and key of zeros (kat_vectors), and of ones.
  CHECK(output_of(R"(
#include <curand_kernel.h>
__global__ void words(unsigned* w) {
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  for (int i = 0; i < 4; ++i) w[i] = curand(&state);
  const unsigned ones = ~0u;
  const uint4 last = __heddle_philox(make_uint4(ones, ones, ones, ones), make_uint2(ones, ones));
  w[6] = last.x ^ last.y ^ last.z ^ last.w;
  curand_init(~0ull, ~0ull, 3, &state);
  w[4] = curand(&state);
  curand_init(~0ull, ~0ull, 0, &state);
  w[5] = curand4(&state).w;
}
template <typename State>
__global__ void moments(double* sums) {
  State state;
  curand_init(99, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  double part[8] = {};
  for (int i = 0; i < 50; ++i) {
    const double u = curand_uniform(&state), v = curand_uniform_double(&state);
    const double n = curand_normal(&state), m = curand_normal_double(&state);
    const double p = curand_poisson(&state, 70.5), l = curand_log_normal(&state, 0, 0.25f);
    const double parts[8] = {u, u * u, v, n, n * n, m * m, p, l};
    for (int k = 0; k < 8; ++k) part[k] += parts[k];
  }
  for (int k = 0; k < 8; ++k) atomicAdd(&sums[k], part[k]);
}
template <typename State>
int misses() {
  // Means and deviations of the eight; 51,200 of each are drawn.
  const double mean[8] = {1.0 / 2, 1.0 / 3, 1.0 / 2, 0, 1, 1, 70.5, 1.0317434};
  const double deviation[8] = {0.288675, 0.298142, 0.288675, 1, 1.414214, 1.414214, 8.396428, 0.262};
  double* sums;
  check(cudaMallocManaged(&sums, sizeof(mean)));
  for (int k = 0; k < 8; ++k) sums[k] = 0;
  moments<State><<<8, 128>>>(sums);
  check(cudaDeviceSynchronize());
  int found = 0;
  const double count = 8 * 128 * 50;
  for (int k = 0; k < 8; ++k) {
    const double off = (sums[k] / count - mean[k]) / (deviation[k] / 226.27);
    if (off < -4.5 || off > 4.5) ++found, std::printf("%d: %g\n", k, off);
  }
  return found;
}
)",
                  R"(
  unsigned* w;
  check(cudaMallocManaged(&w, 64));
  words<<<1, 1>>>(w);
  check(cudaDeviceSynchronize());
  std::printf("%08x %08x %08x %08x %d", w[0], w[1], w[2], w[3], w[4] == w[5]);
  std::printf(" %d", w[6] == (0x408f276du ^ 0x41c83b0eu ^ 0xa20bc7c6u ^ 0x6d5451fdu));
  std::printf(" %d %d\n", misses<curandState>(), misses<curandStatePhilox4_32_10_t>());
)") == "6627e8d5 e169c58d bc57ac4c 9b00dbd8 1 1 0 0\n");
}

TEST_CASE("The functions for dynamic programming: words and halves, signed and not, in kernels and on the host") {
  if (!has_clang() || !has_plain_library()) return;
  // 0xfffe0003 is -2 and 3, or 65534 and 3; 0x0001fff0 is 1 and -16, or 1 and 65520; 0x7fff0004 is 32767 and 4.
  const std::string wanted =
      "7 0 4294967295 | 7fff0004 fffefff0 00010004 | fffffff3 fffffff3 | 00000004 00000000 | 4 0 1 4 1 | 00010003 0 1\n";
  CHECK(output_of(R"(
__host__ __device__ void operate(unsigned* r) {
  const unsigned a = 0xfffe0003u, b = 0x0001fff0u, c = 0x7fff0004u;
  bool p[5];
  r[0] = __vimax3_s32(-5, 7, 2);
  r[1] = __viaddmin_s32_relu(3, -9, 4);
  r[2] = __viaddmax_u32(~0u, 0u, 3u);
  r[3] = __vimax3_s16x2(a, b, c);
  r[4] = __vimin3_s16x2(a, b, c);
  r[5] = __vimin3_u16x2(c, b, c);
  r[6] = __viaddmax_s16x2(a, b, 0x8000fff0u);  // -1, -13
  r[7] = __viaddmax_u16x2(a, b, c);            // 65535 and 65523 before the carry is cut off
  r[8] = __viaddmax_s16x2_relu(a, b, 0xfff00004u);
  r[9] = __vimin_s16x2_relu(a, b);
  r[10] = __vibmax_s32(4, 4, &p[0]);
  r[11] = (unsigned)!p[0];
  r[12] = __vimax_s32_relu(-1, 1);
  r[13] = __vibmin_u32(4u, 5u, &p[1]);
  r[14] = p[1];
  r[15] = __vibmax_s16x2(a, b, &p[2], &p[3]);
  r[16] = p[2];
  r[17] = p[3];
}
__global__ void on_gpu(unsigned* r) { operate(r); }
void print(const unsigned* r) {
  std::printf("%d %d %u | %08x %08x %08x | %08x %08x | %08x %08x |", (int)r[0], (int)r[1], r[2], r[3], r[4], r[5], r[6],
              r[7], r[8], r[9]);
  std::printf(" %u %u %u %u %u | %08x %u %u\n", r[10], r[11], r[12], r[13], r[14], r[15], r[16], r[17]);
}
)",
                  R"(
  unsigned *r, own[18];
  check(cudaMallocManaged(&r, sizeof(own)));
  on_gpu<<<1, 1>>>(r);
  check(cudaDeviceSynchronize());
  print(r);
  operate(own);
  print(own);
)") == wanted + wanted);
}

TEST_CASE("What nvcc takes compiles: its macros, the word register with a warning, a header that Thrust includes") {
  if (!has_clang() || !has_plain_library()) return;
  CHECK(output_of(R"(
#if __CUDACC__ && defined(__NVCC__)
#include <cuda_occupancy.h>
#endif
__global__ void k(int* p) { register int x = 3; *p = x; }
)",
                  R"(
  register int* p;
  check(cudaMallocManaged(&p, 4));
  k<<<1, 1>>>(p);
  check(cudaDeviceSynchronize());
  std::printf("%d\n", *p);
)") == "3\n");
}

// An older libcu++ does not have it.
TEST_CASE("cuda::std::identity is there on host and GPU") {
  if (!has_clang()) return;
  if (!std::filesystem::exists("/usr/include/cuda/std/functional")) {
    WARN("skipped: there is no libcu++; apt install libcu++-dev");
    return;
  }
  const FinishedProgram run = CudaProgram(program_of(R"(
#include <cuda/std/functional>
__global__ void pass(int* p) { *p = cuda::std::identity()(*p) + cuda::std::plus<int>()(1, 2); }
)",
                                                     R"(
  int* p;
  check(cudaMallocManaged(&p, sizeof *p));
  *p = cuda::std::identity()(4);
  pass<<<1, 1>>>(p);
  check(cudaDeviceSynchronize());
  std::printf("%d\n", *p);
)"))
                                  .run();
  CHECK(run.output == "7\n");
}

}  // namespace heddle::cuda
