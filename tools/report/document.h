// A report without its layout: headings, bars, lines and tables. Renderers turn it into text or other forms.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace heddle::report {

/// The meaning of a bar, which decides its colour.
enum class Tone { Used, Lost, Plain };

/// A row with a bar from `begin` to `end` on a scale from 0 to 1. Its length is exact to an eighth of a
/// column; it begins at a whole column.
struct Bar {
  std::string label;
  double begin = 0;
  double end = 0;
  std::string value;  ///< The figure as text: "71.2 %".
  std::string note;
  Tone tone = Tone::Plain;
};

/// Bars below each other, with a title.
struct BarChart {
  std::string title;       ///< May be empty.
  std::string note;        ///< Follows the title.
  bool has_track = false;  ///< Shows the scale up to 1.
  std::vector<Bar> bars;
};

/// A line of plain facts. The first line of a document is its title.
struct Line {
  std::vector<std::string> facts;
  bool is_title = false;
  bool is_indented = false;
};

/// A table. Its first column is text; the others are figures.
struct Table {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t names = 1;      ///< Number of columns on the left that identify a row.
  bool ends_in_text = false;  ///< The last column is text, too, and can be wrapped.
};

/// A sentence with a label.
struct Statement {
  std::string label;
  std::string text;
  Tone tone = Tone::Plain;
};

/// A gap between two parts.
struct Gap {};

/// A whole report.
struct Document {
  std::vector<std::variant<Line, BarChart, Table, Statement, Gap>> items;
  /// Where bars begin, or further to the right if a label needs it; 0: by labels.
  std::size_t bar_column = 0;
};

}  // namespace heddle::report
