// Text that is the size of a grid or a block.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "isa/base/dim3.h"
#include "isa/base/read_number.h"

namespace heddle {

/// Of "256", "16x16" or "16x16x4"; nothing if it is no such thing. An extent may be 0.
inline std::optional<Dim3> extents_in(std::string_view text) {
  Dim3 extents;
  for (std::uint32_t* extent : {&extents.x, &extents.y, &extents.z}) {
    const std::size_t end = std::min(text.find('x'), text.size());
    if (!read_number(text.substr(0, end), *extent)) return std::nullopt;
    if (end == text.size()) return extents;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace heddle
