// How fast traces are read, without being replayed: plain text, one core. Printed, not asserted.
//
//   FFMA      lines without addresses, a loop of 125 instructions
//   list      loads whose 32 addresses are listed
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>

#include "sim/trace/byte_stream.h"
#include "sim/trace/trace_reader.h"

namespace {

using namespace heddle;

constexpr std::uint64_t kLoop = 125;

std::string ffma_loop() {
  std::string text;
  for (std::uint64_t i = 0; i < kLoop; ++i)
    text += fmt::format("{:04x} ffffffff 1 R3 FFMA 2 R3 R0 0 0 \n", 16 * i);
  return text;
}

std::string list_loop() {
  std::mt19937_64 random(1);
  std::string text;
  for (std::uint64_t i = 0; i < kLoop; ++i) {
    text += fmt::format("{:04x} ffffffff 1 R4 LDG.E 1 R2 4 0 ", 16 * i);
    for (int lane = 0; lane < 32; ++lane) text += fmt::format("0x7f{:010x} ", random() >> 24);
    text += "0 \n";
  }
  return text;
}

/// A file of one warp that is gone afterwards.
class TraceFile {
 public:
  TraceFile(const std::string& loop, std::uint64_t rounds)
      : path_(std::filesystem::temp_directory_path() / fmt::format("heddle_benchmark_{}.traceg", getpid())) {
    const auto sink = trace::open_sink(path_, trace::Compression::None);
    sink->write(fmt::format(
        "-kernel name = loop\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
        "-binary version = 80\n-accelsim tracer version = 5\n\n#traces format = x immediate\n\n#BEGIN_TB\n\n"
        "thread block = 0,0,0\n\nwarp = 0\ninsts = {}\n",
        rounds * kLoop + 1));
    for (std::uint64_t i = 0; i < rounds; ++i) sink->write(loop);
    sink->write("ff00 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n");
    sink->finish();
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void read_trace(benchmark::State& state, const std::string& loop, std::uint64_t rounds) {
  const TraceFile file(loop, rounds);
  std::uint64_t lines = 0;
  for (auto _ : state) {
    const auto reader = trace::open_trace(file.path());
    using Event = trace::TraceReader::Event;
    for (Event event = reader->next(); event != Event::End; event = reader->next()) {
      if (event != Event::Line) continue;
      ++lines;
      benchmark::DoNotOptimize(reader->line());
    }
  }
  state.counters["lines_per_second"] =
      benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(read_trace, ffma, ffma_loop(), 16000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_trace, list_of_addresses, list_loop(), 2000)->Unit(benchmark::kMillisecond);

}  // namespace
