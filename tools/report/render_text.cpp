#include "tools/report/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/report/render_table.h"
#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
/// Lines of sentences and bars are not longer, however wide the terminal is.
constexpr std::size_t kMostColumns = 120;
/// Width of bars at 80 columns. Half of any additional columns goes to bars.
constexpr std::size_t kUsualBar = 12;
/// Width for "100.0 %".
constexpr std::size_t kLeastValue = 7;
/// A note with fewer columns is placed below its bar.
constexpr std::size_t kLeastNote = 16;

constexpr std::string_view kBold = "1";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kYellow = "33";
constexpr std::string_view kCyan = "36";
constexpr std::string_view kDim = "2";

std::string_view colour_of(Tone tone) {
  if (tone == Tone::Used) return kGreen;
  return tone == Tone::Lost ? kYellow : kCyan;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::size_t bar_columns(std::size_t columns) {
  if (columns < kTextColumns) return kUsualBar / 2;
  return kUsualBar + (columns - kTextColumns) / 2;
}

/// The columns that all bar charts of a document share, so that their bars are aligned.
struct BarLayout {
  std::size_t label = 0;  ///< Includes the blanks behind it.
  std::size_t bar = 0;
  std::size_t value = kLeastValue;
  std::size_t note = 0;  ///< 0 if notes are placed below.

  [[nodiscard]] std::size_t before_note() const { return label + bar + 1 + value + kGap; }
};

BarLayout layout_of(const Document& document, std::size_t columns) {
  BarLayout layout;
  layout.bar = bar_columns(columns);
  for (const auto& item : document.items) {
    const auto* chart = std::get_if<BarChart>(&item);
    if (chart == nullptr) continue;
    for (const Bar& bar : chart->bars) {
      layout.label = std::max(layout.label, (chart->title.empty() ? 0 : kIndent) + text_width(bar.label));
      layout.value = std::max(layout.value, text_width(bar.value));
    }
  }
  layout.label = std::max(document.bar_column, layout.label + (document.bar_column == 0 ? kGap : 1));
  const std::size_t others = layout.bar + 1 + layout.value;
  layout.label = std::min(layout.label, columns - std::min(columns - 1, others));
  if (layout.before_note() + kLeastNote <= columns) layout.note = columns - layout.before_note();
  return layout;
}

/// The length in eighths of a column. A length above 0 gives at least one.
std::size_t eighths_of(double length, std::size_t columns) {
  if (!(length > 0)) return 0;
  const double eighths = std::min(length, 1.0) * static_cast<double>(columns) * 8;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(eighths)));
}

class TextRenderer {
 public:
  TextRenderer(const Document& document, const TextStyle& style)
      : style_(style),
        columns_(std::min(style.columns, kMostColumns)),
        layout_(layout_of(document, columns_)) {}

  void operator()(const Line& line) {
    const std::string_view separator = style_.ascii ? " | " : " · ";
    const std::size_t indent = line.is_indented ? kIndent : 0;
    std::vector<std::string> rows = {""};
    for (const std::string& fact : line.facts) {
      const std::string next = printable(fact);
      const std::size_t wanted = text_width(rows.back()) + text_width(separator) + text_width(next);
      if (!rows.back().empty() && indent + wanted > columns_) rows.emplace_back();
      if (!rows.back().empty()) rows.back() += separator;
      rows.back() += next;
    }
    for (const std::string& row : rows) add_wrapped(row, indent, line.is_title ? kBold : "");
  }

  void operator()(const BarChart& chart) {
    if (!chart.title.empty()) add_title(printable(chart.title), printable(chart.note));
    for (const Bar& bar : chart.bars) add_bar(chart, bar);
  }

  void operator()(const Table& table) { text_ += render_table(table, style_); }

  void operator()(const Statement& statement) {
    const std::string label = shortened(printable(statement.label), columns_);
    const std::size_t indent = std::min(text_width(label) + 1, columns_);
    const auto lines = wrapped_lines(printable(statement.text), columns_ - indent,
                                     columns_ - std::min(kIndent, columns_ - 1));
    text_ += painted(label, statement.tone == Tone::Plain ? kBold : colour_of(statement.tone));
    text_ += fmt::format("{}{}\n", lines.front().empty() ? "" : " ", lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) text_ += fmt::format("  {}\n", lines[i]);
  }

  void operator()(const Gap&) { text_ += '\n'; }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  /// What does not fit continues below, with an indent.
  void add_wrapped(const std::string& row, std::size_t indent, std::string_view colour) {
    const auto lines = wrapped_lines(row, columns_ - indent, columns_ - indent - kIndent);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string blanks(indent + (i == 0 ? 0 : kIndent), ' ');
      text_ += fmt::format("{}{}\n", blanks, colour.empty() ? lines[i] : painted(lines[i], colour));
    }
  }

  void add_title(const std::string& title, const std::string& note) {
    text_ += painted(title, kBold);
    if (note.empty()) return static_cast<void>(text_ += '\n');
    const bool fits = text_width(title) + kGap + text_width(note) <= columns_;
    text_ += fits ? "  " : "\n";
    if (fits) {
      text_ += painted(note, kDim) + '\n';
    } else {
      add_wrapped(note, kIndent, kDim);
    }
  }

  void add_bar(const BarChart& chart, const Bar& bar) {
    std::string line(chart.title.empty() ? 0 : kIndent, ' ');
    line += printable(bar.label);
    text_ += pad_right(shortened(line, layout_.label - 1), layout_.label);
    text_ += fmt::format("{} {}", bar_text(chart, bar), pad_left(printable(bar.value), layout_.value));
    const std::size_t below = layout_.note == 0 ? 2 * kIndent : layout_.before_note();
    const auto notes = wrapped_lines(printable(bar.note), layout_.note == 0 ? columns_ - below : layout_.note,
                                     columns_ - below);
    if (layout_.note != 0 && !bar.note.empty()) text_ += std::string(kGap, ' ') + notes[0];
    text_ += '\n';
    const std::size_t told = layout_.note != 0 || bar.note.empty() ? 1 : 0;
    for (std::size_t i = told; i < notes.size(); ++i)
      text_ += fmt::format("{}{}\n", std::string(below, ' '), notes[i]);
  }

  [[nodiscard]] std::string painted(const std::string& text, std::string_view colour) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : text;
  }

  /// Always has the layout's width.
  [[nodiscard]] std::string bar_text(const BarChart& chart, const Bar& bar) const {
    std::string filled = filled_text(eighths_of(bar.end - std::max(bar.begin, 0.0), layout_.bar));
    const std::size_t length = text_width(filled);
    const double begin = std::clamp(bar.begin, 0.0, 1.0) * static_cast<double>(layout_.bar);
    const std::size_t before = std::min(static_cast<std::size_t>(std::lround(begin)), layout_.bar - length);
    const std::size_t after = layout_.bar - before - length;
    const std::string_view track = style_.ascii ? "." : "░";
    std::string rest = chart.has_track ? repeated(track, after) : std::string(after, ' ');
    if (chart.has_track) rest = painted(rest, kDim);
    if (!filled.empty()) filled = painted(filled, colour_of(bar.tone));
    return std::string(before, ' ') + filled + rest;
  }

  /// Without block elements, half a column or more is #, less is a colon.
  [[nodiscard]] std::string filled_text(std::size_t eighths) const {
    static constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const std::size_t part = eighths % 8;
    if (!style_.ascii) return repeated("█", eighths / 8) + std::string(kEighths[part]);
    const std::string whole = repeated("#", eighths / 8 + (part >= 4 ? 1 : 0));
    return whole.empty() && part != 0 ? ":" : whole;
  }

  const TextStyle style_;
  const std::size_t columns_;
  const BarLayout layout_;
  std::string text_;
};

}  // namespace

std::string render_text(const Document& document, const TextStyle& style) {
  TextRenderer renderer(document, style);
  for (const auto& item : document.items) std::visit(renderer, item);
  return renderer.take();
}

}  // namespace heddle::report
