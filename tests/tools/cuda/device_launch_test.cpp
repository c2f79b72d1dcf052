// Kernels that launch kernels, and the syntax of launches that nvcc takes and clang does not.
#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/launch_syntax.h"

namespace heddle::cuda {

namespace {

/// Each thread of each parent launches `leaf`, whose threads add what the parameters come to.
const std::string kFamily = program_of(R"(
struct Args { char c; double d; short s[3]; };
template <int N> __global__ void leaf(int* p, char a, Args b, long long c) {
  extern __shared__ int place[];
  place[0] = threadIdx.x;
  atomicAdd(p + (threadIdx.x & 1), N + a + (int)b.d + b.c + b.s[2] + (int)c);
}
__global__ void after(int* p, int sum) { p[2] = *(volatile int*)p == sum; }
__global__ void parent(int* p, int depth, int sum) {
  Args b{1, 2.0, {3, 4, 5}};
  leaf<7><<<2, 32, 16>>>(p, (char)(threadIdx.x + 1), b, 20);
  if (depth == 0) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    parent<<<dim3(1), 2, 0, stream>>>(p, 1, 0);
    cudaStreamDestroy(stream);
    leaf<1><<<1, 1, 4, cudaStreamFireAndForget>>>(p, 0, b, 0);
    if (threadIdx.x == 0) after<<<1, 1, 0, cudaStreamTailLaunch>>>(p, sum);
  }
  if (cudaGetLastError() != cudaSuccess) printf("error\n");
}
)",
                                       R"(
  int leaf_of_0 = 7 + 1 + 2 + 1 + 5 + 20, leaf_of_1 = leaf_of_0 + 1, alone = 1 + 2 + 1 + 5;
  // One parent of the host and two of its own threads, each with two threads that launch 64 threads, of which
  // half add to each place.
  int odd = 3 * 32 * (leaf_of_0 + leaf_of_1), even = odd + 2 * alone;
  int* p;
  check(cudaMallocManaged(&p, 12));
  p[0] = p[1] = p[2] = 0;
  parent << <1, 2>> >(p, 0, even);
  check(cudaDeviceSynchronize());
  std::printf("%d %d %d\n", p[0] == even, p[1] == odd, p[2]);
)");

}  // namespace

TEST_CASE("Launches by kernels become calls, in functions of the device alone, and lines stay") {
  CHECK(with_launches_for_clang(
            "__attribute__((global)) void k(int* p) {\n  n::c<3,\n f(1)> <<<1, 2>>>(p);\n}\n") ==
        "__attribute__((global)) void k(int* p) {\n  __heddle_device_launch<decltype(&n::c<3,  f(1)> ), "
        "&n::c<3,\n f(1)> >(1, 2)(p);\n}\n");
  CHECK(with_launches_for_clang(
            "__attribute__((device)) int x = 1; void host() { k<< <1, f(a << b)>> >(x); }") ==
        "__attribute__((device)) int x = 1; void host() { k<<<1, f(a << b)>>>(x); }");
  CHECK_FALSE(with_launches_for_clang("void host() { k<<<1, 2>>>(x); }"));
  CHECK_FALSE(with_launches_for_clang("const char* text = \"k<< <1, 2>> >(x)\"; int y = a << b; c<d<e>> f;"));
  CHECK_FALSE(with_launches_for_clang(
      "__attribute__((host)) __attribute__((device)) void both() { k<<<1, 2>>>(); }"));
}

TEST_CASE("Kernels launch kernels: parameters, streams, nesting, and what comes after them") {
  if (!has_clang()) return;
  const CudaProgram program(kFamily);
  for (const char* timed : {"all", "none"}) {
    INFO(timed);
    const FinishedProgram run = program.exec({"--timed", timed});
    INFO(run.errors);
    CHECK(run.exit_code == 0);
    CHECK(run.output == "1 1 1\n");
    CHECK_THAT(run.errors, Catch::Contains("leaf<7>      6") && Catch::Contains("parent       3"));
  }
  CHECK(program.exec({}).errors == program.exec({"--threads", "2"}).errors);
}

TEST_CASE("A kernel that launches kernels is refused where nobody would do it") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  folder.write("k.cu", "__global__ void child() {}\n__global__ void k() { child<<<1, 1>>>(); }\n");
  const std::string launch = folder.write("k.yaml", "kernel: k.cu\nentry: k\ngrid: 1\nblock: 1\n");
  const FinishedProgram run = run_program({HEDDLE_COMMAND, "run", launch, "--gpu", "tiny"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, Catch::Contains("kernel k launches kernels; a launch file has one"));
}

TEST_CASE("Kernels that launch kernels without an end are a fault") {
  if (!has_clang()) return;
  const CudaProgram program(program_of("__global__ void k() { k<<<1, 1>>>(); }\n", R"(
  k<<<1, 1>>>();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
)"));
  const FinishedProgram run = program.run();
  CHECK(run.output == "cudaErrorLaunchFailure\n");
  CHECK_THAT(run.errors, Catch::Contains("kernels launch kernels 24 deep at most"));
}

TEST_CASE("A kernel's launch that no GPU can do is a fault that says why") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(R"(
__global__ void child() {}
__global__ void k() { child<<<1, 2000>>>(); }
)",
                                       R"(
  k<<<1, 1>>>();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
)"));
  const FinishedProgram run = program.run();
  CHECK(run.output == "cudaErrorLaunchFailure\n");
  CHECK_THAT(run.errors, Catch::Contains("a kernel's launch of a kernel: ") && Catch::Contains("2000"));
}

TEST_CASE("Kernels that run beside each other have figures, each slot charged to one of them") {
  if (!has_clang()) return;
  const CudaProgram program(program_of("__global__ void leaf(int* p) { atomicAdd(p, 1); }\n", R"(
  int* p;
  check(cudaMallocManaged(&p, 4));
  *p = 0;
  cudaStream_t streams[8];
  for (auto& stream : streams) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 24; ++i) leaf<<<2, 32, 0, streams[i % 8]>>>(p);
  check(cudaDeviceSynchronize());
  std::printf("%d\n", *p);
)"));
  const test::ScratchFolder folder;
  const FinishedProgram run = program.exec({"--report", folder.path("reports")});
  INFO(run.errors);
  CHECK(run.output == "1536\n");
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.errors, Catch::Contains("leaf       24"));
}

}  // namespace heddle::cuda
