#include "sim/device/extrapolated.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/ledger/visit_counters.h"

namespace heddle::sim {

namespace {

/// May be negative. Counters are far below 2^63.
std::int64_t extrapolate(std::uint64_t first, std::uint64_t second, std::uint64_t stretches) {
  return static_cast<std::int64_t>(second + stretches * (second - first));
}

std::uint64_t at_least_0(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

/// The parts of the ledgers have groups of their own; the plain counters of an SM and of memory are no parts.
bool is_ledger(std::string_view group) { return group != "sm" && group != "memory" && group != "pipe_busy"; }

/// Makes negative parts of a ledger 0 with the same sum, as far as its greatest part allows.
void repair(std::vector<std::int64_t>& parts) {
  std::int64_t missing = 0;
  for (std::int64_t& part : parts)
    missing += std::min<std::int64_t>(std::exchange(part, std::max<std::int64_t>(part, 0)), 0);
  if (!parts.empty()) *std::max_element(parts.begin(), parts.end()) += missing;
}

/// All counters, as visit_counters() goes through them.
std::vector<std::uint64_t> values_of(const SmCounters& counters) {
  std::vector<std::uint64_t> values;
  visit_counters(counters,
                 [&](std::string_view, std::string_view, std::uint64_t value) { values.push_back(value); });
  return values;
}

std::vector<std::string_view> groups_of(const SmCounters& counters) {
  std::vector<std::string_view> groups;
  visit_counters(counters,
                 [&](std::string_view group, std::string_view, std::uint64_t) { groups.push_back(group); });
  return groups;
}

void repair_ledgers(const std::vector<std::string_view>& groups, std::vector<std::int64_t>& values) {
  for (std::size_t begin = 0; begin < groups.size();) {
    std::size_t end = begin;
    while (end < groups.size() && groups[end] == groups[begin]) ++end;
    std::vector<std::int64_t> parts(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                    values.begin() + static_cast<std::ptrdiff_t>(end));
    if (is_ledger(groups[begin])) repair(parts);
    std::copy(parts.begin(), parts.end(), values.begin() + static_cast<std::ptrdiff_t>(begin));
    begin = end;
  }
}

SmCounters extrapolate(const SmCounters& first, const SmCounters& second, std::uint64_t stretches) {
  const std::vector<std::uint64_t> before = values_of(first);
  std::vector<std::int64_t> values;
  for (const std::uint64_t value : values_of(second))
    values.push_back(extrapolate(before[values.size()], value, stretches));
  repair_ledgers(groups_of(second), values);
  SmCounters result = second;
  std::size_t place = 0;
  visit_counters(result, [&](std::string_view, std::string_view, std::uint64_t& value) {
    value = at_least_0(values[place++]);
  });
  return result;
}

}  // namespace

RunResult extrapolated(const RunResult& first, const RunResult& second, std::uint64_t stretches) {
  RunResult result = second;
  result.by_pc.clear();
  result.cycles = at_least_0(extrapolate(first.cycles, second.cycles, stretches));
  result.blocks_end =
      std::min(result.cycles, at_least_0(extrapolate(first.blocks_end, second.blocks_end, stretches)));
  result.total = extrapolate(first.total, second.total, stretches);
  return result;
}

}  // namespace heddle::sim
