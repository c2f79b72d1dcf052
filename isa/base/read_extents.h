// Parses the size of a grid or block.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "isa/base/dim3.h"
#include "isa/base/read_bytes.h"

namespace heddle {

/// Reads "256", "16x16" or "16x16x4", each number as count_in() reads it ("64K"). Nothing for any other text.
/// An extent may be 0.
inline std::optional<Dim3> extents_in(std::string_view text) {
  Dim3 extents;
  for (std::uint32_t* extent : {&extents.x, &extents.y, &extents.z}) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const auto count = count_in(text.substr(0, end));
    if (!count || *count > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    *extent = static_cast<std::uint32_t>(*count);
    if (end == text.size()) return extents;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace heddle
