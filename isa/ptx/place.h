// Where something stands: in the PTX text, and in the source that the PTX was made from.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::ptx {

/// A position in the PTX text. Both count from 1; 0 is unknown.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< In bytes.
};

/// Stands for "none" where an index is expected.
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// What a .loc directive says: the line of source that the instructions behind it were made from.
struct SourceLine {
  std::uint32_t file = 0;  ///< The number that .file gave, see Module::files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;              ///< The function that was inlined; empty where nothing was inlined.
  std::uint32_t inlined_at = kNone;  ///< The line that called it: an index into the same list.
};

}  // namespace heddle::ptx
