#include "tools/diff/line_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::diff {

namespace {

using report::Line;
using report::Table;

constexpr std::size_t kMostLines = 10;
constexpr std::size_t kWidestText = 48;
/// Of all that the run has. A line that changed less is left out of the short form.
constexpr double kWorthShowing = 0.005;

/// "14", "14 > 17" if it moved, "- > 17" if it is new.
std::string number_text(const LineChange& line) {
  if (line.number_before == line.number_after) return fmt::format("{}", *line.number_after);
  const auto text = [](const std::optional<std::uint64_t>& number) {
    return number ? fmt::format("{}", *number) : std::string("-");
  };
  return fmt::format("{} > {}", text(line.number_before), text(line.number_after));
}

bool belongs_to_a_line(const LineChange& line) {
  return line.number_before.value_or(0) != 0 || line.number_after.value_or(0) != 0;
}

class LineTable {
 public:
  explicit LineTable(const LineComparison& lines) : lines_(lines) {
    const std::string unit = lines.in_cycles() ? "cycles" : "slots";
    table_.headings = {"Line", fmt::format("{} before", unit), "after", "change", "mostly", "text"};
    table_.ends_in_text = true;
  }

  void add(const std::string& name, const SlotChange& slots, const std::string& part,
           const std::string& text) {
    const double change = lines_.change(slots);
    table_.rows.push_back({name, amount(lines_.amount_before(slots.before)),
                           amount(lines_.amount_after(slots.after)),
                           change == 0 ? "" : fmt::format("{:+.{}f}", change, digits()),
                           report::key_text(part), report::shortened(text, kWidestText)});
  }

  [[nodiscard]] const Table& table() const { return table_; }

 private:
  [[nodiscard]] int digits() const { return lines_.in_cycles() ? 1 : 0; }
  [[nodiscard]] std::string amount(double value) const { return fmt::format("{:.{}f}", value, digits()); }

  const LineComparison& lines_;
  Table table_;
};

void add_table(const LineComparison& lines, Detail detail, report::Document& document) {
  double all = 0;
  for (const LineChange& line : lines.lines)
    all += std::max(lines.amount_before(line.all.before), lines.amount_after(line.all.after));
  LineTable table(lines);
  SlotChange rest;
  SlotChange nowhere;
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const LineChange& line : lines.lines) {
    const double change = std::abs(lines.change(line.all));
    if (!belongs_to_a_line(line)) {
      nowhere = line.all;
    } else if (change > 0 &&
               (detail == Detail::Full || (shown < kMostLines && change >= kWorthShowing * all))) {
      table.add(number_text(line), line.all, lines.greatest_part(line), line.text);
      ++shown;
    } else {
      rest.before += line.all.before;
      rest.after += line.all.after;
      ++left_out;
    }
  }
  if (left_out > 0) table.add("others", rest, "", report::counted(left_out, "line"));
  if (nowhere.before + nowhere.after > 0) table.add("none", nowhere, "", "of no line");
  table.add("no warp", lines.without_warp, "", "no warp was there to issue");
  document.items.emplace_back(table.table());
}

}  // namespace

void add_lines(const Comparison& comparison, Detail detail, report::Document& document) {
  if (!comparison.lines) return;
  const LineComparison& lines = *comparison.lines;
  document.items.emplace_back(report::Gap{});
  if (lines.level_before != lines.level_after) {
    document.items.emplace_back(
        Line{{fmt::format("Lines cannot be compared: those before are of {}, those after of {}.",
                          lines.level_before, lines.level_after)},
             false,
             false});
    return;
  }
  if (lines.matched == 0)
    document.items.emplace_back(
        Line{{"No line of one source is in the other: all are gone or new."}, false, false});
  add_table(lines, detail, document);
}

}  // namespace heddle::diff
