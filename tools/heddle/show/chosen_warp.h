// The warp that a picture is of.
#pragma once

#include <cstdint>

#include "isa/stream/warp_source.h"
#include "tools/heddle/base/options.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// Both count from 0.
struct ChosenWarp {
  BlockId block = 0;
  std::uint32_t warp = 0;  ///< Of the block.
};

/// Adds --block and --warp.
void add_warp_options(Syntax& syntax);
ChosenWarp chosen_warp_of(const OptionValues& values);

/// Throws UsageError if the launch has no such warp.
void require_warp(const ChosenWarp& chosen, const launch::LaunchFile& file, const stream::LaunchShape& shape);

}  // namespace heddle::command
