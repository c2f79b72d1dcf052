// How fast the simulator is: warp instructions a second, on one core. Printed, not asserted.
//
//   functional   lanes executed, no time
//   timed        the same launch on the SM model
//   read_trace   a plain-text trace, line by line
//   replay       the same trace on the SM model, reading included
#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "isa/exec/functional.h"
#include "sim/config/load.h"
#include "sim/gpu/run.h"
#include "sim/trace/replay_kernel.h"
#include "tools/launch/launch_file.h"

namespace {

using namespace heddle;

struct Case {
  const char* launch;
  std::vector<std::string> params;
  std::vector<std::string> overrides;  // of the GPU
};

launch::LaunchFile load(const Case& example) {
  launch::LaunchOverrides overrides;
  overrides.params = example.params;
  return launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + example.launch + ".yaml", overrides);
}

void count(benchmark::State& state, std::uint64_t warp_instructions) {
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(warp_instructions), benchmark::Counter::kIsRate);
}

void functional(benchmark::State& state, const Case& example) {
  launch::LaunchFile file = load(example);
  exec::LiveKernel kernel(file.launch, file.memory, 32);
  std::uint64_t executed = 0;
  for (auto _ : state) executed += exec::run_functionally(kernel).warp_instructions;
  count(state, executed);
}

void timed(benchmark::State& state, const Case& example) {
  launch::LaunchFile file = load(example);
  const sim::GpuSpec gpu = sim::load_gpu("h100", example.overrides, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel(file.launch, file.memory, gpu.occupancy.warp_size,
                          exec::find_divergence(gpu.sm.divergence).value());
  std::uint64_t issued = 0;
  for (auto _ : state) issued += sim::run(kernel, gpu).total.warp_instructions;
  count(state, issued);
}

// -- traces ---------------------------------------------------------------------------------------

/// A trace in the system's folder for temporary files; gone with the program.
class TraceFile {
 public:
  /// A block of 8 warps for each SM of an H100, `instructions` lines a warp, made by `line` from their
  /// number.
  template <typename Line>
  TraceFile(const std::string& name, unsigned instructions, Line line)
      : path_(std::filesystem::temp_directory_path() / name) {
    std::string body;
    for (unsigned i = 0; i < instructions; ++i) body += line(i) + '\n';
    body += "0800 ffffffff 0 EXIT 0 0 \n";
    std::ofstream file(path_);
    file << "-kernel name = benchmark\n-kernel id = 1\n-grid dim = (" << kBlocks << ",1,1)\n-block dim = ("
         << 32 * kWarps << ",1,1)\n-shmem = 0\n-nregs = 32\n-binary version = 80\n-cuda stream id = 0\n"
         << "-accelsim tracer version = 4\n\n#traces format = immediate\n";
    for (unsigned block = 0; block < kBlocks; ++block) {
      file << "\n#BEGIN_TB\n\nthread block = " << block << ",0,0\n";
      for (unsigned warp = 0; warp < kWarps; ++warp)
        file << "\nwarp = " << warp << "\ninsts = " << instructions + 1 << '\n' << body;
      file << "\n#END_TB\n";
    }
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static constexpr unsigned kBlocks = 132;
  static constexpr unsigned kWarps = 8;
  std::filesystem::path path_;
};

std::string place_of(unsigned i) {
  constexpr char kDigits[] = "0123456789abcdef";
  return {'0', kDigits[i >> 4 & 7], kDigits[i & 15], '0'};
}

const TraceFile& ffma_trace() {
  static const TraceFile file("heddle_benchmark_ffma.traceg", 2000,
                              [](unsigned i) { return place_of(i) + " ffffffff 1 R3 FFMA 2 R3 R0 0 0 "; });
  return file;
}

/// Loads of 4 bytes a lane, side by side, each address written out.
const TraceFile& list_trace() {
  static const TraceFile file("heddle_benchmark_list.traceg", 500, [](unsigned i) {
    std::string line = place_of(i) + " ffffffff 1 R6 LDG.E 1 R4 4 0";
    char text[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::snprintf(text, sizeof text, " 0x%llx", 0x7f0000000000ULL + i % 64 * 128 + 4 * lane);
      line += text;
    }
    return line + " 0 ";
  });
  return file;
}

void read_trace(benchmark::State& state, const TraceFile& (*file)()) {
  std::uint64_t read = 0;
  for (auto _ : state) {
    const auto reader = trace::open_trace(file().path());
    for (auto event = reader->next(); event != trace::TraceReader::Event::End; event = reader->next()) {
      if (event == trace::TraceReader::Event::Line) ++read;
    }
  }
  count(state, read);
}

void replay(benchmark::State& state, const TraceFile& (*file)()) {
  const sim::GpuSpec gpu = sim::load_gpu("h100", {}, HEDDLE_SOURCE_DIR "/configs");
  std::uint64_t issued = 0;
  for (auto _ : state) {
    trace::ReplayKernel kernel(trace::open_trace(file().path()));
    issued += sim::run(kernel, gpu).total.warp_instructions;
  }
  count(state, issued);
}

// 64 resident warps on one SM.
const Case kFfma = {"ffma_ilp1", {"blocks=8", "block=256", "iterations=256"}, {"sms=1"}};
const Case kReduction = {"reduce_v1", {"n=1048576"}, {}};
const Case kVecadd = {"vecadd", {"n=4194304"}, {}};
const Case kDivergence = {"with_divergence_interleaved", {}, {}};
const Case kChase = {"pointer_chase", {}, {"sms=1"}};

BENCHMARK_CAPTURE(functional, ffma, kFfma)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, ffma_64_warps, kFfma)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(functional, reduce_v1, kReduction)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, reduce_v1, kReduction)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, vecadd, kVecadd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, divergence, kDivergence)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, pointer_chase, kChase)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_trace, ffma, ffma_trace)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, ffma, ffma_trace)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_trace, lists_of_addresses, list_trace)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, lists_of_addresses, list_trace)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
