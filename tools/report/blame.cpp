#include "tools/report/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "tools/report/access_kinds.h"

namespace heddle::report {

namespace {

/// From this share of excess sectors on, the addresses of an access are to blame.
constexpr double kScattered = 0.5;

const AccessKind& greatest(std::span<const AccessKind> kinds, const sim::MemoryCounters& counters,
                           std::uint64_t sim::MemoryCounters::*AccessKind::*which) {
  const auto count = [&](const AccessKind& kind) {
    return kind.*which == nullptr ? 0 : counters.*(kind.*which);
  };
  return *std::max_element(kinds.begin(), kinds.end(),
                           [&](const AccessKind& a, const AccessKind& b) { return count(a) < count(b); });
}

double per_request(const sim::MemoryCounters& counters, const AccessKind& kind,
                   std::uint64_t sim::MemoryCounters::*amount) {
  return ratio(counters.*amount, counters.*kind.requests).value_or(0);
}

}  // namespace

std::optional<std::string> scattered_access(const sim::MemoryCounters& counters) {
  const AccessKind& most = greatest(kDeviceAccesses, counters, &AccessKind::excess);
  if (most.excess == nullptr) return std::nullopt;
  if (ratio(counters.*most.excess, counters.*most.amount).value_or(0) < kScattered) return std::nullopt;
  return fmt::format(
      "a {} {} touches {:.1f} sectors, {:.1f} of them in excess: let neighbouring lanes use neighbouring addresses",
      most.space, most.kind, per_request(counters, most, most.amount),
      per_request(counters, most, most.excess));
}

std::optional<std::string> greatest_access(const sim::MemoryCounters& counters) {
  const AccessKind& most = greatest(kDeviceAccesses, counters, &AccessKind::amount);
  if (counters.*most.amount == 0) return std::nullopt;
  return fmt::format("{} {}s ask for most of it, {:.1f} sectors each", most.space, most.kind,
                     per_request(counters, most, most.amount));
}

std::string conflicting_access(const sim::MemoryCounters& counters) {
  const AccessKind& most = greatest(kSharedAccesses, counters, &AccessKind::excess);
  const bool is_atomic = most.kind == "atomic";
  return fmt::format("{} {} takes {:.1f} passes over shared memory's banks, {:.1f} of them for conflicts: {}",
                     is_atomic ? "an" : "a", most.kind, per_request(counters, most, most.amount),
                     per_request(counters, most, most.excess),
                     is_atomic ? "sums made in registers, or by shuffles, would need fewer"
                               : "rows of another length would put lanes into different banks");
}

}  // namespace heddle::report
