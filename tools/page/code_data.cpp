#include "tools/page/code_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

namespace heddle::page {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kLinesAround = 30;

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

/// A list for each level of the source: the file and the line. Empty where the line is not known.
Json places(Pc pc, const std::vector<report::LineProfile>& sources) {
  Json list = Json::array();
  for (const report::LineProfile& source : sources) {
    const sim::LinePlace place = pc < source.places.size() ? source.places[pc] : sim::LinePlace{};
    list.push_back(place.line == 0 ? Json::array() : Json::array({place.file, place.line}));
  }
  return list;
}

Json instruction(Pc pc, const PageFacts& facts) {
  using sim::LaneSlotPart;
  const sim::PcCounters counters = pc < facts.by_pc.size() ? facts.by_pc[pc] : sim::PcCounters{};
  Json object = {{"pc", pc}, {"text", shown(facts.code[pc])}};
  if (!facts.sources.empty()) object["places"] = places(pc, facts.sources);
  object["issued"] = counters.issued;
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

/// What more of the sources of a level a page can hold.
struct Room {
  std::size_t lines = kMostSourceLines;
  std::size_t bytes = kMostSourceBytes;

  /// Takes a line's place if there is room for it.
  bool take(const std::string& line) {
    constexpr std::size_t kEscaped = 6;  // as \u003c
    std::size_t size = 3;                // quotes and comma
    for (const char c : line) size += c >= ' ' && c < 0x7f && c != '<' && c != '>' && c != '&' ? 1 : kEscaped;
    if (lines == 0 || bytes < size) return false;
    --lines;
    bytes -= size;
    return true;
  }
};

/// Some lines around those that are needed, which are from `first` to `last`, and how many there are beside.
Json file_data(const report::SourceText& file, std::uint32_t first, std::uint32_t last, Room& room) {
  const std::size_t begin =
      std::min<std::size_t>(first - std::min(first, kLinesAround + 1), file.lines.size());
  const std::size_t end = std::min<std::size_t>(std::size_t{last} + kLinesAround, file.lines.size());
  Json lines = Json::array();
  for (std::size_t i = begin; i < end; ++i) {
    const std::string line = shown(file.lines[i]);
    if (!room.take(line)) break;
    lines.push_back(line);
  }
  return {{"name", file.name},
          {"first", begin + 1},
          {"lines", lines},
          {"left_out", file.lines.size() - lines.size()}};
}

Json level_data(const report::LineProfile& source) {
  struct Extent {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::vector<Extent> extents(source.files.size());
  for (const sim::LinePlace& place : source.places) {
    if (place.line == 0) continue;
    Extent& extent = extents.at(place.file);
    extent.first = extent.first == 0 ? place.line : std::min(extent.first, place.line);
    extent.last = std::max(extent.last, place.line);
  }
  Json files = Json::array();
  Room room;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].first == 0) {
      files.push_back(nullptr);
      continue;
    }
    files.push_back(file_data(source.files[i], extents[i].first, extents[i].last, room));
  }
  return {{"level", report::key_of(source.level)}, {"files", files}};
}

}  // namespace

Json code_data(const PageFacts& facts) {
  const std::vector<Pc> pcs = chosen(facts);
  Json instructions = Json::array();
  for (const Pc pc : pcs) instructions.push_back(instruction(pc, facts));
  return {{"left_out", facts.code.size() - pcs.size()}, {"instructions", instructions}};
}

Json sources_data(const std::vector<report::LineProfile>& sources) {
  Json levels = Json::array();
  for (const report::LineProfile& source : sources) levels.push_back(level_data(source));
  return levels;
}

}  // namespace heddle::page
