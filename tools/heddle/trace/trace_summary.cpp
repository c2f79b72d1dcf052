#include "tools/heddle/trace/trace_summary.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>

#include "sim/trace/format/marks.h"
#include "sim/trace/read/trace_reader.h"

namespace heddle::command {

namespace {

struct Count {
  std::uint64_t warps = 0;
  std::uint64_t threads = 0;
};

void count_line(const trace::TraceLine& line, TraceSummary& summary, std::vector<Count>& counts) {
  const std::uint32_t index = line.instruction->index;
  if (index >= counts.size()) counts.resize(index + 1);
  ++counts[index].warps;
  counts[index].threads += static_cast<std::uint64_t>(std::popcount(line.mask));
  if (line.width == 0 && !line.has_bulk) return;
  ++summary.memory_instructions;
  ++summary.address_formats[static_cast<std::size_t>(line.format)];
}

/// Adds the counts of the instructions up by opcode.
void add_up(const trace::TraceReader& reader, const std::vector<Count>& counts, TraceSummary& summary) {
  std::map<std::string, Count> opcodes;
  for (std::uint32_t index = 0; index < counts.size(); ++index) {
    const std::string& opcode = reader.instruction(index).opcode;
    if (const trace::Mark mark = trace::mark_of(opcode); mark != trace::Mark::None) {
      summary.spin_loops += mark == trace::Mark::RegionBegin ? counts[index].warps : 0;
      continue;
    }
    Count& count = opcodes[opcode];
    count.warps += counts[index].warps;
    count.threads += counts[index].threads;
  }
  for (const auto& [opcode, count] : opcodes) {
    summary.warp_instructions += count.warps;
    summary.thread_instructions += count.threads;
    summary.opcodes.push_back({opcode, count.warps, count.threads});
  }
  std::stable_sort(summary.opcodes.begin(), summary.opcodes.end(), [](const auto& left, const auto& right) {
    return left.warp_instructions > right.warp_instructions;
  });
}

}  // namespace

std::string_view address_format_name(std::size_t format) {
  constexpr std::array<std::string_view, kAddressFormats> kNames = {
      "list", "base and stride", "base and deltas", "tile list", "tile deltas"};
  return kNames.at(format);
}

TraceSummary summarize_trace(const std::string& path) {
  TraceSummary summary;
  summary.path = path;
  const auto reader = trace::open_trace(path);
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  summary.file_bytes = unknown ? 0 : bytes;
  summary.header = reader->header();
  std::vector<Count> counts;  // by instruction
  using Event = trace::TraceReader::Event;
  for (Event event = reader->next(); event != Event::End; event = reader->next()) {
    summary.blocks += event == Event::Block ? 1 : 0;
    summary.warps += event == Event::Warp ? 1 : 0;
    if (event == Event::Line) count_line(reader->line(), summary, counts);
  }
  add_up(*reader, counts, summary);
  return summary;
}

}  // namespace heddle::command
