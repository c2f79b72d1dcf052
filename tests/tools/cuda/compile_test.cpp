// CUDA C++ to PTX. What needs a compiler says so and passes where there is none.
#include "tools/cuda/compile.h"

#include <stdlib.h>

#include <string>

#include "isa/base/diagnostic.h"
#include "isa/ptx/module.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tools/cuda/process.h"
#include "tools/cuda/ptx_cache.h"

namespace heddle::cuda {

namespace {

/// A variable of the environment, as it was before when the test ends.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* old = ::getenv(name);
    had_ = old != nullptr;
    if (had_) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (had_) {
      ::setenv(name_, old_.c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool had_ = false;
  std::string old_;
};

bool has_clang() {
  try {
    if (find_compiler({}).kind == Compiler::Kind::Clang) return true;
  } catch (const InputError&) {
  }
  WARN("skipped: there is no clang; apt install clang");
  return false;
}

constexpr const char* kAxpy = R"(
__global__ void axpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  float* x;
  cudaMalloc(&x, 4096);
  axpy<<<4, 256>>>(2.0f, x, x, 1024);
  return cudaDeviceSynchronize() != cudaSuccess;
}
)";

}  // namespace

TEST_CASE("A program runs without a shell, and both of its outputs are read") {
  const FinishedProgram finished =
      run_program({"sh", "-c", "echo out; echo \"$1\" >&2; exit 3", "sh", "a b; *"});
  CHECK(finished.exit_code == 3);
  CHECK(finished.output == "out\n");
  CHECK(finished.errors == "a b; *\n");
  CHECK_THROWS_AS(run_program({"/nowhere/compiler"}), InputError);
}

TEST_CASE("A compiler that is no compiler for CUDA is refused") {
  CHECK_THROWS_WITH(find_compiler("no-such-compiler"),
                    Catch::Contains("there is no program 'no-such-compiler'"));
  CHECK_THROWS_WITH(find_compiler("/bin/true"), Catch::Contains("is neither clang nor nvcc"));
  const Variable chosen("HEDDLE_CUDA_COMPILER", "no-such-compiler");
  CHECK_THROWS_WITH(find_compiler({}), Catch::Contains("HEDDLE_CUDA_COMPILER"));
}

TEST_CASE("Without any compiler the message says what to install") {
  const Variable path("PATH", "/nowhere");
  CHECK_THROWS_WITH(find_compiler({}), Catch::Contains("apt install clang"));
}

TEST_CASE("Older compilers make PTX for the newest GPU that they know") {
  const auto clang = [](unsigned version) { return Compiler{"clang++", Compiler::Kind::Clang, version, {}}; };
  CHECK(architecture_for(clang(14), 90) == 86);
  CHECK(architecture_for(clang(14), 70) == 70);
  CHECK(architecture_for(clang(19), 90) == 90);
  CHECK(architecture_for(clang(19), 120) == 90);
}

TEST_CASE("A .cu becomes PTX with its kernels and lines") {
  if (!has_clang()) return;
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const CompiledPtx compiled = compile_cuda(folder.write("axpy.cu", kAxpy), {});
  const ptx::Module module = ptx::read_module(compiled.text, "axpy.cu");
  REQUIRE(module.functions.size() == 1);
  CHECK(module.functions[0].is_entry);
  CHECK(compiled.text.find(".loc") != std::string::npos);
  CHECK(compiled.text.find("axpy.cu") != std::string::npos);
}

TEST_CASE("Each clang of this machine takes all headers and fast mathematics, for GPUs before and from 9.0") {
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const std::string path = folder.write("all.cu", R"(
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
__global__ void k(unsigned* x) { *x = __isShared(x); }
)");
  for (unsigned version = kOldestClang; version <= kNewestClang; ++version) {
    const std::string clang = "clang++-" + std::to_string(version);
    if (find_program(clang).empty()) continue;
    for (const unsigned capability : {80U, 90U}) {
      INFO(clang << " for " << capability);
      CompileOptions options;
      options.compiler = clang;
      options.compute_capability = capability;
      options.fast_math = true;
      CHECK_NOTHROW(compile_cuda(path, options));
    }
  }
}

TEST_CASE("Definitions reach the compiler, and are one word each") {
  if (!has_clang()) return;
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const std::string path = folder.write("k.cu", "__global__ void k(int* x) { *x = VALUE; }\n");
  CompileOptions options;
  options.defines = {"VALUE=4 * 1000 + 3"};
  CHECK(compile_cuda(path, options).text.find("4003") != std::string::npos);
}

TEST_CASE("What the compiler prints about a mistake comes unchanged") {
  if (!has_clang()) return;
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const std::string path = folder.write("k.cu", "__global__ void k(int* x) {\n  *x = nothing;\n}\n");
  try {
    compile_cuda(path, {});
    FAIL("it compiled");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find(path + ":2:8: error: use of undeclared identifier 'nothing'") == 0);
  }
  CHECK_THROWS_AS(compile_cuda(folder.path("missing.cu"), {}), InputError);
}

TEST_CASE("Compiled PTX is kept by what decides about it") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const Variable on("HEDDLE_CACHE", "");
  const Variable home("XDG_CACHE_HOME", folder.path("cache"));
  const std::string header = folder.write("value.h", "#define VALUE 1\n");
  const std::string path =
      folder.write("k.cu", "#include \"value.h\"\n__global__ void k(int* x) { *x = VALUE; }\n");
  const CompiledPtx first = compile_cuda(path, {});
  CHECK_FALSE(first.is_cached);
  const CompiledPtx second = compile_cuda(path, {});
  CHECK(second.is_cached);
  CHECK(second.text == first.text);

  folder.write("value.h", "#define VALUE 2\n");
  const CompiledPtx other = compile_cuda(path, {});
  CHECK_FALSE(other.is_cached);
  CHECK(other.text != first.text);
  CompileOptions options;
  options.optimization = 0;
  CHECK_FALSE(compile_cuda(path, options).is_cached);

  const Variable off("HEDDLE_CACHE", "off");
  CHECK_FALSE(compile_cuda(path, {}).is_cached);
  CHECK(cache_folder().empty());
}

TEST_CASE("A cache that cannot be written is no mistake") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const Variable on("HEDDLE_CACHE", "");
  const Variable home("XDG_CACHE_HOME", folder.write("file", "no folder"));
  CHECK_FALSE(compile_cuda(folder.write("axpy.cu", kAxpy), {}).is_cached);
}

TEST_CASE("Every function of CUDA's mathematics is there") {
  if (!has_clang()) return;
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const std::string path = folder.write("math.cu", R"(
#define ONE(f) y[i++] = f(x); z[i] = f(w);
#define TWO(f) y[i++] = f(x, x + 1); z[i] = f(w, w + 1);
__global__ void k(float* y, double* z, float x, double w) {
  int i = 0;
  ONE(sin) ONE(cos) ONE(tan) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p)
  ONE(sqrt) ONE(rsqrt) ONE(cbrt) ONE(rcbrt) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
  ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc) ONE(erfcx) ONE(erfinv) ONE(erfcinv) ONE(normcdf)
  ONE(normcdfinv) ONE(lgamma) ONE(tgamma) ONE(sinpi) ONE(cospi) ONE(fabs) ONE(floor) ONE(ceil) ONE(trunc)
  ONE(round) ONE(rint) ONE(nearbyint) ONE(logb)
  TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod) TWO(remainder) TWO(fmin) TWO(fmax) TWO(fdim) TWO(copysign)
  TWO(nextafter)
  y[i++] = __expf(x) + __sinf(x) + __powf(x, x) + __fdividef(x, x) + __frcp_rn(x) + __fsqrt_rz(x);
  y[i++] = nanf("1") + float(nan(""));
  y[i++] = __float2int_rn(x) + __double2ll_rz(w) + __clz(3);
  y[i] = __popc(i) + __umulhi(i, 7) + __byte_perm(i, 3, 5) + fma(x, x, x) + fma(w, w, w) + lround(x) + ilogb(x);
}
)");
  const CompiledPtx compiled = compile_cuda(path, {});
  CHECK(compiled.text.find(".extern .func") == std::string::npos);
  CHECK(compiled.text.find("_ZL3nan") == std::string::npos);
  CHECK(compiled.text.find("_ZL4nanf") == std::string::npos);
  CHECK(compiled.warnings.empty());
}

TEST_CASE("The headers of halves, groups and matrices compile") {
  if (!has_clang()) return;
  const Variable off("HEDDLE_CACHE", "off");
  const test::ScratchFolder folder;
  const std::string path = folder.write("all.cu", R"(
#include <algorithm>
#include <cassert>
#include <memory>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math_constants.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;
__global__ void __launch_bounds__(128) matrices(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void groups(float* x, __half2* h, __nv_bfloat16* b) {
  __shared__ float tile[128];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, tile, x, sizeof(tile));
  cg::wait(block);
  x[block.thread_rank()] = cg::reduce(warp, tile[block.thread_rank()], cg::plus<float>()) + CUDART_PI_F;
  h[0] = __hfma2(h[1], h[2], __float2half2_rn(1.0f));
  b[0] = b[1] * b[2] + __float2bfloat16(x[0]);
  atomicAdd_block(x, 1.0f);
  assert(x[0] > __ldg(x + 1));
  printf("%d\n", (int)cg::coalesced_threads().size());
}
int main() { std::vector<float> v(3); return (int)std::max(v[0], v[1]); }
)");
  CHECK(compile_cuda(path, {}).warnings.empty());
}

}  // namespace heddle::cuda
