#include "tools/report/units.h"

#include <array>

namespace heddle::report {

namespace {

/// Figures whose names begin and end so have this unit.
struct UnitRule {
  std::string_view begin;
  std::string_view end;
  std::string_view unit;
};

/// The first that fits counts.
constexpr std::array<UnitRule, 22> kUnits = {{{"ledgers.", "", "slots"},
                                              {"stalls.", "", "warp cycles"},
                                              {"pipes.", "", "fraction"},
                                              {"per_sm.achieved_occupancy", "", "fraction"},
                                              {"per_sm.issue_efficiency", "", "fraction"},
                                              {"per_sm.active_cycles", "", "cycles"},
                                              {"time_us", "", "us"},
                                              {"divergence_utilization", "", "fraction"},
                                              {"", "warp_cycles", "warp cycles"},
                                              {"cycles_after_blocks", "", "cycles"},
                                              {"", "cycles", "cycles"},
                                              {"", "_bytes", "bytes"},
                                              {"", "_occupancy", "fraction"},
                                              {"", "_efficiency", "fraction"},
                                              {"", "_utilization", "fraction"},
                                              {"", "_rate", "fraction"},
                                              {"", "share", "fraction"},
                                              {"", "_requests", "requests"},
                                              {"", "_sectors", "sectors"},
                                              {"", "_passes", "passes"},
                                              {"", "_conflicts", "passes"},
                                              {"", "_instructions", "instructions"}}};

}  // namespace

std::string_view unit_of(std::string_view figure) {
  for (const UnitRule& rule : kUnits) {
    if (figure.starts_with(rule.begin) && figure.ends_with(rule.end)) return rule.unit;
  }
  return {};
}

}  // namespace heddle::report
