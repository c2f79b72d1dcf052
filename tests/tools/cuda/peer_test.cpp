// Programs with two GPUs: memory of one that the other uses, copies between them, and their common time. The
// GPU is `tiny`, whose clock ticks once a nanosecond and whose link has 16 bytes a nanosecond and 1 us of
// latency. What is expected is what NVIDIA's reference of the runtime API says of each function.
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kScale = R"(
__global__ void scale(const int* from, int* to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }
void name(cudaError_t error) { std::printf("%s ", cudaGetErrorName(error)); }
)";

FinishedProgram run_on_two(const std::string& kernels, const std::string& body) {
  return CudaProgram(program_of(kernels, body)).run({"HEDDLE_GPUS=2"});
}

}  // namespace

TEST_CASE("Kernels use the memory of a peer, and answers about peers are CUDA's") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two(kScale, R"(
  int can[3], *memory[2], host[32];
  check(cudaDeviceCanAccessPeer(&can[0], 0, 1));
  check(cudaDeviceCanAccessPeer(&can[1], 1, 0));
  check(cudaDeviceCanAccessPeer(&can[2], 1, 1));
  std::printf("%d %d %d\n", can[0], can[1], can[2]);
  check(cudaMalloc(&memory[0], sizeof host));  // before it is enabled
  check(cudaSetDevice(1));
  name(cudaDeviceEnablePeerAccess(2, 0));
  name(cudaDeviceEnablePeerAccess(1, 0));
  name(cudaDeviceEnablePeerAccess(0, 1));
  name(cudaDeviceDisablePeerAccess(0));
  name(cudaDeviceEnablePeerAccess(0, 0));
  name(cudaDeviceEnablePeerAccess(0, 0));
  int value = 7;
  check(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  std::printf("%d\n", value);
  cudaGetLastError();
  check(cudaSetDevice(0));
  int* later;
  check(cudaMalloc(&later, sizeof host));  // after it
  for (int i = 0; i < 32; ++i) host[i] = i;
  check(cudaMemcpy(memory[0], host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaSetDevice(1));
  check(cudaMalloc(&memory[1], sizeof host));
  scale<<<1, 32>>>(memory[0], memory[1]);
  scale<<<1, 32>>>(memory[1], later);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(host, later, sizeof host, cudaMemcpyDefault));
  for (int i = 0; i < 32; ++i)
    if (host[i] != 4 * i) std::printf("%d: %d\n", i, host[i]);
  cudaPointerAttributes of;
  check(cudaPointerGetAttributes(&of, later));
  std::printf("device %d\n", of.device);
  check(cudaFree(later));  // it is device 0's
  check(cudaDeviceDisablePeerAccess(0));
  scale<<<1, 32>>>(memory[0], memory[1]);
  name(cudaDeviceSynchronize());
  check(cudaSetDevice(0));
  check(cudaDeviceSynchronize());  // the fault is device 1's
)");
  CHECK(run.output ==
        "1 1 0\n"
        "cudaErrorInvalidDevice cudaErrorInvalidDevice cudaErrorInvalidValue cudaErrorPeerAccessNotEnabled "
        "cudaSuccess cudaErrorPeerAccessAlreadyEnabled 1\n"
        "device 0\n"
        "cudaErrorIllegalAddress ");
  CHECK_THAT(run.errors, Catch::Contains("heddle: GPU 1: 2 timed launches could reach memory of other GPUs"));
}

TEST_CASE("Memory of a pool is for the GPUs that cudaMemPoolSetAccess names") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two(kScale, R"(
  int *from, *to, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  check(cudaMallocAsync(&from, sizeof host, 0));
  check(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaSetDevice(1));
  check(cudaMallocManaged(&to, sizeof host));
  cudaMemLocation place = {cudaMemLocationTypeDevice, 1};
  cudaMemAccessFlags flags;
  check(cudaMemPoolGetAccess(&flags, pool, &place));
  std::printf("%d ", flags);
  cudaMemAccessDesc asked = {place, cudaMemAccessFlagsProtReadWrite};
  check(cudaMemPoolSetAccess(pool, &asked, 1));
  check(cudaMemPoolGetAccess(&flags, pool, &place));
  std::printf("%d ", flags);
  scale<<<1, 32>>>(from, to);
  check(cudaFreeAsync(from, 0));
  check(cudaDeviceSynchronize());
  std::printf("%d ", to[31]);
  check(cudaDeviceEnablePeerAccess(0, 0));
  check(cudaSetDevice(0));
  check(cudaMallocAsync(&from, sizeof host, 0));
  check(cudaSetDevice(1));
  asked.flags = cudaMemAccessFlagsProtNone;
  check(cudaMemPoolSetAccess(pool, &asked, 1));
  scale<<<1, 32>>>(from, to);  // that of cudaDeviceEnablePeerAccess is for cudaMalloc
  name(cudaDeviceSynchronize());
)");
  CHECK(run.output == "0 3 62 cudaErrorIllegalAddress ");
}

TEST_CASE("Host and managed memory is for the kernels of all GPUs") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two(kScale, R"(
  int *pinned, *managed;
  static int own[32];
  check(cudaMallocHost(&pinned, sizeof own));
  check(cudaMallocManaged(&managed, sizeof own));
  check(cudaHostRegister(own, sizeof own, cudaHostRegisterPortable));
  for (int i = 0; i < 32; ++i) own[i] = i;
  check(cudaSetDevice(1));
  scale<<<1, 32>>>(own, pinned);
  scale<<<1, 32>>>(pinned, managed);
  check(cudaDeviceSynchronize());
  std::printf("%d\n", managed[31]);
  check(cudaFree(managed));
  check(cudaFreeHost(pinned));
  check(cudaHostUnregister(own));
)");
  CHECK(run.output == "124\n");
  CHECK(run.errors == "");
}

TEST_CASE("GPUs share managed variables, and each has its own of others") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two(R"(
__managed__ int sum = 1;
__device__ int own = 5;
__global__ void add() { sum += own; }
)",
                                         R"(
  const int seven = 7;
  sum = 2;
  add<<<1, 1>>>();
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(1));
  check(cudaMemcpyToSymbol(own, &seven, sizeof own));
  add<<<1, 1>>>();
  check(cudaDeviceSynchronize());
  std::printf("%d\n", sum);
)");
  CHECK(run.output == "14\n");
}

// GPU 0, copies to the device:  AAAAA
// GPU 1 copies from GPU 0:           BB
// microsecond                   0    5  7
TEST_CASE("GPUs share one time: copies between them take the link's, and waiting for one delays the other") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two("", R"(
  char *host, *memory[2];
  cudaStream_t streams[2];
  cudaEvent_t events[2], copied;
  check(cudaMallocHost(&host, 64000));
  for (int i = 0; i < 2; ++i) {
    check(cudaSetDevice(i));
    check(cudaMalloc(&memory[i], 64000));
    check(cudaStreamCreate(&streams[i]));
  }
  check(cudaEventCreate(&events[0]));
  check(cudaEventCreate(&events[1]));
  check(cudaEventRecord(events[0], streams[1]));
  check(cudaSetDevice(0));
  check(cudaEventCreate(&copied));
  for (int i = 0; i < 64000; ++i) host[i] = i % 100;
  check(cudaMemcpyAsync(memory[0], host, 64000, cudaMemcpyHostToDevice, streams[0]));
  check(cudaEventRecord(copied, streams[0]));
  check(cudaStreamWaitEvent(streams[1], copied, 0));
  check(cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, 16000, streams[1]));
  check(cudaEventRecord(events[1], streams[1]));
  check(cudaEventSynchronize(events[1]));
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, events[0], events[1]));
  std::printf("%.0f ", milliseconds * 1e6f);
  check(cudaMemcpy(host, memory[1] + 15999, 1, cudaMemcpyDefault));
  std::printf("%d ", host[0]);
  // What the host gives to GPU 0 now begins after what it waited for on GPU 1: 7 us and a byte's 1.
  check(cudaEventRecord(events[1], streams[1]));
  cudaEvent_t late;
  check(cudaEventCreate(&late));
  check(cudaMemcpyAsync(memory[0], host, 16000, cudaMemcpyHostToDevice, streams[0]));
  check(cudaEventRecord(late, streams[0]));
  check(cudaEventSynchronize(late));
  check(cudaEventElapsedTime(&milliseconds, copied, late));
  std::printf("%.0f ", milliseconds * 1e6f);
  std::printf("%s ", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, events[0], late)));
  std::printf("%s\n", cudaGetErrorName(cudaMemcpyPeer(memory[1], 0, memory[0], 0, 16)));
)");
  CHECK(run.output == "7000 99 5000 cudaErrorInvalidResourceHandle cudaErrorInvalidValue\n");
  CHECK_THAT(run.errors, !Catch::Contains("could reach"));
}

TEST_CASE("Contexts of the driver API are peers, too") {
  if (!has_clang()) return;
  const FinishedProgram run = run_on_two("#include <cuda.h>\n", R"(
  CUcontext contexts[2];
  CUdeviceptr memory[2];
  cuInit(0);
  for (int i = 0; i < 2; ++i) {
    cuCtxCreate(&contexts[i], 0, i);
    cuMemAlloc(&memory[i], 64);
    cuMemsetD8(memory[i], (unsigned char)i, 64);
  }
  std::printf("%d ", cuCtxEnablePeerAccess(contexts[0], 0));
  std::printf("%d ", cuCtxEnablePeerAccess(contexts[0], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  std::printf("%d ", cuCtxDisablePeerAccess(contexts[0]));
  std::printf("%d ", cuMemcpyPeer(memory[0], contexts[0], memory[1], contexts[1], 64));
  unsigned char host[64];
  std::printf("%d ", cuMemcpyDtoH(host, memory[0], 64));
  int value = 0;
  std::printf("%d ", cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  std::printf("%d %d\n", host[63], value);
)");
  CHECK(run.output == "0 1 0 0 0 0 1 1\n");
}

}  // namespace heddle::cuda
