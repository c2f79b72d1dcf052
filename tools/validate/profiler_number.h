// Numbers as profilers print them, in the locale of the machine that they ran on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::validate {

/// What a file's numbers show of the point's meaning. A program prints all its numbers in one locale.
struct PointUse {
  bool groups_digits = false;    ///< "1.234.567", or "1.048" where only a whole number can stand.
  bool begins_fraction = false;  ///< "72.34"

  void look_at(std::string_view text, bool must_be_whole);
};

/// The number, with commas, apostrophes or spaces of any width between thousands, and a point before a
/// fraction; with points between thousands where the file shows that they are that. Nothing for other texts,
/// and for those that may mean two numbers.
std::optional<double> profiler_number(std::string text, const PointUse& use, bool must_be_whole);

}  // namespace heddle::validate
