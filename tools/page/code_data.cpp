#include "tools/page/code_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

namespace heddle::page {

namespace {

using Json = nlohmann::ordered_json;

/// Not longer than the page shows.
std::string shown(const std::string& text) {
  return text.size() <= kMostTextBytes ? text : text.substr(0, kMostTextBytes) + "...";
}

/// By reason, the greatest parts first to be found by it; those that are zero are left out.
Json by_reason(const sim::StallCounts& counts) {
  Json object = Json::object();
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (counts[reason] != 0) object[std::string(ir::info(reason).key)] = counts[reason];
  }
  return object;
}

Json memory(const sim::MemoryCounters& counters) {
  Json object = Json::object();
#define HEDDLE_MEMORY_COUNTER(name, summary) \
  if (counters.name != 0) object[#name] = counters.name;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
  return object;
}

Json latency(const sim::PcCounters& counters) {
  static constexpr std::string_view kLevels[] = {"l1", "l2", "dram"};
  static_assert(std::size(kLevels) == sim::kMemoryLevels);
  Json object = Json::object();
  for (std::size_t i = 0; i < sim::kMemoryLevels; ++i) {
    const sim::LoadLatency& of = counters.latency[i];
    if (of.count != 0)
      object[std::string(kLevels[i])] = {{"count", of.count}, {"cycles", of.sum}, {"longest", of.longest}};
  }
  return object;
}

Json instruction(Pc pc, const CodeLine& line, const sim::PcCounters& counters) {
  using sim::LaneSlotPart;
  Json object = {{"pc", pc}, {"text", shown(line.text)}, {"line", line.line}, {"issued", counters.issued}};
  if (counters.issued == 0 && counters.stalls.sum() == 0) return object;
  object["active_lanes"] =
      counters.lane_slots[LaneSlotPart::Executed] + counters.lane_slots[LaneSlotPart::PredicatedOff];
  object["executed_lanes"] = counters.lane_slots[LaneSlotPart::Executed];
  object["lost"] = by_reason(counters.lost_slots);
  object["stalls"] = by_reason(counters.stalls);
  if (Json of_memory = memory(counters.memory); !of_memory.empty()) object["memory"] = std::move(of_memory);
  if (Json of_loads = latency(counters); !of_loads.empty()) object["latency"] = std::move(of_loads);
  return object;
}

/// The instructions that are shown, by pc.
std::vector<Pc> chosen(const PageFacts& facts) {
  std::vector<Pc> pcs(facts.code.size());
  std::iota(pcs.begin(), pcs.end(), Pc{0});
  if (pcs.size() <= kMostInstructions) return pcs;
  const auto weight = [&](Pc pc) {
    return pc < facts.by_pc.size() ? facts.by_pc[pc].lost_slots.sum() + facts.by_pc[pc].issued : 0;
  };
  std::stable_sort(pcs.begin(), pcs.end(), [&](Pc one, Pc other) { return weight(one) > weight(other); });
  pcs.resize(kMostInstructions);
  std::sort(pcs.begin(), pcs.end());
  return pcs;
}

}  // namespace

Json code_data(const PageFacts& facts) {
  const std::vector<Pc> pcs = chosen(facts);
  Json instructions = Json::array();
  for (const Pc pc : pcs) {
    const sim::PcCounters none;
    instructions.push_back(instruction(pc, facts.code[pc], pc < facts.by_pc.size() ? facts.by_pc[pc] : none));
  }
  return {{"left_out", facts.code.size() - pcs.size()}, {"instructions", instructions}};
}

Json source_data(const SourceText& source) {
  Json lines = Json::array();
  for (std::size_t i = 0; i < std::min(source.lines.size(), kMostSourceLines); ++i)
    lines.push_back(shown(source.lines[i]));
  return {{"name", source.name}, {"lines", lines}, {"left_out", source.lines.size() - lines.size()}};
}

}  // namespace heddle::page
