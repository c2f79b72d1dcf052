#include "tools/validate/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include "isa/ir/stall_reason.h"

namespace heddle::validate {

namespace {

/// "long_scoreboard" as the details page has it: "Stall Long Scoreboard".
std::string stall_label(std::string_view key) {
  std::string label = "Stall ";
  for (const char c : key) {
    const bool is_first = label.back() == ' ';
    label += c == '_' ? ' ' : is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return label;
}

Metric stall_metric(std::string_view key) {
  return {fmt::format("stall_{}", key),
          "warps",
          fmt::format("warps that wait, for each issue: {}", key),
          fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", key),
          stall_label(key),
          fmt::format("run.stalls.{} / run.warp_instructions", key)};
}

std::vector<Metric> make_metrics() {
  std::vector<Metric> list = {
#define METRIC(key, unit, summary, ncu, label, expression) {#key, unit, summary, ncu, label, #expression},
#include "tools/validate/metrics.def"
#undef METRIC
  };
  for (const ir::StallReasonInfo& reason : ir::kStallReasonTable) list.push_back(stall_metric(reason.key));
  return list;
}

/// "Stall IMC Miss" is "Stall Imc Miss".
bool is_same_label(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

struct Unit {
  std::string_view name;
  double factor;
  std::string_view own = {};  // that it is turned into
};

/// Versions of Nsight Compute differ in how they write the same unit.
constexpr Unit kUnits[] = {{"%", 1e-2},
                           {"ns", 1e-3, "us"},
                           {"nsecond", 1e-3, "us"},
                           {"us", 1, "us"},
                           {"usecond", 1, "us"},
                           {"ms", 1e3, "us"},
                           {"msecond", 1e3, "us"},
                           {"s", 1e6, "us"},
                           {"second", 1e6, "us"},
                           {"byte", 1, "bytes"},
                           {"Kbyte", 1e3, "bytes"},
                           {"Mbyte", 1e6, "bytes"},
                           {"Gbyte", 1e9, "bytes"},
                           {"Tbyte", 1e12, "bytes"}};

const Unit* find_unit(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& unit) { return unit.name == name; });
  return found == std::end(kUnits) ? nullptr : found;
}

}  // namespace

std::span<const Metric> metrics() {
  static const std::vector<Metric> list = make_metrics();
  return list;
}

const Metric* find_metric(std::string_view key) {
  const auto all = metrics();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Metric& one) { return one.key == key; });
  return found == all.end() ? nullptr : &*found;
}

const Metric* find_ncu_metric(std::string_view name) {
  const auto all = metrics();
  const auto is_it = [&](const Metric& one) {
    return !name.empty() && (one.ncu == name || is_same_label(one.ncu_label, name));
  };
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  return found == all.end() ? nullptr : &*found;
}

double most_of(const Metric& metric) {
  return metric.unit.empty() ? 1.1 : std::numeric_limits<double>::infinity();
}

bool is_unit_of(const Metric& metric, std::string_view ncu_unit) {
  if (const Unit* unit = find_unit(ncu_unit)) return unit->own == metric.unit;
  // to be known, in whatever unit it is
  const bool is_scaled = metric.unit == "us" || metric.unit == "bytes";
  return ncu_unit.empty() || !(is_scaled || metric.unit.empty());
}

double in_own_unit(double value, std::string_view ncu_unit) {
  const Unit* unit = find_unit(ncu_unit);
  return unit == nullptr ? value : value * unit->factor;
}

}  // namespace heddle::validate
