// What a launch's buffers must hold after the kernel has run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::launch {

struct LaunchFile;

/// buffer[i] must equal the expression's value for i, converted to the buffer's type.
struct Check {
  std::string buffer;
  std::string expected;  ///< An expression, in which `i` is the index.
  double tolerance = 0;  ///< Relative to the expected value.
  /// How many elements are compared, evenly spread; all of them if not given.
  std::optional<std::uint64_t> sample;
  SourceLocation where;  ///< Of the expression.
};

struct CheckFailure {
  struct Difference {
    std::uint64_t index = 0;
    std::string expected;
    std::string found;
  };

  SourceLocation where;
  std::string buffer;
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  std::vector<Difference> first;  ///< The lowest indices, at most kMostShown.

  static constexpr std::size_t kMostShown = 8;
};

/// Compares each check's buffer; an empty list means that all hold. Throws InputError where an expression
/// fails. So many threads evaluate the expressions, with the same result on any number.
std::vector<CheckFailure> run_checks(const LaunchFile& file, unsigned threads = 1);

/// "vecadd.yaml:16:13: check failed: 3 of 4096 compared elements of 'c' differ" and a line for each shown.
/// What `at` says stands behind "check failed".
std::string to_text(const CheckFailure& failure, std::string_view at = {});

/// The k-th of `sample` indices evenly spread over `count` elements, the first and the last among them.
std::uint64_t sample_index(std::uint64_t k, std::uint64_t sample, std::uint64_t count);

}  // namespace heddle::launch
