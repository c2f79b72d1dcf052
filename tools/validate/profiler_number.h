// Numbers as profilers print them, in the locale of their machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::validate {

/// The meaning of the point in a file's numbers. A program prints all its numbers in one locale.
struct PointUse {
  bool groups_digits = false;    ///< "1.234.567", or "1.048" if the number must be whole.
  bool begins_fraction = false;  ///< "72.34"

  void look_at(std::string_view text, bool must_be_whole);
};

/// The value of a number with commas, apostrophes or spaces of any width between thousands and a point before
/// the fraction; or with points between thousands if the file shows that meaning. Nothing for other texts,
/// and for texts that can mean two numbers.
std::optional<double> profiler_number(std::string text, const PointUse& use, bool must_be_whole);

}  // namespace heddle::validate
