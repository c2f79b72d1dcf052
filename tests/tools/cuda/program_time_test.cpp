// The simulated time of programs: copies over the host link, streams side by side, heddle exec's table. The
// GPU is `tiny`, whose clock ticks once a nanosecond and whose link has 16 bytes a nanosecond and 1 us of
// latency.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "isa/base/read_file.h"
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kSpin = R"(
__global__ void spin(int* p, int rounds) {
  int x = p[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * 3 + 1;
  p[threadIdx.x] = x;
}
__global__ void other(int* p) { p[threadIdx.x] += 1; }
)";

}  // namespace

// to device  AAAAABB
// to host         AAABB
// microsecond 0         10
TEST_CASE("Copies of two streams share an engine for each direction, as drawn by hand") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of("", R"(
  char *host, *device;
  check(cudaMallocHost(&host, 1 << 20));
  check(cudaMalloc(&device, 1 << 20));
  cudaStream_t a, b;
  check(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  cudaEvent_t start, events[4];
  check(cudaEventCreate(&start));
  for (auto& event : events) check(cudaEventCreate(&event));
  check(cudaEventRecord(start, a));
  check(cudaMemcpyAsync(device, host, 64000, cudaMemcpyHostToDevice, a));
  check(cudaEventRecord(events[0], a));
  check(cudaMemcpyAsync(host, device, 32000, cudaMemcpyDeviceToHost, a));
  check(cudaEventRecord(events[1], a));
  check(cudaMemcpyAsync(device + 64000, host + 64000, 16000, cudaMemcpyHostToDevice, b));
  check(cudaEventRecord(events[2], b));
  check(cudaMemcpyAsync(host + 64000, device + 64000, 16000, cudaMemcpyDeviceToHost, b));
  check(cudaEventRecord(events[3], b));
  check(cudaEventQuery(events[3]) == cudaErrorNotReady ? cudaSuccess : cudaErrorUnknown);
  check(cudaDeviceSynchronize());
  for (auto& event : events) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, event));
    std::printf("%.0f ", milliseconds * 1e6f);
  }
)"))
                                  .run();
  CHECK(run.output == "5000 8000 7000 10000 ");
}

TEST_CASE("Kernels of two streams overlap, and the default stream waits for both") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(kSpin, R"(
  int* p;
  check(cudaMalloc(&p, 4096));
  cudaStream_t streams[2];
  for (auto& stream : streams) check(cudaStreamCreate(&stream));
  cudaEvent_t events[3];
  for (auto& event : events) check(cudaEventCreate(&event));
  check(cudaMemset(p, 0, 4096));
  check(cudaEventRecord(events[0]));
  spin<<<1, 32>>>(p, 2000);
  check(cudaEventRecord(events[1]));
  for (int i = 0; i < 2; ++i) spin<<<1, 32, 0, streams[i]>>>(p + 32 * i, 2000);
  check(cudaEventRecord(events[2]));
  check(cudaDeviceSynchronize());
  float one = 0, two = 0;
  check(cudaEventElapsedTime(&one, events[0], events[1]));
  check(cudaEventElapsedTime(&two, events[1], events[2]));
  std::printf("%d %d\n", two >= 0.99f * one, two < 1.5f * one);
)"))
                                  .run();
  CHECK(run.output == "1 1\n");
}

TEST_CASE(
    "heddle exec prints a table of kernels and copies, and writes reports of the launches that are timed") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(kSpin, R"(
  int *p, host[64] = {};
  check(cudaMalloc(&p, sizeof host));
  check(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  spin<<<1, 64>>>(p, 10);
  other<<<1, 64>>>(p);
  spin<<<1, 64>>>(p, 10);
  check(cudaDeviceSynchronize());
  return 7;
)"));
  const std::string reports = program.folder.path("reports");
  const FinishedProgram all = program.exec({"--report", reports, "--timed", "spin"});
  CHECK(all.exit_code == 7);
  CHECK_THAT(all.errors, Catch::Contains("tiny GPU for tests (tiny)"));
  CHECK_THAT(all.errors, Catch::Contains("memcpy HtoD"));
  CHECK_THAT(all.errors, Catch::Contains("not timed"));
  CHECK(std::filesystem::exists(reports + "/0001-spin.json"));
  CHECK_FALSE(std::filesystem::exists(reports + "/0002-other.json"));
  CHECK(std::filesystem::exists(reports + "/0003-spin.txt"));
  const FinishedProgram none = program.exec({"--timed", "none", "--summary", program.folder.path("table")});
  CHECK(none.errors == "");
  // 256 bytes over the link and nothing else: 1016 ns.
  CHECK_THAT(read_file(program.folder.path("table")), Catch::Contains("1.02 us of simulated time"));
  CHECK(program.exec({"--timed", "7-3"}).exit_code == 1);
}

TEST_CASE("A program's recorded launches replay in its cycles, after the copies that were between them") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(kSpin, R"(
  static int host[2048];
  int* p;
  check(cudaMalloc(&p, sizeof host));
  check(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  spin<<<8, 64>>>(p, 10);
  other<<<4, 64>>>(p);
  check(cudaMemcpy(p, host, 4096, cudaMemcpyHostToDevice));
  spin<<<8, 64>>>(p, 20);
  check(cudaDeviceSynchronize());
)"));
  const std::string traces = program.folder.path("traces");
  const std::string reports = program.folder.path("reports");
  const FinishedProgram recorded = program.exec({"--record", traces, "--report", reports});
  INFO(recorded.errors);
  REQUIRE(recorded.exit_code == 0);
  const std::string list = read_file(traces + "/kernelslist.g");
  CHECK_THAT(list, Catch::StartsWith("MemcpyHtoD,0x") &&
                       Catch::Contains(",8192\nkernel-1.traceg.zst\nkernel-2.traceg.zst\nMemcpyHtoD,0x") &&
                       Catch::EndsWith(",4096\nkernel-3.traceg.zst\n"));
  const auto replay = [&](const std::string& format, const std::string& threads) {
    return run_program({HEDDLE_COMMAND, "run", traces + "/kernelslist.g", "--gpu", "tiny", "--format", format, "--threads", threads});
  };
  const FinishedProgram replayed = replay("json", "1");
  INFO(replayed.errors);
  REQUIRE(replayed.exit_code == 0);
  // To the byte, but for the line that tells with which command.
  const std::string text = replay("text", "1").output;
  CHECK(text.size() > 1000);
  const auto without_command = [](const std::string& report) { return report.substr(0, report.rfind("Made by heddle")); };
  for (const char* threads : {"1", "2", "3"}) CHECK(without_command(replay("text", threads).output) == without_command(text));
  CHECK(replay("json", "1").output == replayed.output);
  // Recorded again, on other numbers of threads, it is the same recording.
  for (const char* threads : {"1", "2"}) {
    const std::string again = program.folder.path(std::string("again") + threads);
    CHECK(program.exec({"--record", again, "--threads", threads}).exit_code == 0);
    for (const auto& entry : std::filesystem::directory_iterator(traces))
      CHECK(read_file(entry.path().string()) == read_file(again + "/" + entry.path().filename().string()));
  }
  const auto kernels = nlohmann::json::parse(replayed.output)["kernels"];
  REQUIRE(kernels.size() == 3);
  const char* names[] = {"0001-spin", "0002-other", "0003-spin"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto launch = nlohmann::json::parse(read_file(fmt::format("{}/{}.json", reports, names[i])));
    INFO(names[i]);
    CHECK(kernels[i]["cycles"] == launch["cycles"]);
    CHECK(kernels[i]["warp_instructions"] == launch["warp_instructions"]);
  }
}

TEST_CASE("Launches that are not timed are not recorded, and without any there is no list") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(kSpin, R"(
  int* p;
  check(cudaMalloc(&p, 4096));
  spin<<<1, 64>>>(p, 10);
  other<<<1, 64>>>(p);
)"));
  const std::string some = program.folder.path("some");
  CHECK(program.exec({"--record", some, "--timed", "other"}).exit_code == 0);
  CHECK(read_file(some + "/kernelslist.g") == "kernel-1.traceg.zst\n");
  const std::string none = program.folder.path("none");
  CHECK(program.exec({"--record", none, "--timed", "none"}).exit_code == 0);
  CHECK(std::filesystem::is_empty(none));
  const std::string refusal = program.exec({"--record", none, "--gpus", "2"}).errors;
  CHECK_THAT(refusal, Catch::Contains("GPU is recorded, and HEDDLE_GPUS says 2"));
}

}  // namespace heddle::cuda
