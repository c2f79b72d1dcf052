// --sample blocks: times some blocks of a grid in steady state for all of them.
#pragma once

#include <string>

#include "isa/ir/kernel.h"
#include "sim/device/block_sampler.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// Why no block of the kernel can be left out: others may wait for it, or ask whether they are the last one.
/// Empty if blocks do neither.
std::string why_blocks_depend(const ir::Kernel& kernel);

/// What the report says of a run with such a sampler.
report::SampledBlocks sampled_blocks(const sim::BlockSample& sample);
/// And of one without, because it had to be whole.
report::SampledBlocks whole_blocks(std::string why);

}  // namespace heddle::command
