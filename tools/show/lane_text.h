// Lanes as text.
#pragma once

#include <string>
#include <string_view>

#include "isa/base/types.h"

namespace heddle::show {

struct ShownAccesses;

/// "0-7, 9": runs of lanes.
std::string lanes_text(LaneMask lanes);

/// A lane as one character: 0 to 9, a to z, A to Z, @ and &.
char lane_letter(unsigned lane);

/// "Coalescing: strided_copy on h100, block 0, warp 0".
std::string access_title(std::string_view picture, const ShownAccesses& shown);

}  // namespace heddle::show
