// Programs that fail, fork, or end while kernels run: codes as CUDA's, and no hang.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "isa/base/read_file.h"
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kKernels = R"(
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
__global__ void spin(int* p, int n) {
  int x = p[threadIdx.x];
  for (int i = 0; i < n; ++i) x = x * 3 + 1;
  p[threadIdx.x] = x;
}
__global__ void add(int* p) { atomicAdd(p, 1); }
__global__ void illegal() { *(int*)16 = 1; }
__global__ void misaligned(char* p) { *(int*)(p + 1) = 1; }
__global__ void failing(int n) { assert(n < 0); }
__global__ void trapping() { __trap(); }
static int* p;
static const char* name(cudaError_t code) { return cudaGetErrorName(code); }
static void launch_much() { for (int i = 0; i < 20; ++i) spin<<<16, 256>>>(p, 500); }
static void run_for_ever() { for (;;) { spin<<<16, 256>>>(p, 500); cudaDeviceSynchronize(); } }
static void signal_soon(int which) { std::thread([which] { usleep(300000); kill(getpid(), which); }).detach(); }
struct AtEnd { ~AtEnd() { std::printf("%s ", name(cudaDeviceSynchronize())); } };
)";

/// A program whose main() allocates `p` and does `body`, with its first argument as `mode`.
std::string text_of(const std::string& body) {
  return std::string("#include <cstdio>\n") + kKernels +
         "int main(int, char** arguments) {\n  const std::string mode = arguments[1];\n"
         "  cudaMalloc(&p, 4096);\n  cudaMemset(p, 0, 4096);\n" +
         body + "  return 0;\n}\n";
}

/// With an end, lest a test hangs.
FinishedProgram run_mode(const CudaProgram& program, const std::string& mode,
                         const std::vector<std::string>& options = {}) {
  std::vector<std::string> command = {"timeout",      "-s",   "KILL",  "100",
                                      HEDDLE_COMMAND, "exec", "--gpu", "tiny"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", program.path(), mode});
  return run_program(command);
}

}  // namespace

TEST_CASE("More memory than the GPU has is refused, by each function, and the program goes on") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of("__global__ void set(int* p) { *p = 7; }\n", R"(
  size_t left, all, pitch;
  void *half, *other;
  check(cudaMemGetInfo(&left, &all));
  check(cudaMalloc(&half, all / 2 + 1));
  const auto say = [](cudaError_t code) { std::printf("%d", code == cudaErrorMemoryAllocation); };
  say(cudaMalloc(&other, all / 2 + 1));
  say(cudaMalloc(&other, ~size_t(0)));
  say(cudaMallocManaged(&other, all));
  say(cudaMallocHost(&other, size_t(1) << 50));
  say(cudaMallocPitch(&other, &pitch, size_t(1) << 40, size_t(1) << 40));  // 2^80 are 0 in a size_t.
  say(cudaMallocPitch(&other, &pitch, ~size_t(0), 1));
  cudaPitchedPtr cube;
  say(cudaMalloc3D(&cube, make_cudaExtent(1 << 22, 1 << 22, 1 << 22)));
  say(cudaGetLastError());
  std::printf(" %s", cudaGetErrorName(cudaGetLastError()));
  check(cudaFree(half));
  check(cudaMalloc(&other, all / 2 + 1));
  int value;
  set<<<1, 1>>>((int*)other);
  check(cudaMemcpy(&value, other, 4, cudaMemcpyDeviceToHost));
  std::printf(" %d\n", value);
)"))
                                  .run();
  CHECK(run.output == "11111111 cudaSuccess 7\n");
  CHECK(run.exit_code == 0);
}

TEST_CASE("A kernel's fault has its code, which stays until the device is reset, and the process lives on",
          "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(text_of(R"(
  if (mode == "illegal") illegal<<<1, 1>>>();
  if (mode == "misaligned") misaligned<<<1, 1>>>((char*)p);
  if (mode == "assert") failing<<<1, 1>>>(3);
  if (mode == "trap") trapping<<<1, 1>>>();
  std::printf("%s", name(cudaDeviceSynchronize()));
  void* q;
  const cudaError_t first = cudaGetLastError();
  spin<<<1, 1>>>(p, 1);
  bool stays = first != cudaSuccess && cudaGetLastError() == first && cudaMalloc(&q, 4) == first;
  stays &= cudaDeviceSynchronize() == first && cudaGetLastError() == first && cudaFree(p) == first;
  std::printf(" %d %s", stays, name(cudaDeviceReset()));
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  spin<<<1, 1>>>(p, 1);
  int value;
  std::printf(" %s", name(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost)));
  std::printf(" %d\n", value);
  std::exit(7);
)"));
  const auto check_mode = [&](const std::string& mode, const std::string& code, const std::string& words) {
    INFO(mode);
    for (const std::string timed : {"all", "none"}) {
      const FinishedProgram run = run_mode(program, mode, {"--timed", timed});
      CHECK(run.output == code + " 1 cudaSuccess cudaSuccess 1\n");
      CHECK(run.exit_code == 7);
      CHECK_THAT(run.errors,
                 Catch::Contains(words) && Catch::Contains("program.cu:") && !Catch::Contains("at the end"));
    }
  };
  check_mode("illegal", "cudaErrorIllegalAddress", "out-of-bounds store of 4 bytes at 0x10");
  check_mode("misaligned", "cudaErrorMisalignedAddress", "misaligned store of 4 bytes");
  check_mode("assert", "cudaErrorAssert", "Assertion `n < 0` failed");
  check_mode("trap", "cudaErrorLaunchFailure", "trap in lane 0");
}

TEST_CASE("A program that ends while kernels run, in whatever way, does not hang", "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(text_of(R"(
  if (mode == "exit") { launch_much(); std::exit(9); }
  if (mode == "quick exit") { launch_much(); std::quick_exit(9); }
  if (mode == "_exit") { launch_much(); _exit(9); }
  if (mode == "abort") { launch_much(); std::abort(); }
  if (mode == "throw") { launch_much(); throw std::runtime_error("x"); }
  if (mode == "catch") {
    try { launch_much(); throw std::runtime_error("x"); }
    catch (const std::exception& x) { std::printf("%s %s ", x.what(), name(cudaDeviceSynchronize())); return 9; }
  }
  if (mode == "destructor") { static AtEnd end; launch_much(); return 9; }
  if (mode == "exit of a thread") { std::thread t([] { launch_much(); std::exit(9); }); run_for_ever(); t.join(); }
  if (mode == "exit beside a thread") { std::thread(run_for_ever).detach(); usleep(200000); std::exit(9); }
  if (mode == "return beside a thread") { std::thread(run_for_ever).detach(); usleep(200000); return 9; }
  if (mode == "exit of a callback") {
    launch_much();
    cudaLaunchHostFunc(0, [](void*) { std::exit(9); }, nullptr);
    cudaDeviceSynchronize();
  }
  if (mode == "signal") { signal_soon(SIGINT); run_for_ever(); }
  if (mode == "exit for a signal") {
    signal(SIGTERM, [](int) { std::exit(9); });
    signal_soon(SIGTERM);
    run_for_ever();
  }
  if (mode == "calls for a signal") {
    signal(SIGTERM, [](int) {
      const bool is_known = cudaFree(p) == cudaErrorNotPermitted || cudaPeekAtLastError() == cudaSuccess;
      std::exit(is_known ? 9 : 8);
    });
    signal_soon(SIGTERM);
    run_for_ever();
  }
)"));
  const auto code_of = [&](const std::string& mode) {
    INFO(mode);
    const FinishedProgram run = run_mode(program, mode);
    CHECK_THAT(run.errors, !Catch::Contains("at the end"));
    return run.exit_code;
  };
  for (const char* mode :
       {"exit", "quick exit", "_exit", "catch", "destructor", "exit of a thread", "exit beside a thread",
        "return beside a thread", "exit of a callback", "exit for a signal", "calls for a signal"}) {
    INFO(mode);
    CHECK(code_of(mode) == 9);
  }
  for (const char* mode : {"abort", "throw", "signal"}) CHECK(code_of(mode) != 0);
  // What cannot be written is said, and is no success.
  const FinishedProgram lost =
      run_mode(program, "exit for a signal", {"--totals", program.folder.path("totals.json")});
  CHECK(lost.exit_code == 2);
  CHECK_THAT(lost.errors, Catch::Contains("the program ended within a call of CUDA"));
  CHECK_FALSE(std::filesystem::exists(program.folder.path("totals.json")));
}

TEST_CASE("Threads share a stream, and children of a process have no GPU", "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(text_of(R"(
  std::thread threads[8];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (auto& thread : threads) {
    thread = std::thread([stream] {
      for (int i = 0; i < 125; ++i) {
        add<<<1, 32, 0, stream>>>(p);
        if (i % 25 == 0) cudaStreamSynchronize(stream);
      }
    });
  }
  int wrong = 0;
  for (int i = 0; mode == "fork" && i < 20; ++i) {
    const int child = fork();
    if (child == 0) {
      void* q;
      _exit(cudaMalloc(&q, 4) == cudaErrorInitializationError ? 5 : 6);
    }
    int status = 0;
    waitpid(child, &status, 0);
    wrong += WEXITSTATUS(status) != 5;
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  cudaMemcpy(&sum, p, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", sum, wrong);
)"));
  for (const std::string mode : {"threads", "fork"}) {
    const FinishedProgram run = run_mode(program, mode);
    CHECK(run.output == "32000 0\n");
    CHECK(run.exit_code == 0);
  }
  // Before CUDA is used, a child is as good as its parent.
  const CudaProgram early(std::string("#include <cstdio>\n") + kKernels + R"(
int main() {
  const int child = fork();
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  add<<<1, 32>>>(p);
  int sum = 0;
  cudaMemcpy(&sum, p, 4, cudaMemcpyDeviceToHost);
  if (child == 0) _exit(sum);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%d %d\n", sum, WEXITSTATUS(status));
}
)");
  CHECK(run_mode(early, "").output == "32 32\n");
}

TEST_CASE("kill -9 at any moment leaves files whole or not at all", "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(text_of(R"(
  for (int i = 0; i < 12; ++i) { spin<<<8, 128>>>(p, 40); add<<<8, 128>>>(p); cudaDeviceSynchronize(); }
)"));
  const auto options_in = [](const std::string& folder) {
    return std::vector<std::string>{"--record",  folder + "/traces",      "--report", folder + "/reports",
                                    "--totals",  folder + "/totals.json", "--html",   folder + "/page.html",
                                    "--summary", folder + "/summary.txt"};
  };
  const auto check_file = [](const std::filesystem::path& path) {
    INFO(path.string());
    const std::string extension = path.extension().string();
    if (extension == ".json")
      CHECK_NOTHROW(nlohmann::json::parse(read_file(path.string())));
    else if (extension == ".html")
      CHECK_THAT(read_file(path.string()), Catch::EndsWith("</html>\n"));
    else if (extension == ".txt")
      CHECK_THAT(read_file(path.string()), Catch::EndsWith("\n"));
    else if (path.string().ends_with(".traceg.zst"))
      CHECK(run_program({HEDDLE_COMMAND, "run", path.string(), "--gpu", "tiny"}).exit_code == 0);
    else
      CHECK((extension == ".g" || extension == ".zst"));
  };
  const std::string whole = program.folder.path("whole");
  std::filesystem::create_directory(whole);
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(run_mode(program, "", options_in(whole)).exit_code == 0);
  const auto length = std::chrono::steady_clock::now() - begin;
  unsigned files = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string folder = program.folder.path(fmt::format("{}", i));
    std::filesystem::create_directory(folder);
    const double seconds = std::chrono::duration<double>(length).count() * (i + 1) / 20;
    std::vector<std::string> command = {"timeout",      "-s",   "KILL",  fmt::format("{}", seconds),
                                        HEDDLE_COMMAND, "exec", "--gpu", "tiny"};
    const std::vector<std::string> options = options_in(folder);
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", program.path(), ""});
    run_program(command);
    unsigned traces = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      // Each launch has a trace: some of them are enough.
      if (!entry.path().string().ends_with(".traceg.zst") || traces++ % 8 == 0) check_file(entry.path());
    }
  }
  CHECK(files > 0);
}

}  // namespace heddle::cuda
