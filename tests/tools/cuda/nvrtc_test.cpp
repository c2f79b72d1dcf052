// Kernels that are compiled at run time and launched by the driver API. What needs clang says so and passes
// where there is none.
#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

const std::string kLibraries = HEDDLE_BUILD_DIR "/lib/heddle/";

/// Compiles kSource with `options`, and prints the log if that fails.
constexpr const char* kProlog = R"(
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define check(call)                                  \
  do {                                               \
    const int error = (int)(call);                   \
    if (error != 0) {                                \
      printf("line %d: %d\n", __LINE__, error);      \
      return 1;                                      \
    }                                                \
  } while (0)
static char* log_of(nvrtcProgram program) {
  size_t bytes = 0;
  nvrtcGetProgramLogSize(program, &bytes);
  char* text = (char*)malloc(bytes);
  nvrtcGetProgramLog(program, text);
  return text;
}
static char* ptx_of(nvrtcProgram program) {
  size_t bytes = 0;
  if (nvrtcGetPTXSize(program, &bytes) != NVRTC_SUCCESS) return 0;
  char* text = (char*)malloc(bytes);
  nvrtcGetPTX(program, text);
  return strlen(text) + 1 == bytes ? text : 0;
}
)";

std::string program_text(const std::string& body) {
  return kProlog + ("int main(void) {\n" + body + "  return 0;\n}\n");
}

constexpr const char* kVectorAdd = R"(
  const char* const source =
    "#include \"parts/sum.h\"\n"
    "extern \"C\" __global__ void add(const float* x, const float* y, float* z, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  assert(n > 0);\n"
    "  if (i < n) z[i] = sum(x[i], y[i]) + OFFSET;\n"
    "}\n";
  const char* headers[] = {"__device__ inline float sum(float a, float b) { return a + b; }\n"};
  const char* names[] = {"parts/sum.h"};
  const char* options[] = {"--gpu-architecture=compute_80", "-DOFFSET=0.5f", "--std=c++17", "-lineinfo", "-I", "."};
  nvrtcProgram program;
  check(nvrtcCreateProgram(&program, source, "add.cu", 1, headers, names));
  if (nvrtcCompileProgram(program, 6, options) != NVRTC_SUCCESS) return puts(log_of(program)), 1;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr x, y, z;
  float host[1000];
  int n = 1000, wrong = 0;
  check(cuInit(0));
  check(cuCtxCreate(&context, 0, 0));
  check(cuModuleLoadData(&module, ptx_of(program)));
  check(nvrtcDestroyProgram(&program));
  check(cuModuleGetFunction(&function, module, "add"));
  for (int i = 0; i < n; ++i) host[i] = (float)i;
  check(cuMemAlloc(&x, sizeof host));
  check(cuMemAlloc(&y, sizeof host));
  check(cuMemAlloc(&z, sizeof host));
  check(cuMemcpyHtoD(x, host, sizeof host));
  check(cuMemcpyHtoD(y, host, sizeof host));
  void* arguments[] = {&x, &y, &z, &n};
  check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, 0, arguments, 0));
  check(cuMemcpyDtoH(host, z, sizeof host));
  for (int i = 0; i < n; ++i) wrong += host[i] != 2 * i + 0.5f;
  printf("%d wrong, %d\n", wrong, program == 0);
)";

/// Compiles and links it by heddle cuda, and runs it.
FinishedProgram run_by_heddle(const std::string& text) {
  const test::ScratchFolder folder;
  const std::string source = folder.write("main.cpp", text);
  const std::string program = folder.path("main");
  const FinishedProgram made =
      run_program({HEDDLE_COMMAND, "cuda", source, "-lnvrtc", "-lcuda", "-o", program});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  return run_program({"env", "HEDDLE_GPU=tiny", program});
}

}  // namespace

TEST_CASE("A vector addition is compiled at run time, with a header handed over, and launched") {
  if (!has_clang()) return;
  const FinishedProgram run = run_by_heddle(program_text(kVectorAdd));
  CHECK(run.errors == "");
  CHECK(run.output == "0 wrong, 1\n");
}

TEST_CASE("libnvrtc.so and libcuda.so do the same for programs that another compiler has linked") {
  if (!has_clang()) return;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("skipped: the library is built with sanitizers, which the programs here are not");
  return;
#endif
  const test::ScratchFolder folder;
  const std::string source = folder.write("main.c", program_text(kVectorAdd));
  for (const char* version : {"12", "13"}) {
    INFO(version);
    const std::string program = folder.path("main");
    const FinishedProgram made =
        run_program({"cc", "-std=c99", "-Wall", "-Werror", "-Wno-unused-value", "-I",
                     HEDDLE_SOURCE_DIR "/tools/cuda/include", "-o", program, source,
                     kLibraries + "libnvrtc.so." + version, "-L" + kLibraries, "-lcuda"});
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
    const FinishedProgram run = run_program(
        {HEDDLE_COMMAND, "exec", "--gpu", "tiny", "--summary", folder.path("summary"), "--", program});
    CHECK(run.errors == "");
    CHECK(run.output == "0 wrong, 1\n");
  }
}

TEST_CASE("Name expressions make kernels of templates, and say how the PTX calls them and variables") {
  if (!has_clang()) return;
  const FinishedProgram run = run_by_heddle(program_text(R"(
  const char* const source =
    "namespace n { struct Pair { int a, b; };\n"
    "template <typename T, int N> __global__ void put(T* p, T value) { p[threadIdx.x + N] = value; }\n"
    "__constant__ float factor = 2; }\n"
    "__global__ void plain(int* p) { *p = 1; }\n";
  const char* names[] = {"n::put<n::Pair, 3>", "&n::put<int, 0>", "&n::factor", "plain"};
  nvrtcProgram program;
  const char* lowered;
  check(nvrtcCreateProgram(&program, source, 0, 0, 0, 0));
  for (int i = 0; i < 4; ++i) check(nvrtcAddNameExpression(program, names[i]));
  printf("%s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, names[0], &lowered)));
  if (nvrtcCompileProgram(program, 0, 0) != NVRTC_SUCCESS) return puts(log_of(program)), 1;
  char* ptx = ptx_of(program);
  for (int i = 0; i < 4; ++i) {
    check(nvrtcGetLoweredName(program, names[i], &lowered));
    printf("%s %d\n", lowered, strstr(ptx, lowered) != 0);
  }
  printf("%d %s\n", strstr(ptx, "heddle_name") == 0, nvrtcGetErrorString(nvrtcGetLoweredName(program, "none", &lowered)));
  printf("%s\n", nvrtcGetErrorString(nvrtcAddNameExpression(program, "late")));
)"));
  // The Itanium C++ ABI's names.
  CHECK(run.output ==
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION\n"
        "_ZN1n3putINS_4PairELi3EEEvPT_S2_ 1\n_ZN1n3putIiLi0EEEvPT_S1_ 1\n_ZN1n6factorE 1\n_Z5plainPi 1\n"
        "1 NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID\nNVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION\n");
}

TEST_CASE("What the compiler refuses stands in the log with the program's own names and lines") {
  if (!has_clang()) return;
  const FinishedProgram run = run_by_heddle(program_text(R"(
  nvrtcProgram program;
  size_t bytes;
  check(nvrtcCreateProgram(&program, "\n__global__ void k() { fly(); }\n", "kernels/k.cu", 0, 0, 0));
  printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, 0)));
  char* log = log_of(program);
  *strchr(log, '\n') = 0;
  puts(log);
  printf("%s\n", nvrtcGetErrorString(nvrtcGetPTXSize(program, &bytes)));
  const char* const wrong[] = {"--fly-to-the-moon"};
  printf("%s ", nvrtcGetErrorString(nvrtcCompileProgram(program, 1, wrong)));
  printf("%s", log_of(program));
  check(nvrtcDestroyProgram(&program));
  printf("%s\n", nvrtcGetErrorString(nvrtcDestroyProgram(&program)));
  printf("%s\n", nvrtcGetErrorString(nvrtcCreateProgram(&program, 0, 0, 0, 0, 0)));
  const char* text[] = {""};
  const char* names[] = {"../../outside.h"};
  check(nvrtcCreateProgram(&program, "", 0, 1, text, names));
  printf("%s %d\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, 0)), strstr(log_of(program), "outside.h") != 0);
)"));
  CHECK_THAT(run.output, Catch::StartsWith("NVRTC_ERROR_COMPILATION\nkernels/k.cu:2:23: error: ") &&
                             Catch::EndsWith("NVRTC_ERROR_INVALID_PROGRAM\n"
                                             "NVRTC_ERROR_INVALID_OPTION '--fly-to-the-moon' is no option\n"
                                             "NVRTC_ERROR_INVALID_PROGRAM\nNVRTC_ERROR_INVALID_INPUT\n"
                                             "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE 1\n"));
}

}  // namespace heddle::cuda
