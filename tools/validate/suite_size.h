// The total size of a suite. Rows times series times texts can make a small file ask for more than the
// machine can hold.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "isa/base/diagnostic.h"

namespace heddle::validate {

/// Limits that protect the memory of this program, far above any real suite. Throws InputError at `where` if
/// one is exceeded.
class SuiteSize {
 public:
  void add_case(const SourceLocation& where) { add(cases_, 1, 20'000, "cases", where); }
  void add_run(const SourceLocation& where) { add(runs_, 1, 200'000, "runs", where); }
  /// Bytes of filled-in texts and of the steps of generated kernels.
  void add_text(std::uint64_t bytes, const SourceLocation& where) {
    add(text_, bytes, std::uint64_t{256} << 20, "bytes of text", where);
  }

 private:
  static void add(std::uint64_t& sum, std::uint64_t more, std::uint64_t most, std::string_view what,
                  const SourceLocation& where) {
    sum += more;
    if (sum > most)
      throw InputError(where, fmt::format("here the suite comes to more than {} {}", most, what));
  }

  std::uint64_t cases_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t text_ = 0;
};

}  // namespace heddle::validate
