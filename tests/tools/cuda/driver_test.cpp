// The driver API: by heddle cuda, and as libcuda.so.1 by heddle exec. Kernels come as PTX and in a container.
// What needs clang says so and passes where there is none.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

const std::string kFatbins = HEDDLE_SOURCE_DIR "/tests/tools/cuda/fatbins/";
const std::string kLibraries = HEDDLE_BUILD_DIR "/lib/heddle/";

/// z[i] = x[i] * factor + shared[0] as an entry of PTX; shared[0] is what the block's first thread puts
/// there.
constexpr const char* kProlog = R"(
#include <cuda.h>
#include <stdio.h>
#include <string.h>
static const char* const kPtx =
  ".version 7.0\n.target sm_70\n.address_size 64\n"
  ".global .align 4 .u32 counter = 7;\n"
  ".extern .shared .align 4 .b8 space[];\n"
  ".visible .entry scale(.param .u64 x, .param .f32 factor, .param .u32 n) {\n"
  "  .reg .pred %p<3>; .reg .f32 %f<6>; .reg .b32 %r<8>; .reg .b64 %rd<6>;\n"
  "  ld.param.u64 %rd1, [x]; ld.param.f32 %f1, [factor]; ld.param.u32 %r2, [n];\n"
  "  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r1, %r3, %r4, %r5;\n"
  "  mov.u32 %r6, space; mov.f32 %f4, 0f3F800000; st.shared.f32 [%r6], %f4; bar.sync 0;\n"
  "  setp.ge.u32 %p1, %r1, %r2; @%p1 bra DONE;\n"
  "  cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;\n"
  "  ld.global.f32 %f2, [%rd4]; ld.shared.f32 %f5, [%r6]; fma.rn.f32 %f3, %f2, %f1, %f5;\n"
  "  st.global.f32 [%rd4], %f3;\n"
  "DONE: ret;\n}\n";
#define check(call)                                        \
  do {                                                     \
    const CUresult error = call;                           \
    const char* name = "";                                 \
    if (error != CUDA_SUCCESS) {                           \
      cuGetErrorName(error, &name);                        \
      printf("line %d: %s\n", __LINE__, name);             \
      return 1;                                            \
    }                                                      \
  } while (0)
static const char* name(CUresult error) {
  const char* found = "none";
  cuGetErrorName(error, &found);
  return found;
}
)";

std::string driver_program(const std::string& body) {
  return kProlog + ("int main(int count, char** words) {\n" + body + "  return 0;\n}\n");
}

/// Compiles a C program without clang's help, and links it with Heddle's libcuda.so alone.
class LinkedProgram {
 public:
  explicit LinkedProgram(const std::string& text) {
    const std::string source = folder.write("program.c", text);
    const FinishedProgram made = run_program({"cc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused", "-Werror",
                                              "-I", HEDDLE_SOURCE_DIR "/tools/cuda/include", "-o", path(),
                                              source, "-L" + kLibraries, "-lcuda"});
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
  }
  [[nodiscard]] std::string path() const { return folder.path("program"); }
  [[nodiscard]] FinishedProgram exec(const std::vector<std::string>& words = {}) const {
    std::vector<std::string> command = {HEDDLE_COMMAND,         "exec", "--gpu", "tiny", "--summary",
                                        folder.path("summary"), "--",   path()};
    command.insert(command.end(), words.begin(), words.end());
    return run_program(command);
  }

  test::ScratchFolder folder;
};

constexpr const char* kBegin = R"(
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr x;
  float host[1000];
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuCtxCreate(&context, 0, device));
  check(cuModuleLoadData(&module, kPtx));
  check(cuModuleGetFunction(&function, module, "scale"));
  for (int i = 0; i < 1000; ++i) host[i] = (float)i;
  check(cuMemAlloc(&x, sizeof host));
  check(cuMemcpyHtoD(x, host, sizeof host));
)";

}  // namespace

TEST_CASE(
    "A kernel of a module from PTX is launched with its arguments in both ways, and its variable is found") {
  if (!has_plain_library()) return;
  const LinkedProgram program(driver_program(std::string(kBegin) + R"(
  float factor = 2;
  unsigned n = 1000;
  void* arguments[] = {&x, &factor, &n};
  check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 256, 0, arguments, 0));
  struct { CUdeviceptr x; float factor; unsigned n; } packed = {x, 3, 999};
  size_t bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 256, 0, 0, extra));
  check(cuMemcpyDtoH(host, x, sizeof host));
  int wrong = 0;
  for (int i = 0; i < 999; ++i) wrong += host[i] != 3.0f * (2 * i + 1) + 1;
  CUdeviceptr counter;
  size_t size;
  unsigned value = 0;
  check(cuModuleGetGlobal(&counter, &size, module, "counter"));
  check(cuMemcpyDtoH(&value, counter, 4));
  printf("%d wrong, %g; counter %u of %zu\n", wrong, host[999], value, size);
  bytes = 8;
  printf("%s\n", name(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 256, 0, 0, extra)));
  printf("%s\n", name(cuLaunchKernel(function, 8, 1, 1, 2048, 1, 1, 256, 0, arguments, 0)));
  printf("%s\n", name(cuModuleGetFunction(&function, module, "none")));
  printf("%s\n", name(cuModuleGetGlobal(&counter, &size, module, "none")));
  check(cuMemFree(x));
  check(cuModuleUnload(module));
  printf("%s\n", name(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 256, 0, arguments, 0)));
  check(cuCtxDestroy(context));
)"));
  const FinishedProgram run = program.exec();
  CHECK(run.output ==
        "0 wrong, 1999; counter 7 of 4\nCUDA_ERROR_INVALID_VALUE\nCUDA_ERROR_INVALID_VALUE\n"
        "CUDA_ERROR_NOT_FOUND\nCUDA_ERROR_NOT_FOUND\nCUDA_ERROR_INVALID_HANDLE\n");
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.errors,
             Catch::Contains("heddle: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND: the module has no "
                             "kernel 'none'\n"));
}

TEST_CASE("Before cuInit, and without a context, calls answer with CUDA's codes, and contexts are a stack") {
  if (!has_plain_library()) return;
  const LinkedProgram program(driver_program(R"(
  CUdevice device;
  CUcontext first, second, current;
  CUdeviceptr x;
  unsigned flags;
  int active;
  printf("%s\n", name(cuDeviceGet(&device, 0)));
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  printf("%s\n", name(cuDeviceGet(&device, 1)));
  printf("%s\n", name(cuMemAlloc(&x, 4)));
  check(cuCtxCreate(&first, CU_CTX_SCHED_SPIN, device));
  check(cuCtxCreate(&second, 0, device));
  check(cuCtxGetCurrent(&current));
  printf("%d", current == second);
  check(cuCtxPopCurrent(&current));
  printf("%d", current == second);
  check(cuCtxGetFlags(&flags));
  printf("%u", flags);
  check(cuCtxDestroy(second));
  printf(" %s\n", name(cuCtxSetCurrent(second)));
  check(cuMemAlloc(&x, 4));
  check(cuCtxDestroy(first));
  check(cuCtxGetCurrent(&current));
  printf("%d %s\n", current == 0, name(cuMemFree(x)));
  check(cuDevicePrimaryCtxRetain(&first, device));
  check(cuCtxSetCurrent(first));
  printf("%s ", name(cuMemFree(x)));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  check(cuDevicePrimaryCtxRelease(device));
  printf("%d %s\n", active, name(cuDevicePrimaryCtxRelease(device)));
)"));
  CHECK(program.exec().output ==
        "CUDA_ERROR_NOT_INITIALIZED\nCUDA_ERROR_INVALID_DEVICE\nCUDA_ERROR_INVALID_CONTEXT\n"
        "111 CUDA_ERROR_INVALID_CONTEXT\n1 CUDA_ERROR_INVALID_CONTEXT\n"
        "CUDA_ERROR_INVALID_VALUE 1 CUDA_ERROR_INVALID_CONTEXT\n");
}

TEST_CASE("What a device is, is that of the GPU file in both APIs, and attributes have the same numbers") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const CudaProgram program(std::string("#include <cuda_runtime.h>\n") + driver_program(R"(
  cudaDeviceProp properties;
  char text[64];
  int major, minor, sms, version, devices;
  size_t bytes;
  if (cuInit(0) != CUDA_SUCCESS || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  check(cuDeviceGetName(text, sizeof text, 0));
  check(cuDeviceComputeCapability(&major, &minor, 0));
  check(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  check(cuDeviceTotalMem(&bytes, 0));
  check(cuDriverGetVersion(&version));
  check(cuDeviceGetCount(&devices));
  printf("%d %d %d %d %d\n", strcmp(text, properties.name) == 0, 10 * major + minor, sms, version, devices);
  printf("%d\n", bytes == properties.totalGlobalMem);
)"));
  CHECK(program.run({"HEDDLE_GPU=v100", "HEDDLE_SMS=5"}).output == "1 70 5 12040 1\n1\n");
}

TEST_CASE("Both APIs share memory, streams and the primary context, and each has errors of its own") {
  if (!has_clang()) return;
  const CudaProgram program("#include <cuda_runtime.h>\n" + driver_program(R"(
  CUmodule module;
  CUfunction function;
  CUcontext context;
  float* x;
  check(cuInit(0));
  if (cudaMalloc(&x, 4000) != cudaSuccess) return 1;
  check(cuCtxGetCurrent(&context));
  check(cuModuleLoadData(&module, kPtx));
  check(cuModuleGetFunction(&function, module, "scale"));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(x, 0, 4000, stream);
  float factor = 2, host = 0;
  unsigned n = 1000;
  void* arguments[] = {&x, &factor, &n};
  check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 4, stream, arguments, 0));
  check(cuStreamSynchronize(stream));
  cudaMemcpy(&host, x + 999, 4, cudaMemcpyDeviceToHost);
  printf("%d %g %s ", context != 0, host, name(cuMemFree(1)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  n = 1u << 22;  // 16 MiB: beyond all pages that the program has.
  check(cuLaunchKernel(function, 32768, 1, 1, 128, 1, 1, 4, stream, arguments, 0));
  printf("%s ", name(cuCtxSynchronize()));
  printf("%s %s\n", name(cuMemFree((CUdeviceptr)x)), cudaGetErrorName(cudaFree(x)));
)"));
  const FinishedProgram run = program.run();
  CHECK(run.output ==
        "1 1 CUDA_ERROR_INVALID_VALUE cudaSuccess\n"
        "CUDA_ERROR_ILLEGAL_ADDRESS CUDA_ERROR_ILLEGAL_ADDRESS cudaErrorIllegalAddress\n");
  CHECK_THAT(run.errors,
             Catch::Contains("heddle: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: kernel scale"));
}

TEST_CASE(
    "Modules come from files and containers, PTX is linked, and what cannot be read is told in the log") {
  if (!has_plain_library()) return;
  const LinkedProgram program(driver_program(std::string(kBegin) + R"(
  CUmodule packed, linked;
  CUdeviceptr factor;
  CUlinkState state;
  void* image;
  size_t size;
  float two = 2, one = 1;
  int sm = 0;
  check(cuModuleLoad(&packed, words[1]));
  check(cuModuleGetFunction(&function, packed, "scale"));
  check(cuModuleGetGlobal(&factor, &size, packed, "factor"));
  check(cuMemcpyHtoD(factor, &two, 4));
  void* arguments[] = {&x, &one};
  check(cuLaunchKernel(function, 7, 1, 1, 128, 1, 1, 0, 0, arguments, 0));
  check(cuMemcpyDtoH(host, x, sizeof host));
  check(cuFuncGetAttribute(&sm, CU_FUNC_ATTRIBUTE_PTX_VERSION, function));
  printf("%g, %d\n", host[800], sm);
  check(cuLinkCreate(0, 0, 0, &state));
  check(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)kPtx, strlen(kPtx) + 1, "first", 0, 0, 0));
  check(cuLinkComplete(state, &image, &size));
  check(cuModuleLoadData(&linked, image));
  check(cuLinkDestroy(state));
  check(cuModuleGetFunction(&function, linked, "scale"));
  char log[256] = "nothing";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  const char* const wrong = ".version 7.0\n.target sm_70\n.entry k( { ret; }\n";
  printf("%s ", name(cuModuleLoadDataEx(&linked, wrong, 2, options, values)));
  printf("%d %d\n", strstr(log, ":3:") != 0, (size_t)values[1] == strlen(log));
  check(cuModuleLoadData(&linked, ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { fly; ret; }\n"));
  printf("%s\n", name(cuModuleGetFunction(&function, linked, "k")));
  printf("%s\n", name(cuModuleLoad(&linked, "nowhere.ptx")));
)"));
  for (const char* container : {"none.fatbin", "speed.fatbin", "size.fatbin"}) {
    INFO(container);
    CHECK(program.exec({kFatbins + container}).output ==
          "1601, 75\nCUDA_ERROR_INVALID_PTX 1 1\nCUDA_ERROR_INVALID_PTX\nCUDA_ERROR_FILE_NOT_FOUND\n");
  }
}

TEST_CASE("heddle cuda makes device code alone, which a program loads") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write(
      "kernels.cu",
      "extern \"C\" __global__ void put(int* p, int value) { p[threadIdx.x] = value + threadIdx.x; }\n");
  const std::string code = folder.path("code.ptx");
  REQUIRE(run_program({HEDDLE_COMMAND, "cuda", "-ptx", source, "-o", code}).exit_code == 0);
  const std::string main_file = folder.write("main.cpp", driver_program(R"(
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr p;
  int value = 5, host[32];
  check(cuInit(0));
  check(cuCtxCreate(&context, 0, 0));
  check(cuModuleLoad(&module, words[1]));
  check(cuModuleGetFunction(&function, module, "put"));
  check(cuMemAlloc(&p, sizeof host));
  void* arguments[] = {&p, &value};
  check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  check(cuMemcpyDtoH(host, p, sizeof host));
  printf("%d\n", host[31]);
)"));
  const std::string program = folder.path("main");
  const FinishedProgram made = run_program({HEDDLE_COMMAND, "cuda", main_file, "-lcuda", "-o", program});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  CHECK(run_program({"env", "HEDDLE_GPU=tiny", program, code}).output == "36\n");
  const FinishedProgram host = run_program({HEDDLE_COMMAND, "cuda", "-ptx", main_file});
  CHECK(host.exit_code == 2);
  CHECK_THAT(host.errors, Catch::Contains("it has no device code"));
}

TEST_CASE("Rows are copied between host, device and pitched memory, and filled by bytes, halves and words") {
  if (!has_plain_library()) return;
  const LinkedProgram program(driver_program(std::string(kBegin) + R"(
  CUdeviceptr rows, found;
  size_t pitch, bytes;
  unsigned char small[6][8];
  check(cuMemAllocPitch(&rows, &pitch, 10, 6, 4));
  check(cuMemGetAddressRange(&found, &bytes, rows + 7));
  printf("%d %d\n", found == rows, bytes == 6 * pitch);
  check(cuMemsetD2D8(rows, pitch, 9, 10, 6));
  check(cuMemsetD16(rows + pitch, 0x0201, 2));
  check(cuMemsetD32(rows + 2 * pitch, 0x04030201, 1));
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = rows;
  copy.srcPitch = pitch;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = small;
  copy.dstPitch = 8;
  copy.dstXInBytes = 2;
  copy.WidthInBytes = 5;
  copy.Height = 2;
  memset(small, 0, sizeof small);
  check(cuMemcpy2D(&copy));
  for (int i = 0; i < 16; ++i) printf("%d", ((unsigned char*)small)[i]);
  printf("\n%s\n", name(cuMemsetD32(rows + 1, 0, 1)));
  unsigned type = 0;
  int ordinal = -1;
  check(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, rows));
  check(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, rows));
  printf("%d %d\n", type == CU_MEMORYTYPE_DEVICE, ordinal);
)"));
  CHECK(program.exec().output == "1 1\n0012129000123490\nCUDA_ERROR_INVALID_VALUE\n1 0\n");
}

TEST_CASE(
    "Functions are found by their names, and streams, events and occupancy answer as the runtime's do") {
  if (!has_plain_library()) return;
  const LinkedProgram program(driver_program(std::string(kBegin) + R"(
  CUdriverProcAddressQueryResult status;
  void* found = 0;
  CUstream stream;
  CUevent events[2];
  float milliseconds = 0, factor = 2;
  unsigned n = 1000;
  int blocks = 0, grid = 0, block = 0, most = 0;
  check(cuGetProcAddress("cuMemAlloc", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  printf("%d ", found == (void*)cuMemAlloc);
  check(cuGetProcAddress("cuFly", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  printf("%d %d\n", found == 0, status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuEventCreate(&events[0], CU_EVENT_DEFAULT));
  check(cuEventCreate(&events[1], CU_EVENT_DEFAULT));
  check(cuEventRecord(events[0], stream));
  void* arguments[] = {&x, &factor, &n};
  check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 4, stream, arguments, 0));
  check(cuEventRecord(events[1], stream));
  check(cuEventSynchronize(events[1]));
  printf("%s ", name(cuEventQuery(events[1])));
  check(cuEventElapsedTime(&milliseconds, events[0], events[1]));
  printf("%d %s\n", milliseconds > 0, name(cuStreamQuery(stream)));
  check(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
  check(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, 0, 0, 0));
  printf("%d %d\n", blocks > 0, block <= most && block % 32 == 0 && grid > 0);
  printf("%s\n", name(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30)));
)"));
  CHECK(program.exec().output == "1 1 1\nCUDA_SUCCESS 1 CUDA_SUCCESS\n1 1\nCUDA_ERROR_INVALID_VALUE\n");
}

TEST_CASE("A program that wants what the driver API does not have here is refused before it starts") {
  if (!has_plain_library()) return;
  const test::ScratchFolder folder;
  const std::string library = folder.write("stub.c", "int cuFlyToTheMoon(void) { return 0; }\n");
  const std::string made = folder.path("libcuda.so.1");
  REQUIRE(
      run_program({"cc", "-shared", "-fPIC", "-o", made, library, "-Wl,-soname,libcuda.so.1"}).exit_code ==
      0);
  const std::string source =
      folder.write("main.c", "int cuFlyToTheMoon(void);\nint main(void) { return cuFlyToTheMoon(); }\n");
  const std::string program = folder.path("program");
  REQUIRE(run_program({"cc", "-o", program, source, made}).exit_code == 0);
  const FinishedProgram run = run_program({HEDDLE_COMMAND, "exec", "--", program});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, Catch::Contains("calls what Heddle's runtime does not have: cuFlyToTheMoon\n"));
}

TEST_CASE("nvcc's own programs with both APIs find one state, by NVIDIA's header of CUDA 13", "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("main.cu", R"(
#include <cuda.h>
#include <cstdio>
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
int main() {
  CUdevice device;
  CUcontext context;
  CUdeviceptr p;
  int values[32];
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device)) return 1;
  if (cuCtxSetCurrent(context) || cuMemAlloc(&p, sizeof values)) return 2;
  for (int i = 0; i < 32; ++i) values[i] = i;
  if (cuMemcpyHtoD(p, values, sizeof values)) return 3;
  twice<<<1, 32>>>((int*)p);
  if (cudaDeviceSynchronize() || cuMemcpyDtoH(values, p, sizeof values)) return 4;
  std::printf("%d\n", values[31]);
}
)");
  const std::string program = folder.path("program");
  const FinishedProgram made = run_program({nvcc, "-cudart", "shared", "-o", program, source, "-lcuda"});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  const FinishedProgram run = run_program(
      {HEDDLE_COMMAND, "exec", "--gpu", "tiny", "--summary", folder.path("summary"), "--", program});
  CHECK(run.errors == "");
  CHECK(run.output == "62\n");
}

}  // namespace heddle::cuda
