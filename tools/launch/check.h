// Checks of a launch's buffers after the kernel.
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
  std::string expected;  ///< An expression in which `i` is the index.
  double tolerance = 0;  ///< Relative to the expected value.
  /// Number of elements to compare, evenly spread; if not set, all.
  std::optional<std::uint64_t> sample;
  SourceLocation where;  ///< Position of the expression.
};

/// A buffer that differs from what its check expects.
struct CheckFailure {
  /// An element that differs.
  struct Difference {
    std::uint64_t index = 0;
    std::string expected;
    std::string found;
  };

  SourceLocation where;
  std::string buffer;
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  std::vector<Difference> first;  ///< The differences with the lowest indices, at most kMostShown.

  static constexpr std::size_t kMostShown = 8;
};

/// Compares the buffers of all checks. The result is empty if all checks hold. Throws InputError if an
/// expression fails. `threads` threads evaluate the expressions; the result does not depend on their number.
std::vector<CheckFailure> run_checks(const LaunchFile& file, unsigned threads = 1);

/// "vecadd.yaml:16:13: check failed: 3 of 4096 compared elements of 'c' differ", and a line for each
/// difference. `at` is inserted after "check failed".
std::string to_text(const CheckFailure& failure, std::string_view at = {});

/// The k-th of `sample` indices that are evenly spread over `count` elements. The first and the last element
/// are included.
std::uint64_t sample_index(std::uint64_t k, std::uint64_t sample, std::uint64_t count);

}  // namespace heddle::launch
