#include "tools/heddle/show/chosen_warp.h"

#include <fmt/format.h>

#include "tools/heddle/show/shown_run.h"

namespace heddle::command {

void add_warp_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("block", text_option("N"), "the block whose warp is shown; 0 if not given");
  add("warp", text_option("N"), "the warp of the block; 0 if not given");
}

ChosenWarp chosen_warp_of(const OptionValues& values) {
  return {number_of(values, "block", std::numeric_limits<std::uint64_t>::max()).value_or(0),
          size_of(values, "warp").value_or(0)};
}

void require_warp(const ChosenWarp& chosen, const launch::LaunchFile& file,
                  const stream::LaunchShape& shape) {
  if (chosen.block < shape.blocks() && chosen.warp < shape.warps_per_block()) return;
  throw UsageError(fmt::format("{} has no warp {} of block {}: it has {} blocks of {} warps, counted from 0",
                               short_name(file.path), chosen.warp, chosen.block, shape.blocks(),
                               shape.warps_per_block()));
}

}  // namespace heddle::command
