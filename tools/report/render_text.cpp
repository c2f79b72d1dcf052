#include "tools/report/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::report {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastBar = 12;
constexpr std::size_t kMostBar = 32;

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

std::string pad_right(const std::string& text, std::size_t width) {
  const std::size_t used = text_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string pad_left(const std::string& text, std::size_t width) {
  const std::size_t used = text_width(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

void trim_end(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

/// Breaks at blanks; the first line has `first` columns, the others `rest`.
std::vector<std::string> wrapped(std::string_view text, std::size_t first, std::size_t rest) {
  std::vector<std::string> lines = {""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t columns = lines.size() == 1 ? first : rest;
    if (!lines.back().empty() && text_width(lines.back()) + 1 + text_width(word) > columns)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

/// Columns that all bar charts of a document share, so that their bars stand below one another.
struct BarLayout {
  std::size_t label = 0;
  std::size_t bar = kMostBar;
  std::size_t value = 0;
};

BarLayout layout_of(const Document& document) {
  BarLayout layout;
  std::size_t note = 0;
  for (const auto& item : document.items) {
    const auto* chart = std::get_if<BarChart>(&item);
    if (chart == nullptr) continue;
    for (const Bar& bar : chart->bars) {
      layout.label = std::max(layout.label, text_width(bar.label) + (chart->title.empty() ? 0 : kIndent));
      layout.value = std::max(layout.value, text_width(bar.value));
      note = std::max(note, text_width(bar.note));
    }
  }
  const std::size_t others = layout.label + layout.value + note + 3 * kGap;
  const std::size_t left = kTextColumns - std::min(others, kTextColumns);
  layout.bar = std::clamp(left, kLeastBar, kMostBar);
  return layout;
}

class TextRenderer {
 public:
  TextRenderer(const BarLayout& layout, const TextStyle& style) : layout_(layout), style_(style) {}

  void operator()(const Line& line) {
    const std::string_view separator = style_.ascii ? " | " : " · ";
    const std::string indent(line.is_indented ? kIndent : 0, ' ');
    std::vector<std::string> rows = {indent};
    for (const std::string& fact : line.facts) {
      const std::string next = printable(fact);
      const std::size_t wanted = text_width(rows.back()) + text_width(separator) + text_width(next);
      if (rows.back() != indent && wanted > kTextColumns) rows.push_back(indent);
      if (rows.back() != indent) rows.back() += separator;
      rows.back() += next;
    }
    for (const std::string& row : rows) text_ += (line.is_title ? painted(row, kBold) : row) + '\n';
  }

  void operator()(const BarChart& chart) {
    if (!chart.title.empty()) {
      text_ += painted(printable(chart.title), kBold);
      text_ += chart.note.empty() ? "\n" : fmt::format("  {}\n", painted(printable(chart.note), kDim));
    }
    for (const Bar& bar : chart.bars) add_bar(chart, bar);
  }

  void operator()(const Table& table) {
    std::vector<std::size_t> widths(table.headings.size());
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = text_width(table.headings[i]);
    for (const auto& row : table.rows) {
      for (std::size_t i = 0; i < widths.size(); ++i)
        widths[i] = std::max(widths[i], text_width(printable(row[i])));
    }
    text_ += painted(table_row(table.headings, widths), kBold) + '\n';
    for (const auto& row : table.rows) text_ += table_row(row, widths) + '\n';
  }

  void operator()(const Statement& statement) {
    const std::string label = printable(statement.label);
    const std::size_t indent = text_width(label) + 1;
    const auto lines = wrapped(printable(statement.text), kTextColumns - indent, kTextColumns - kIndent);
    text_ += painted(label, statement.tone == Tone::Plain ? kBold : colour_of(statement.tone));
    text_ += fmt::format(" {}\n", lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) text_ += fmt::format("  {}\n", lines[i]);
  }

  void operator()(const Gap&) { text_ += '\n'; }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_bar(const BarChart& chart, const Bar& bar) {
    std::string line(chart.title.empty() ? 0 : kIndent, ' ');
    line = pad_right(line + printable(bar.label), layout_.label) + "  ";
    const std::string value = pad_left(bar.value, layout_.value);
    std::string end = fmt::format(" {}  {}", value, printable(bar.note));
    trim_end(end);
    text_ += fmt::format("{}{}{}\n", line, bar_text(chart, bar), end);
  }

  [[nodiscard]] std::string painted(const std::string& text, std::string_view colour) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : text;
  }

  /// Always of the layout's width. What is more than nothing is seen.
  [[nodiscard]] std::string bar_text(const BarChart& chart, const Bar& bar) const {
    const auto width = static_cast<double>(layout_.bar);
    const double begin = std::floor(std::clamp(bar.begin, 0.0, 1.0) * width + 0.5);
    const double length = std::clamp(bar.end, 0.0, 1.0) * width - begin;
    const auto before =
        std::min(static_cast<std::size_t>(begin), layout_.bar - (bar.end > bar.begin ? 1 : 0));
    std::string filled = bar.end > bar.begin ? filled_text(length, layout_.bar - before) : "";
    const std::size_t after = layout_.bar - before - text_width(filled);
    const std::string_view track = style_.ascii ? "." : "░";
    std::string rest = chart.has_track ? repeated(track, after) : std::string(after, ' ');
    if (chart.has_track) rest = painted(rest, kDim);
    if (!filled.empty()) filled = painted(filled, colour_of(bar.tone));
    return std::string(before, ' ') + filled + rest;
  }

  /// In eighths of a cell where there are block elements.
  [[nodiscard]] std::string filled_text(double length, std::size_t most) const {
    static constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double cells = std::min(std::max(length, 0.0), static_cast<double>(most));
    if (style_.ascii)
      return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(cells))), '#');
    const auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(cells * 8)));
    return repeated("█", eighths / 8) + std::string(kEighths[eighths % 8]);
  }

  static std::string table_row(const std::vector<std::string>& cells,
                               const std::vector<std::size_t>& widths) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = printable(cells[i]);
      row += i == 0 ? pad_right(cell, widths[i]) : "  " + pad_left(cell, widths[i]);
    }
    trim_end(row);
    return row;
  }

  const BarLayout layout_;
  const TextStyle style_;
  std::string text_;
};

/// Bytes of the UTF-8 sequence that begins with this one; 0 if none does.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Whether the second byte is one that only a longer sequence than need be, a surrogate, or what lies beyond
/// Unicode has.
bool is_outside(std::string_view sequence) {
  const auto second = static_cast<unsigned char>(sequence[1]);
  switch (static_cast<unsigned char>(sequence[0])) {
    case 0xe0:
      return second < 0xa0;
    case 0xed:
      return second >= 0xa0;
    case 0xf0:
      return second < 0x90;
    case 0xf4:
      return second >= 0x90;
    default:
      return false;
  }
}

/// Whether the sequence is whole, and none of the C0 and C1 controls.
bool is_printable(std::string_view sequence, std::size_t length) {
  if (length == 0 || sequence.size() < length) return false;
  if (length == 1) return sequence[0] >= ' ' && sequence[0] != 0x7f;
  if (sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0) return false;
  if (is_outside(sequence)) return false;
  return std::all_of(sequence.begin() + 1, sequence.begin() + static_cast<std::ptrdiff_t>(length),
                     is_continuation);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(text[0]));
    const bool good = is_printable(text, length);
    result += good ? text.substr(0, length) : std::string_view("?");
    text.remove_prefix(good ? length : 1);
  }
  return result;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string render_text(const Document& document, const TextStyle& style) {
  TextRenderer renderer(layout_of(document), style);
  for (const auto& item : document.items) std::visit(renderer, item);
  return renderer.take();
}

}  // namespace heddle::report
