#include "tools/diff/comparison.h"

#include <algorithm>
#include <array>
#include <map>

#include "tools/diff/leaves.h"
#include "tools/diff/lines.h"
#include "tools/diff/turns.h"
#include "tools/report/figures.h"
#include "tools/report/units.h"

namespace heddle::diff {

namespace {

/// Members of a report that say what was asked for, in their order there. Those that end in a point are
/// objects. All other numbers are figures.
constexpr std::array<std::string_view, 19> kSettings = {"kernel",
                                                        "gpu",
                                                        "launch",
                                                        "scheduler",
                                                        "divergence",
                                                        "cold",
                                                        "grid",
                                                        "block",
                                                        "registers_per_thread",
                                                        "registers_estimated",
                                                        "shared_bytes_per_block",
                                                        "shared_carveout_bytes",
                                                        "warps_per_block",
                                                        "per_sm.sms",
                                                        "sampled.",
                                                        "sampled_blocks.method",
                                                        "swept.",
                                                        "gpu_changes.",
                                                        "parameters."};

/// What is neither a setting nor a figure. Of provenance some is a setting.
constexpr std::array<std::string_view, 5> kNeither = {"schema_version", "provenance.", "verdict.", "lines.",
                                                      "sampled_blocks."};

bool is_in(std::string_view name, std::string_view entry) {
  return entry.ends_with('.') ? name.starts_with(entry) : name == entry;
}

bool is_setting(std::string_view name) {
  return std::any_of(kSettings.begin(), kSettings.end(), [&](auto entry) { return is_in(name, entry); }) ||
         std::any_of(kNeither.begin(), kNeither.end(), [&](auto entry) { return is_in(name, entry); });
}

/// Settings by name, as text.
using Settings = std::map<std::string, std::string>;

void add_files(const Json& provenance, Settings& settings) {
  constexpr std::size_t kDigitsShown = 12;
  const Json* files = look_up(provenance, "files");
  if (files == nullptr || !files->is_array()) return;
  for (const Json& file : *files) {
    const Json* path = look_up(file, "path");
    const Json* hash = look_up(file, "sha256");
    if (path == nullptr || hash == nullptr) continue;
    settings.emplace("files." + value_text(*path), value_text(*hash).substr(0, kDigitsShown));
  }
}

Settings settings_of(const Json& report) {
  Settings settings;
  for (const Leaf& leaf : leaves_of(report)) {
    const bool is_told_elsewhere =
        leaf.name == "schema_version" || leaf.name.starts_with("verdict.") ||
        leaf.name.starts_with("lines.") ||
        (leaf.name.starts_with("sampled_blocks.") && leaf.name != "sampled_blocks.method");
    if (is_setting(leaf.name) && !leaf.value->is_null() && !is_told_elsewhere)
      settings.emplace(leaf.name, value_text(*leaf.value));
  }
  constexpr std::string_view kProvenance = "provenance.";
  Settings named;
  for (const auto& [name, value] : settings) {
    if (!name.starts_with(kProvenance)) named.emplace(name, value);
    const std::string inner = name.starts_with(kProvenance) ? name.substr(kProvenance.size()) : "";
    // The command differs wherever anything does, and says nothing that the other settings do not.
    if (!inner.empty() && inner != "command" && inner != "files") named.emplace(inner, value);
  }
  if (const Json* provenance = look_up(report, "provenance")) add_files(*provenance, named);
  return named;
}

std::size_t place_of(std::string_view setting) {
  const auto found =
      std::find_if(kSettings.begin(), kSettings.end(), [&](auto entry) { return is_in(setting, entry); });
  return static_cast<std::size_t>(found - kSettings.begin());
}

std::vector<SettingChange> settings_changed(const Json& before, const Json& after) {
  std::map<std::string, SettingChange> changes;
  for (const auto& [name, value] : settings_of(before)) changes[name].before = value;
  for (const auto& [name, value] : settings_of(after)) changes[name].after = value;
  std::vector<SettingChange> list;
  for (auto& [name, change] : changes) {
    if (change.before == change.after) continue;
    change.name = name;
    list.push_back(std::move(change));
  }
  const auto comes_first = [](const SettingChange& a, const SettingChange& b) {
    return place_of(a.name) < place_of(b.name);
  };
  std::stable_sort(list.begin(), list.end(), comes_first);
  return list;
}

std::optional<Number> number_of(const Json& value) {
  if (value.is_number_float()) return value.get<double>();
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return value.get<double>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

/// Figures by name.
std::map<std::string, Number> figures_of(const Json& report) {
  std::map<std::string, Number> figures;
  for (const Leaf& leaf : leaves_of(report)) {
    const auto number = number_of(*leaf.value);
    if (number && !is_setting(leaf.name)) figures.emplace(leaf.name, *number);
  }
  return figures;
}

/// In the order of a report; those that it does not know, such as pipes, follow by name.
std::vector<FigureChange> figure_changes(const Json& before, const Json& after) {
  std::map<std::string, FigureChange> changes;
  for (const auto& [name, value] : figures_of(before)) changes[name].before = value;
  for (const auto& [name, value] : figures_of(after)) changes[name].after = value;
  std::vector<FigureChange> list;
  const auto take = [&](const std::string& name, FigureChange change) {
    change.name = name;
    change.unit = report::unit_of(name);
    list.push_back(std::move(change));
  };
  for (const std::string& name : report::figure_names()) {
    const auto found = changes.find(name);
    if (found == changes.end()) continue;
    take(name, found->second);
    changes.erase(found);
  }
  for (const auto& [name, change] : changes) take(name, change);
  return list;
}

}  // namespace

double as_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

Comparison compare(RunFile before, RunFile after) {
  Comparison comparison;
  comparison.settings = settings_changed(before.report, after.report);
  comparison.figures = figure_changes(before.report, after.report);
  comparison.cycles = cycle_change(before.report, after.report);
  comparison.lines = compare_lines(before, after, comparison.cycles);
  comparison.before = std::move(before);
  comparison.after = std::move(after);
  return comparison;
}

}  // namespace heddle::diff
