// Traces captured on real GPUs by others, where they are at hand: counts equal those of a script that knows
// nothing of Heddle.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "sim/trace/read/trace_reader.h"
#include "tests/support/catch.h"

namespace heddle::trace {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> real_traces() {
  std::vector<std::string> paths;
  std::error_code absent;
  const char* const elsewhere = std::getenv("HEDDLE_REAL_TRACES");
  const fs::path folder =
      elsewhere != nullptr ? fs::path(elsewhere) : fs::path(HEDDLE_SOURCE_DIR) / "../shared/real-traces";
  for (fs::recursive_directory_iterator entry(folder, absent), end; !absent && entry != end; ++entry) {
    if (entry->path().string().find(".traceg") != std::string::npos) paths.push_back(entry->path());
  }
  return paths;
}

/// What a command prints; empty if it fails.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::array<char, 4096> piece{};
  while (const std::size_t got = fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), got);
  return pclose(pipe) == 0 ? text : std::string();
}

/// As count_trace.py prints it.
std::string count(const std::string& path) {
  const auto reader = open_trace(path);
  std::uint64_t blocks = 0, warps = 0, lines = 0, active = 0, memory = 0, total = 0;
  for (;;) {
    const TraceReader::Event event = reader->next();
    if (event == TraceReader::Event::End) break;
    blocks += event == TraceReader::Event::Block ? 1 : 0;
    warps += event == TraceReader::Event::Warp ? 1 : 0;
    if (event != TraceReader::Event::Line) continue;
    const TraceLine& line = reader->line();
    ++lines;
    active += static_cast<unsigned>(std::popcount(line.mask));
    if (line.width == 0) continue;
    ++memory;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((line.mask >> lane & 1) != 0) total += (lane + 1) * line.addresses[lane];
    }
  }
  return fmt::format("{} {} {} {} {} {}\n", blocks, warps, lines, active, memory, total);
}

}  // namespace

TEST_CASE("Counts of real traces equal an independent script's") {
  for (const std::string& path : real_traces()) {
    INFO(path);
    const std::string expected =
        output_of(fmt::format("python3 '{}/tests/sim/trace/count_trace.py' '{}'", HEDDLE_SOURCE_DIR, path));
    if (expected.empty()) continue;  // no Python here
    CHECK(count(path) == expected);
  }
}

}  // namespace heddle::trace
