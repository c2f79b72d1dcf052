#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/diff/figure_text.h"
#include "tools/diff/leaves.h"
#include "tools/diff/line_section.h"
#include "tools/diff/reports.h"
#include "tools/report/glossary.h"
#include "tools/report/units.h"
#include "tools/report/words.h"

namespace heddle::diff {

namespace {

using report::Document;
using report::Gap;
using report::Line;
using report::Table;

/// Always shown, changed or not.
constexpr std::array<std::string_view, 8> kFirstFigures = {"cycles",
                                                           "time_us",
                                                           "warp_instructions",
                                                           "ipc",
                                                           "theoretical_occupancy",
                                                           "achieved_occupancy",
                                                           "issue_efficiency",
                                                           "divergence_utilization"};

/// A smaller change of another figure is left out of the short form.
constexpr double kWorthShowing = 0.1;
/// Parts with fewer cycles than this in both runs are left out.
constexpr double kFewCycles = 0.05;

bool is_first(const FigureChange& figure) {
  return std::find(kFirstFigures.begin(), kFirstFigures.end(), figure.name) != kFirstFigures.end();
}

/// Ledgers and stalls are left to the part about cycles and to the full form.
bool is_shown(const FigureChange& figure, Detail detail) {
  if (is_first(figure)) return true;
  if (!figure.is_changed()) return false;
  if (detail == Detail::Full) return true;
  return !figure.name.starts_with("ledgers.") && !figure.name.starts_with("stalls.") &&
         !figure.name.starts_with("per_sm.") && change_size(figure) >= kWorthShowing;
}

Line heading(const std::string& text) { return {{text}, false, false}; }

std::string member_text(const RunFile& run, const char* key) {
  const Json* value = look_up(run.report, key);
  return value == nullptr ? "-" : value_text(*value);
}

/// As C++ has it, if its compiler has made a name of that.
std::string kernel_text(const RunFile& run) {
  return member_text(run, look_up(run.report, "signature") != nullptr ? "signature" : "kernel");
}

Line run_line(const char* when, const RunFile& run) {
  return {
      {fmt::format("{} {} on {}", when, kernel_text(run), member_text(run, "gpu")), run.path}, false, false};
}

double time_of(const RunFile& run) { return run.report.at("time_us").get<double>(); }

void add_settings(const Comparison& comparison, Document& document) {
  if (comparison.settings.empty()) {
    document.items.emplace_back(heading("No setting and no input file differs."));
    return;
  }
  Table table{{"What differs in the settings", "before", "after"}, {}};
  for (const SettingChange& setting : comparison.settings)
    table.rows.push_back({setting.name, setting.before.value_or("-"), setting.after.value_or("-")});
  table.names = 3;
  document.items.emplace_back(table);
}

void add_figures(const Comparison& comparison, Detail detail, Document& document) {
  Table table{{"Figures", "before", "after", "change", "unit"}, {}};
  table.ends_in_text = true;
  std::size_t left_out = 0;
  for (const FigureChange& figure : comparison.figures) {
    if (is_shown(figure, detail)) {
      const bool has_unit = figure.unit != report::kFraction && figure.unit != "us";
      table.rows.push_back({figure.name, number_text(figure.before, figure.unit),
                            number_text(figure.after, figure.unit), change_text(figure),
                            has_unit ? std::string(figure.unit) : ""});
    } else if (figure.is_changed()) {
      ++left_out;
    }
  }
  document.items.emplace_back(table);
  if (left_out > 0) {
    document.items.emplace_back(
        Line{{fmt::format("{} changed, too; --full shows all", report::counted(left_out, "other figure"))},
             false,
             false});
  }
}

/// "launch cycles  before the first block"
std::string gloss_text(const std::string& part) {
  if (part == "issued") return "warp instructions";
  if (part == "launch_cycles") return "before the first block";
  if (part == "cycles_after_blocks") return "memory finishes after the last block";
  if (part == "idle_sm") return "the SM holds no block, others may";
  const std::string_view gloss = report::gloss_of("stalls", part);
  return std::string(gloss.empty() ? report::gloss_of("issue_slots", part) : gloss);
}

std::string signed_cycles(double cycles) { return cycles == 0 ? "" : fmt::format("{:+.1f}", cycles); }

void add_cycles(const Comparison& comparison, Document& document) {
  const CycleChange& change = comparison.cycles;
  if (change.parts.empty()) {
    document.items.emplace_back(
        heading("Where the cycles went cannot be told: a run is a sample, or no SM held a block."));
    return;
  }
  Table table{{"Where the cycles went", "before", "after", "change", "what that is"}, {}};
  table.ends_in_text = true;
  for (const CyclePart& part : change.parts) {
    const double before = change.cycles_before(part);
    const double after = change.cycles_after(part);
    if (before < kFewCycles && after < kFewCycles) continue;
    table.rows.push_back({report::key_text(part.key), fmt::format("{:.1f}", before),
                          fmt::format("{:.1f}", after), signed_cycles(after - before), gloss_text(part.key)});
  }
  const auto before = static_cast<double>(change.before.cycles);
  const auto after = static_cast<double>(change.after.cycles);
  table.rows.push_back({"all", fmt::format("{:.1f}", before), fmt::format("{:.1f}", after),
                        signed_cycles(after - before), "cycles of the run"});
  document.items.emplace_back(table);
}

}  // namespace

std::string speed_text(const Comparison& comparison) {
  const double before = time_of(comparison.before);
  const double after = time_of(comparison.after);
  const std::string times =
      fmt::format("{} before, {} after", report::time_text(before), report::time_text(after));
  if (before == after || before <= 0 || after <= 0) return "As fast as before: " + times;
  const double ratio = std::max(before / after, after / before);
  constexpr double kTwoDigitsShow = 1.005;
  const char* word = after < before ? "fast" : "slow";
  if (ratio < kTwoDigitsShow)
    return fmt::format("{:.2f} % {}er: {}", 100 * (ratio - 1), after < before ? "fast" : "slow", times);
  return fmt::format("{:.2f} times as {}: {}", ratio, word, times);
}

Document document(const Comparison& comparison, Detail detail) {
  Document document;
  document.items.emplace_back(Line{{speed_text(comparison)}, true, false});
  document.items.emplace_back(run_line("before:", comparison.before));
  document.items.emplace_back(run_line("after: ", comparison.after));
  document.items.emplace_back(Gap{});
  add_settings(comparison, document);
  document.items.emplace_back(Gap{});
  add_figures(comparison, detail, document);
  document.items.emplace_back(Gap{});
  add_cycles(comparison, document);
  add_lines(comparison, detail, document);
  return document;
}

}  // namespace heddle::diff
