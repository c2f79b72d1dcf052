#include "tools/diff/turns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::diff {

namespace {

using Parts = std::vector<std::pair<std::string, std::uint64_t>>;

/// The run's turns and their parts.
struct RunTurns {
  Turns turns;
  Parts parts;  ///< Empty if they cannot be told.
};

std::uint64_t count(const Json& report, const char* key) { return report.at(key).get<std::uint64_t>(); }

Parts issue_parts(const Json& report) {
  Parts parts;
  for (const auto& [key, slots] : report.at("ledgers").at("issue_slots").items()) {
    if (key != "total") parts.emplace_back(key, slots.get<std::uint64_t>());
  }
  return parts;
}

RunTurns turns_of(const Json& report) {
  RunTurns run;
  run.turns.cycles = count(report, "cycles");
  if (report.contains("sampled")) return run;
  if (report.contains("sampled_blocks") && report["sampled_blocks"].contains("of_blocks")) return run;
  const std::uint64_t active = count(report, "active_cycles");
  const std::uint64_t slots = count(report.at("ledgers").at("issue_slots"), "total");
  if (active == 0 || slots == 0 || slots % active != 0) return run;
  const std::uint64_t of_sm = slots / active;
  const std::uint64_t sms = count(report.at("per_sm"), "sms");
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(sms, of_sm, &run.turns.schedulers)) return run;
  if (__builtin_mul_overflow(run.turns.cycles, run.turns.schedulers, &all)) return run;
  const std::uint64_t launch = count(report, "launch_cycles");
  const std::uint64_t after = count(report, "cycles_after_blocks");
  const std::uint64_t apart = launch + after;  // both are at most 2 to the 53rd
  if (apart > run.turns.cycles || slots > all - apart * run.turns.schedulers) return run;
  run.parts = issue_parts(report);
  run.parts.emplace_back("launch_cycles", launch * run.turns.schedulers);
  run.parts.emplace_back("idle_sm", all - apart * run.turns.schedulers - slots);
  run.parts.emplace_back("cycles_after_blocks", after * run.turns.schedulers);
  return run;
}

CyclePart& part_of(std::vector<CyclePart>& parts, const std::string& key) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const CyclePart& part) { return part.key == key; });
  return found != parts.end() ? *found : parts.emplace_back(CyclePart{key, 0, 0});
}

double share_of(std::uint64_t turns, const Turns& all) {
  return static_cast<double>(turns) / static_cast<double>(all.schedulers);
}

}  // namespace

double CycleChange::cycles_before(const CyclePart& part) const { return share_of(part.before, before); }
double CycleChange::cycles_after(const CyclePart& part) const { return share_of(part.after, after); }

CycleChange cycle_change(const Json& before, const Json& after) {
  const RunTurns a = turns_of(before);
  const RunTurns b = turns_of(after);
  CycleChange change{a.turns, b.turns, {}};
  if (a.parts.empty() || b.parts.empty()) return change;
  for (const auto& [key, turns] : a.parts) part_of(change.parts, key).before = turns;
  for (const auto& [key, turns] : b.parts) part_of(change.parts, key).after = turns;
  const auto moved = [&](const CyclePart& part) {
    return std::abs(change.cycles_after(part) - change.cycles_before(part));
  };
  std::stable_sort(change.parts.begin(), change.parts.end(),
                   [&](const CyclePart& x, const CyclePart& y) { return moved(x) > moved(y); });
  return change;
}

}  // namespace heddle::diff
