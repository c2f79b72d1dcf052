#include "tools/report/line_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "sim/figures/ratio.h"
#include "tools/report/access_kinds.h"
#include "tools/report/memory_level.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

Accesses accesses(std::span<const AccessKind> kinds, const sim::MemoryCounters& counters) {
  Accesses all;
  for (const AccessKind& kind : kinds) {
    all.requests += counters.*kind.requests;
    all.amount += counters.*kind.amount;
    if (kind.excess != nullptr) all.excess += counters.*kind.excess;
  }
  return all;
}

std::string per_request(std::string_view what, const Accesses& all) {
  const std::string each = decimal(sim::ratio(all.amount, all.requests), 1);
  return all.excess == 0 ? fmt::format("{} {} each", each, what)
                         : fmt::format("{} {} each, least {}", each, what,
                                       decimal(sim::ratio(all.least(), all.requests), 1));
}

std::string latency_note(const sim::PcCounters& counters) {
  const sim::LoadLatency all = counters.all_latency();
  const auto most = std::max_element(counters.latency.begin(), counters.latency.end(),
                                     [](const auto& a, const auto& b) { return a.count < b.count; });
  const auto level = static_cast<sim::MemoryLevel>(std::distance(counters.latency.begin(), most));
  return fmt::format("latency {} cycles, {} at most; {} {}", decimal(sim::ratio(all.sum, all.count), 0),
                     grouped(all.longest), level_text(level),
                     whole_percent(sim::quotient(most->count, all.count)));
}

}  // namespace

Accesses device_accesses(const sim::MemoryCounters& counters) { return accesses(kDeviceAccesses, counters); }
Accesses shared_accesses(const sim::MemoryCounters& counters) { return accesses(kSharedAccesses, counters); }

std::vector<std::string> access_notes(const sim::PcCounters& counters) {
  std::vector<std::string> notes;
  const Accesses device = device_accesses(counters.memory);
  const Accesses shared = shared_accesses(counters.memory);
  if (device.requests != 0) notes.push_back(per_request("sectors", device));
  if (shared.requests != 0) notes.push_back(per_request("passes", shared));
  if (counters.all_latency().count != 0) notes.push_back(latency_note(counters));
  return notes;
}

}  // namespace heddle::report
