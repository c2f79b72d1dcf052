#include "tools/report/render_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

constexpr std::size_t kGap = 2;
/// Least widths of names, and of texts on the right, if figures need the space.
constexpr std::size_t kLeastName = 12;
constexpr std::size_t kLeastText = 12;
/// Least width if there are many names: "1..." is still useful.
constexpr std::size_t kTinyName = 4;

using Row = std::vector<std::string>;

/// A column of a table and its width.
struct Column {
  std::size_t index = 0;
  std::size_t width = 0;
};

std::size_t width_of(std::span<const Column> columns) {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column.width + kGap;
  return sum == 0 ? 0 : sum - kGap;
}

class TableRenderer {
 public:
  TableRenderer(const Table& table, const TextStyle& style) : table_(table), style_(style) {
    for (std::size_t i = 0; i < table.headings.size(); ++i) {
      std::size_t width = text_width(printable(table.headings[i]));
      for (const Row& row : table.rows) width = std::max(width, text_width(printable(row.at(i))));
      columns_.push_back({i, width});
    }
  }

  std::string text() {
    if (table_.ends_in_text) narrow_text();
    const std::vector<Column> whole = columns_;
    if (narrow(columns_.size(), style_.columns, kLeastName)) return block_text(columns_);
    columns_ = whole;
    narrow(names(), style_.columns / 2, kLeastName);
    narrow(names(), style_.columns - kLeastName, kTinyName);
    std::string text;
    for (const std::vector<Column>& block : blocks()) {
      if (!text.empty()) text += '\n';
      text += block_text(block);
    }
    return text;
  }

 private:
  [[nodiscard]] std::size_t names() const { return std::min(table_.names, columns_.size()); }

  [[nodiscard]] bool is_text(std::size_t index) const {
    return index == 0 || (table_.ends_in_text && index + 1 == table_.headings.size());
  }

  void narrow_text() {
    Column& last = columns_.back();
    const std::size_t others = width_of(columns_) - last.width;
    if (others + last.width > style_.columns)
      last.width = std::max(kLeastText, style_.columns - std::min(others, style_.columns));
  }

  /// Narrows the widest name first, then the next, down to `least`. Returns whether the first `count` columns
  /// then have at most `most` in width.
  bool narrow(std::size_t count, std::size_t most, std::size_t least) {
    const auto by_width = [](const Column& a, const Column& b) { return a.width < b.width; };
    const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(names());
    const auto width = [&] { return width_of({columns_.data(), count}); };
    while (width() > most) {
      const auto widest = std::max_element(columns_.begin(), end, by_width);
      if (widest == end || widest->width <= least) return false;
      --widest->width;
    }
    return true;
  }

  /// Each block has the names and as many other columns as fit, at least one.
  [[nodiscard]] std::vector<std::vector<Column>> blocks() const {
    const std::vector<Column> names(columns_.begin(),
                                    columns_.begin() + static_cast<std::ptrdiff_t>(this->names()));
    std::vector<std::vector<Column>> blocks = {names};
    for (std::size_t i = names.size(); i < columns_.size(); ++i) {
      Column column = columns_[i];
      const bool is_first = blocks.back().size() == names.size();
      const std::size_t taken = width_of(blocks.back()) + kGap;
      if (!is_first && taken + column.width > style_.columns) blocks.push_back(names);
      const std::size_t free = style_.columns - std::min(width_of(blocks.back()) + kGap, style_.columns - 1);
      column.width = std::min(column.width, free);
      blocks.back().push_back(column);
    }
    return blocks;
  }

  [[nodiscard]] std::string block_text(const std::vector<Column>& block) const {
    std::string text = row_text(table_.headings, block, true);
    for (const Row& row : table_.rows) text += row_text(row, block, false);
    return text;
  }

  [[nodiscard]] std::string row_text(const Row& row, const std::vector<Column>& block,
                                     bool is_heading) const {
    std::string line;
    std::vector<std::string> more;  // further lines of a text on the right
    std::size_t indent = 0;
    for (const Column& column : block) {
      if (!line.empty() || &column != &block.front()) line.append(kGap, ' ');
      const std::string cell = printable(row[column.index]);
      if (table_.ends_in_text && column.index + 1 == row.size()) {
        indent = text_width(line);
        more = wrapped_lines(cell, column.width, column.width);
        line += more.front();
      } else {
        const std::string shown = shortened(cell, column.width);
        line += is_text(column.index) ? pad_right(shown, column.width) : pad_left(shown, column.width);
      }
    }
    trim_end(line);
    if (is_heading && style_.colour) line = fmt::format("\x1b[1m{}\x1b[0m", line);
    for (std::size_t i = 1; i < more.size(); ++i) line += fmt::format("\n{:{}}{}", "", indent, more[i]);
    return line + '\n';
  }

  const Table& table_;
  const TextStyle& style_;
  std::vector<Column> columns_;
};

}  // namespace

std::string render_table(const Table& table, const TextStyle& style) {
  return TableRenderer(table, style).text();
}

}  // namespace heddle::report
