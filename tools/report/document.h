// A report without its form: headings, bars, lines and tables, for text today and other forms later.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace heddle::report {

/// What a bar stands for, so that a form can colour it.
enum class Tone { Used, Lost, Plain };

/// A row with a bar from `begin` to `end` on a scale from 0 to 1. As long as it is, to an eighth of a column;
/// it begins at a whole one.
struct Bar {
  std::string label;
  double begin = 0;
  double end = 0;
  std::string value;  ///< The figure itself: "71.2 %".
  std::string note;
  Tone tone = Tone::Plain;
};

struct BarChart {
  std::string title;       ///< May be empty.
  std::string note;        ///< Behind the title.
  bool has_track = false;  ///< Shows where 1 is.
  std::vector<Bar> bars;
};

/// A line of facts that are worth no figure; the first line of a document is its title.
struct Line {
  std::vector<std::string> facts;
  bool is_title = false;
  bool is_indented = false;
};

/// The first column is text, the others are figures.
struct Table {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t names = 1;      ///< So many columns at the left say what a row is of.
  bool ends_in_text = false;  ///< The last column is text, too, in several lines where need be.
};

/// A sentence with its label.
struct Statement {
  std::string label;
  std::string text;
  Tone tone = Tone::Plain;
};

/// Separates what stands above from what stands below.
struct Gap {};

struct Document {
  std::vector<std::variant<Line, BarChart, Table, Statement, Gap>> items;
  std::size_t bar_column =
      0;  ///< Where bars begin, or further to the right if a label needs it; 0: by labels.
};

}  // namespace heddle::report
