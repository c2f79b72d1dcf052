#include <fmt/format.h>

#include <span>

#include "tools/report/access_kinds.h"
#include "tools/report/glossary.h"
#include "tools/report/run_sections.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

void add_rate(BarChart& chart, std::string label, const Ratio& value, std::string note) {
  if (value)
    chart.bars.push_back({std::move(label), 0, *value, percent(*value), std::move(note), Tone::Plain});
}

/// ", 31.0 of them for bank conflicts".
std::string excess(const sim::MemoryCounters& counters, const AccessKind& kind, std::uint64_t requests) {
  if (kind.excess == nullptr || counters.*kind.excess == 0) return {};
  return fmt::format(", {} of them {}", decimal(ratio(counters.*kind.excess, requests), 1),
                     kind.space == "shared" ? "for bank conflicts" : "in excess");
}

/// "4,096 global loads, 4.0 sectors each"; kinds without accesses are left out.
Line accesses(const sim::MemoryCounters& counters, std::span<const AccessKind> kinds, std::string_view unit) {
  Line line;
  line.is_indented = true;
  for (const AccessKind& kind : kinds) {
    const std::uint64_t requests = counters.*kind.requests;
    if (requests == 0) continue;
    const std::string each = decimal(ratio(counters.*kind.amount, requests), 1);
    line.facts.push_back(fmt::format("{}, {} {} each{}",
                                     counted(requests, fmt::format("{} {}", kind.space, kind.kind)), each,
                                     unit, excess(counters, kind, requests)));
  }
  return line;
}

/// Sectors that were already on their way: neither hits nor new requests to L2.
std::string on_their_way(const sim::MemoryCounters& counters) {
  if (counters.l1_merged_sectors == 0) return {};
  return fmt::format("; {} already on their way", grouped(counters.l1_merged_sectors));
}

/// "xu: special math and conversions"
std::string pipe_note(const std::string& pipe) {
  const std::string_view gloss = gloss_of("pipes", pipe);
  return gloss.empty() ? pipe : fmt::format("{}: {}", pipe, gloss);
}

BarChart memory_chart(const Summary& summary) {
  const sim::MemoryFigures& memory = summary.memory;
  const sim::MemoryCounters& counters = memory.counters;
  BarChart chart;
  chart.title = "Memory and pipes";
  chart.has_track = true;
  add_rate(chart, "L1 hit rate", memory.l1_hit_rate,
           fmt::format("of {} loaded{}", counted(memory.l1_load_sectors, "sector"), on_their_way(counters)));
  if (counters.l1_data_pipe_cycles != 0) {
    add_rate(chart, "L1 data pipe", memory.l1_data_pipe_utilization, "busy with L1 and shared memory");
  }
  if (memory.bank_conflict_share > 0) {
    add_rate(chart, "Bank conflicts", memory.bank_conflict_share, "of the time, for repeated passes");
  }
  add_rate(chart, "L2 hit rate", memory.l2_hit_rate,
           fmt::format("of {} loaded", counted(counters.l2_load_sectors, "sector")));
  if (memory.l2_sectors != 0) {
    add_rate(chart, "L2 bandwidth", memory.l2_utilization,
             fmt::format("of its peak; {}", counted(memory.l2_sectors, "sector")));
  }
  if (memory.l2_far_sectors != 0) {
    add_rate(chart, "L2 fabric", memory.l2_fabric_utilization,
             fmt::format("between partitions; {}", counted(memory.l2_far_sectors, "sector")));
  }
  if (counters.dram_read_bytes + counters.dram_write_bytes != 0) {
    add_rate(chart, "DRAM bandwidth", memory.dram_utilization,
             fmt::format("of {:.0f} GB/s; {} read, {} written", memory.dram_peak_gbps,
                         byte_text(counters.dram_read_bytes), byte_text(counters.dram_write_bytes)));
  }
  if (const PipeUse* pipe = sim::busiest(summary.pipes)) {
    add_rate(chart, "Busiest pipe", pipe->utilization, pipe_note(pipe->name));
  }
  return chart;
}

}  // namespace

void add_memory(Document& document, const Summary& summary) {
  document.items.emplace_back(memory_chart(summary));
  const sim::MemoryCounters& counters = summary.memory.counters;
  for (const Line& line :
       {accesses(counters, kDeviceAccesses, "sectors"), accesses(counters, kSharedAccesses, "bank passes")}) {
    if (!line.facts.empty()) document.items.emplace_back(line);
  }
}

}  // namespace heddle::report
