#include "tools/heddle/journal/counts_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "isa/ir/stall_reason.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

template <typename Part, typename Ledger, typename Visit>
void visit_ledger(std::string_view group, Ledger& ledger, const Visit& visit) {
  for (std::size_t i = 0; i < sim::Ledger<Part>::kParts; ++i) {
    const auto part = static_cast<Part>(i);
    visit(group, info(part).key, ledger[part]);
  }
}

/// Calls `visit` with the two parts of the name and the value of each counter, always in the same order.
template <typename Counters, typename Visit>
void visit_counters(Counters& counters, const Visit& visit) {
#define HEDDLE_SM_COUNTER(name, summary) visit("sm", #name, counters.name);
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
  visit_ledger<sim::WarpSlotPart>("warp_slots", counters.warp_slots, visit);
  visit("issue_slots", "issued", counters.issue_slots.issued);
  visit("issue_slots", "no_warp", counters.issue_slots.no_warp);
  visit_ledger<ir::StallReason>("issue_slots", counters.issue_slots.stalled, visit);
  visit_ledger<sim::LaneSlotPart>("lane_slots", counters.lane_slots, visit);
  visit_ledger<ir::StallReason>("stalls", counters.stalls, visit);
#define HEDDLE_MEMORY_COUNTER(name, summary) visit("memory", #name, counters.memory.name);
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
  for (auto& busy : counters.pipe_busy) visit("pipe_busy", {}, busy);
}

std::vector<std::string> names_of(const sim::SmCounters& counters) {
  std::vector<std::string> names;
  std::size_t pipes = 0;
  visit_counters(counters, [&](std::string_view group, std::string_view key, std::uint64_t) {
    names.push_back(key.empty() ? fmt::format("{}.{}", group, pipes++) : fmt::format("{}.{}", group, key));
  });
  return names;
}

// A counter that is added to the structures must be visited, too.
constexpr std::size_t kPlainCounters = 0
#define HEDDLE_SM_COUNTER(name, summary) +1
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
    ;
constexpr std::size_t kCountersOfMemory = 0
#define HEDDLE_MEMORY_COUNTER(name, summary) +1
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
    ;
constexpr std::size_t kVisited = kPlainCounters + kCountersOfMemory + sim::Ledger<sim::WarpSlotPart>::kParts +
                                 sim::Ledger<sim::LaneSlotPart>::kParts +
                                 2 * sim::Ledger<ir::StallReason>::kParts + 2;
static_assert(sizeof(sim::SmCounters) ==
              kVisited * sizeof(std::uint64_t) + sizeof(std::vector<std::uint64_t>));

Json column(const std::vector<std::uint64_t>& values) {
  const bool is_same =
      std::all_of(values.begin(), values.end(), [&](std::uint64_t value) { return value == values[0]; });
  return is_same ? Json(values[0]) : Json(values);
}

}  // namespace

Json counts_to_json(std::span<const sim::SmCounters> sms) {
  const std::vector<std::string> names = names_of(sms[0]);
  std::vector<std::vector<std::uint64_t>> values(names.size());
  for (const sim::SmCounters& sm : sms) {
    std::size_t place = 0;
    visit_counters(sm, [&](std::string_view, std::string_view, std::uint64_t value) {
      values[place++].push_back(value);
    });
  }
  Json object = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Json numbers = column(values[i]);
    if (numbers != 0) object[names[i]] = std::move(numbers);
  }
  return object;
}

std::vector<sim::SmCounters> counts_from_json(const Json& object, std::size_t sms, std::size_t pipes) {
  sim::SmCounters none;
  none.pipe_busy.resize(pipes);
  std::vector<Json> columns;
  for (const std::string& name : names_of(none)) {
    columns.push_back(object.value(name, Json(0)));
    if (columns.back().is_array() && columns.back().size() != sms)
      throw std::runtime_error(name + ": counted on another number of SMs");
  }
  std::vector<sim::SmCounters> counters(sms, none);
  for (std::size_t i = 0; i < sms; ++i) {
    auto column = columns.begin();
    visit_counters(counters[i], [&](std::string_view, std::string_view, std::uint64_t& value) {
      value = (column->is_array() ? column->at(i) : *column).get<std::uint64_t>();
      ++column;
    });
  }
  return counters;
}

}  // namespace heddle::command
