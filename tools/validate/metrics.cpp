#include "tools/validate/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <vector>

#include "isa/ir/stall_reason.h"

namespace heddle::validate {

namespace {

/// "long_scoreboard" in the words of the details page: "Stall Long Scoreboard".
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

/// "Stall IMC Miss" equals "Stall Imc Miss".
bool is_same_label(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Words for Nsight Compute's units, and our unit for each. Versions write them in different ways. A prefix
/// can precede each.
struct Unit {
  std::string_view name;
  std::string_view own;
  double factor = 1;
};

constexpr Unit kUnits[] = {{"ns", "us", 1e-3},
                           {"nsecond", "us", 1e-3},
                           {"us", "us"},
                           {"usecond", "us"},
                           {"ms", "us", 1e3},
                           {"msecond", "us", 1e3},
                           {"s", "us", 1e6},
                           {"second", "us", 1e6},
                           {"byte", "bytes"},
                           {"inst", "instructions"},
                           {"instruction", "instructions"},
                           {"cycle", "cycles"},
                           {"cycle/inst", "cycles"},
                           {"sector", "sectors"},
                           {"warp", "warps"},
                           {"warp/cycle", "warps"},
                           {"inst", "warps"},  // stalls per issue, before 2021
                           {"cycle", "warps"},
                           {"thread", "threads"},
                           {"thread/inst", "threads"},
                           {"inst", "threads"},
                           {"conflict", "passes"},
                           {"wavefront", "passes"},
                           {"bank", "passes"}};

struct Prefix {
  std::string_view name;
  double factor;
};

constexpr Prefix kPrefixes[] = {{"", 1}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

bool is_word(std::string_view word, std::string_view name) {
  return word == name || (word.size() == name.size() + 1 && word.starts_with(name) && word.ends_with('s'));
}

/// The factor that converts a value from this unit to the metric's own; nothing if the unit does not fit.
std::optional<double> factor_of(const Metric& metric, std::string_view ncu_unit) {
  if (metric.unit.empty()) return ncu_unit == "%" ? std::optional(1e-2) : std::nullopt;
  const bool is_scaled = metric.unit == "us" || metric.unit == "bytes";
  if (ncu_unit.empty() || ncu_unit == "1") return is_scaled ? std::nullopt : std::optional(1.0);
  for (const Prefix& prefix : kPrefixes) {
    if (!ncu_unit.starts_with(prefix.name) || (metric.unit == "us" && !prefix.name.empty())) continue;
    for (const Unit& unit : kUnits) {
      if (unit.own == metric.unit && is_word(ncu_unit.substr(prefix.name.size()), unit.name))
        return prefix.factor * unit.factor;
    }
  }
  return std::nullopt;
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
  return factor_of(metric, ncu_unit).has_value();
}

double in_own_unit(const Metric& metric, double value, std::string_view ncu_unit) {
  return value * factor_of(metric, ncu_unit).value_or(1);
}

bool is_whole(const Metric& metric, std::string_view ncu_unit) {
  if (metric.unit == "us") return ncu_unit == "ns" || ncu_unit == "nsecond";
  const bool is_sum = metric.ncu.ends_with(".sum") || metric.ncu.ends_with(".max");
  return is_sum && factor_of(metric, ncu_unit) == 1.0;
}

}  // namespace heddle::validate
