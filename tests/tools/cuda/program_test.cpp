// CUDA programs, compiled by heddle cuda and run as they are. What needs clang says so and passes where there
// is none.
#include "tools/cuda/program.h"

#include <fstream>
#include <string>
#include <vector>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kAdd = R"(
__device__ int calls = 40;
__constant__ float factor;
__global__ void add(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + factor * y[i];
  if (i == 0) ++calls;
}
)";

}  // namespace

TEST_CASE("A program with <<<>>>, copies, symbols and several streams computes what it should") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(kAdd, R"(
  const int n = 1000;
  std::vector<float> x(n), y(n), z(n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 2 * i;
  float *dx, *dy, *dz;
  check(cudaMalloc(&dx, n * sizeof(float)));
  check(cudaMalloc(&dy, n * sizeof(float)));
  check(cudaMalloc(&dz, n * sizeof(float)));
  check(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMemcpyAsync(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
  const float three = 3;
  check(cudaMemcpyToSymbol(factor, &three, sizeof three));
  add<<<(n + 127) / 128, 128, 0, stream>>>(dx, dy, dz, n);
  check(cudaGetLastError());
  check(cudaMemcpy(z.data(), dz, n * sizeof(float), cudaMemcpyDeviceToHost));
  int counted = 0;
  check(cudaMemcpyFromSymbol(&counted, calls, sizeof counted));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += z[i] != 7 * i;
  std::printf("%d wrong, %d calls\n", wrong, counted);
  check(cudaFree(dx));
)"))
                                  .run();
  CHECK(run.errors == "");
  CHECK(run.output == "0 wrong, 41 calls\n");
  CHECK(run.exit_code == 0);
}

TEST_CASE("Managed and pinned memory are the host's and the device's") {
  if (!has_clang()) return;
  const FinishedProgram run =
      CudaProgram(
          program_of("__global__ void twice(int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }\n", R"(
  int *managed, *pinned, registered[32];
  check(cudaMallocManaged(&managed, 32 * sizeof(int)));
  check(cudaMallocHost(&pinned, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) managed[i] = i;
  twice<<<1, 32>>>(managed, pinned);
  check(cudaDeviceSynchronize());
  check(cudaHostRegister(registered, sizeof registered, 0));
  twice<<<1, 32>>>(pinned, registered);
  check(cudaDeviceSynchronize());
  std::printf("%d %d\n", pinned[31], registered[31]);
  check(cudaHostUnregister(registered));
  check(cudaFreeHost(pinned));
)"))
          .run();
  CHECK(run.errors == "");
  CHECK(run.output == "62 124\n");
}

TEST_CASE("Errors are CUDA's codes, a fault's code stays, and standard error says more") {
  if (!has_clang()) return;
  const FinishedProgram run =
      CudaProgram(program_of("__global__ void store(int* p) { p[threadIdx.x << 20] = 1; }\n", R"(
  int* p;
  std::printf("%s\n", cudaGetErrorName(cudaMalloc(&p, size_t(1) << 50)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  check(cudaMalloc(&p, 16 * sizeof(int)));
  store<<<1, 2048>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy(p + 8, p, 64, cudaMemcpyDeviceToDevice)));
  store<<<1, 32>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaFree(p)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
)"))
          .run();
  CHECK(run.exit_code == 0);
  CHECK(run.output ==
        "cudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\ncudaSuccess\ncudaErrorInvalidConfiguration\n"
        "cudaErrorInvalidValue\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n"
        "cudaErrorIllegalAddress\n");
  CHECK_THAT(run.errors, Catch::Contains("heddle: cudaDeviceSynchronize: cudaErrorIllegalAddress: kernel "));
}

TEST_CASE("Device properties are those of the GPU file") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of("", R"(
  int count = 0, sms = 0;
  cudaDeviceProp properties;
  check(cudaGetDeviceCount(&count));
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  std::printf("%d: %s, %d.%d, %d and %d SMs\n", count, properties.name, properties.major, properties.minor,
              properties.multiProcessorCount, sms);
)"))
                                  .run({"HEDDLE_GPU=v100", "HEDDLE_SMS=5"});
  CHECK(run.output == "1: NVIDIA V100 SXM2 16 GB, 7.0, 5 and 5 SMs\n");
}

TEST_CASE("Several files, some of them plain C++, make one program, and mistakes are the compiler's words") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const std::string host = folder.path("main.cpp"), kernels = folder.path("kernels.cu");
  std::ofstream(host) << "#include <cuda_runtime.h>\n#include <cstdio>\nint answer();\n"
                         "int main() { std::printf(\"%d %d\\n\", answer(), cudaDeviceSynchronize()); }\n";
  std::ofstream(kernels) << "__managed_or_not;\n";
  const FinishedProgram refused =
      run_program({HEDDLE_COMMAND, "cuda", host, kernels, "-o", folder.path("app")});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Catch::Contains("kernels.cu:1:"));
  std::ofstream(kernels) << "__global__ void set(int* p) { *p = VALUE; }\n"
                            "int answer() {\n  int *p, value;\n  cudaMalloc(&p, 4);\n  set<<<1, 1>>>(p);\n"
                            "  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);\n  return value;\n}\n";
  const FinishedProgram made =
      run_program({HEDDLE_COMMAND, "cuda", "-arch=sm_70", "-lineinfo", "-std", "c++17", "-Xcompiler", "-Wall",
                   "-DVALUE=42", host, kernels, "-lm", "-o", folder.path("app")});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  CHECK(run_program({"env", "HEDDLE_GPU=tiny", folder.path("app")}).output == "42 0\n");
}

TEST_CASE(
    "Options of nvcc: another language than the name says, products rounded, and what changes nothing") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("program.cpp", program_of(R"(
__global__ void multiply(float* x) { x[2] = x[0] * x[1] - x[2]; }
)",
                                                                    R"(
  // (1 + 2^-23)^2 - (1 + 2^-22): 0 if the product is rounded, otherwise 2^-46.
  const float values[] = {0x1.000002p0f, 0x1.000002p0f, 0x1.000004p0f};
  float* x;
  check(cudaMallocManaged(&x, 12));
  for (int i = 0; i < 3; ++i) x[i] = values[i];
  multiply<<<1, 1>>>(x);
  check(cudaDeviceSynchronize());
  std::printf("%a\n", (double)x[2]);
)"));
  const auto output_with = [&](std::vector<std::string> options) {
    std::vector<std::string> command = {HEDDLE_COMMAND, "cuda", source, "-x", "cu", "-o", folder.path("app")};
    command.insert(command.end(), options.begin(), options.end());
    const FinishedProgram compiled = run_program(command);
    CHECK(compiled.errors == "");
    return run_program({folder.path("app")}).output;
  };
  CHECK(output_with({"-g", "-O1", "-g", "-O2", "--default-stream", "per-thread", "-m64", "-res-usage", "-code=sm_80"}) == "0x1p-46\n");
  CHECK(output_with({"-fmad=false", "-prec-div=true", "-isystem", folder.path("."),
                     "-Wno-deprecated-gpu-targets"}) == "0x0p+0\n");
  const FinishedProgram refused = run_program({HEDDLE_COMMAND, "cuda", "-x", "hip", source});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Catch::Contains("-x takes cu, not 'hip'"));
  CHECK_THAT(run_program({HEDDLE_COMMAND, "cuda", "-fmad=no", source}).errors,
             Catch::Contains("-fmad takes true|false, not 'no'"));
}

TEST_CASE("Host and GPU share __managed__ variables, with what they begin with") {
  if (!has_clang() || !has_plain_library()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
struct Pair { int a; double b; };
__managed__ int sum, step = 7;
__managed__ float row[33];
static __managed__ Pair pair = {3, 0.5};
__device__ int elsewhere = 4;
__global__ void add() {
  if (threadIdx.x == 0) sum += step * elsewhere;
  row[threadIdx.x] = threadIdx.x * pair.b;
}
)",
                                                     R"(
  std::printf("%d %d %g %d", sum, step, pair.b, pair.a);
  sum = 100;
  pair.b = 3;
  add<<<1, 33>>>();
  check(cudaDeviceSynchronize());
  std::printf(" %d %g", sum, (double)row[32]);
  cudaPointerAttributes about;
  check(cudaPointerGetAttributes(&about, &step));
  void* address;
  check(cudaGetSymbolAddress(&address, step));
  const int eight = 8;
  check(cudaMemcpyToSymbol(step, &eight, sizeof eight));
  std::printf(" %d %d %d\n", about.type == cudaMemoryTypeManaged, address == &step, step);
)"))
                                  .run({"HEDDLE_CHECK=memory,initial"});
  CHECK(run.errors == "");
  CHECK(run.output == "0 7 0.5 3 128 96 1 1 8\n");
}

TEST_CASE("Graphs do what was captured or built as often as they are launched") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
__global__ void add(int* p, int what) { p[threadIdx.x] += what; }
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
)",
                                                     R"(
  int *p, result[32], first[32] = {};
  check(cudaMalloc(&p, sizeof result));
  check(cudaMemcpy(p, first, sizeof first, cudaMemcpyHostToDevice));
  cudaStream_t stream, other;
  check(cudaStreamCreate(&stream));
  check(cudaStreamCreate(&other));
  cudaEvent_t fork, join;
  check(cudaEventCreate(&fork));
  check(cudaEventCreate(&join));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(p, 3);
  check(cudaEventRecord(fork, stream));
  check(cudaStreamWaitEvent(other, fork, 0));
  twice<<<1, 32, 0, other>>>(p);
  check(cudaEventRecord(join, other));
  check(cudaStreamWaitEvent(stream, join, 0));
  check(cudaMemcpyAsync(result, p, sizeof result, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(executable, stream));
  check(cudaStreamSynchronize(stream));
  std::printf("%d ", result[31]);  // ((3 * 2 + 3) * 2 + 3) * 2
  cudaGraph_t built;
  cudaGraphNode_t nodes[2];
  check(cudaGraphCreate(&built, 0));
  int five = 5;
  void* of_add[] = {&p, &five};
  void* of_twice[] = {&p};
  cudaKernelNodeParams parameters = {};
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(32);
  parameters.func = (void*)twice;
  parameters.kernelParams = of_twice;
  check(cudaGraphAddKernelNode(&nodes[0], built, nullptr, 0, &parameters));
  parameters.func = (void*)add;
  parameters.kernelParams = of_add;
  check(cudaGraphAddKernelNode(&nodes[1], built, nullptr, 0, &parameters));
  check(cudaGraphAddDependencies(built, &nodes[1], &nodes[0], 1));
  check(cudaGraphInstantiate(&executable, built, 0));
  check(cudaGraphLaunch(executable, stream));
  check(cudaMemcpy(result, p, sizeof result, cudaMemcpyDeviceToHost));
  std::printf("%d\n", result[0]);  // (42 + 5) * 2
)"))
                                  .run();
  CHECK(run.errors == "");
  CHECK(run.output == "42 94\n");
}

// Clang 14 moved the load of `total` before the barrier.
TEST_CASE("Shared variables are read behind barriers, and groups of lanes by label reduce") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void spread(int* data, const int* totals) {
  __shared__ int total;
  if (threadIdx.x == 0) total = totals[blockIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] += total;
}
__global__ void greatest(int* out) {
  const auto group = cg::labeled_partition(cg::coalesced_threads(), threadIdx.x % 3);
  const int most = cg::reduce(group, (int)threadIdx.x, cg::greater<int>());
  if (group.thread_rank() == 0) out[threadIdx.x % 3] = most;
}
)",
                                                     R"(
  int *data, *totals;
  check(cudaMallocManaged(&data, 512 * sizeof(int)));
  check(cudaMallocManaged(&totals, 3 * sizeof(int)));
  totals[0] = 5;
  totals[1] = 7;
  spread<<<2, 256>>>(data, totals);
  check(cudaDeviceSynchronize());
  int sum = 0;
  for (int i = 0; i < 512; ++i) sum += data[i];
  greatest<<<1, 32>>>(totals);
  check(cudaDeviceSynchronize());
  std::printf("%d %d %d %d\n", sum, totals[0], totals[1], totals[2]);
)"))
                                  .run();
  CHECK(run.errors == "");
  CHECK(run.output == "3072 30 31 29\n");  // 256 * 5 + 256 * 7
}

TEST_CASE("Windows of lines that persist in L2 are taken as GPUs take them, and move no time") {
  if (!has_clang()) return;
  const CudaProgram program(program_of("__global__ void touch(int* p) { p[threadIdx.x] += 1; }", R"(
  cudaDeviceProp of;
  check(cudaGetDeviceProperties(&of, 0));
  std::printf("%d %d %s ", of.persistingL2CacheMaxSize, of.accessPolicyMaxWindowSize,
              cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 100 << 20)));
  if (of.persistingL2CacheMaxSize == 0) return 0;
  size_t limit;
  check(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  std::printf("%zu ", limit);
  int* p;
  check(cudaMalloc(&p, 4096));
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow = {p, 4096, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  touch<<<1, 32, 0, stream>>>(p);
  check(cudaCtxResetPersistingL2Cache());
  value.accessPolicyWindow.hitRatio = 2;
  std::printf("%s ", cudaGetErrorName(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value)));
  check(cudaDeviceSynchronize());
)"));
  const FinishedProgram ampere = program.run({"HEDDLE_GPU=a100", "HEDDLE_SMS=1"});
  CHECK(ampere.output == "31457280 134213632 cudaSuccess 31457280 cudaErrorInvalidValue ");
  CHECK_THAT(ampere.errors,
             Catch::Contains("heddle: GPU 0: lines that the program wants to persist in L2 were"));
  CHECK_THAT(program.run({"HEDDLE_GPU=a100", "HEDDLE_TIMED=none"}).errors, !Catch::Contains("persist"));
  CHECK(program.run({"HEDDLE_GPU=t4"}).output == "0 0 cudaErrorUnsupportedLimit ");
}

}  // namespace heddle::cuda
