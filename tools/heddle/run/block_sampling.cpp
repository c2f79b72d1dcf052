#include "tools/heddle/run/block_sampling.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "isa/cfg/polling.h"

namespace heddle::command {

std::string why_blocks_depend(const ir::Kernel& kernel) {
  const std::vector<Pc> polls = cfg::polling_accesses(kernel);
  const auto line = [&kernel](Pc pc) { return kernel.instructions[pc].line; };
  if (!polls.empty())
    return fmt::format("blocks may wait for one another ({}:{})", kernel.file, line(polls[0]));
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    if (ir::info(kernel.instructions[pc].opcode).timing_class == ir::TimingClass::AtomicGlobal) {
      return fmt::format("what a block does may depend on others, by the result of an atomic ({}:{})",
                         kernel.file, line(pc));
    }
  }
  return {};
}

report::SampledBlocks sampled_blocks(const sim::BlockSample& sample) {
  report::SampledBlocks facts;
  facts.why_whole = sample.why_whole;
  facts.blocks = sample.of_blocks - sample.left_out.blocks();
  facts.of_blocks = sample.of_blocks;
  if (sample.is_whole()) return facts;
  facts.wave_blocks = sample.wave;
  facts.steady_waves = sample.steady_waves;
  facts.wave_cycles = sample.wave_cycles.mean;
  facts.wave_deviation = sample.wave_deviation;
  facts.cycles_left_out = static_cast<Cycle>(std::llround(sample.cycles_left_out()));
  facts.half_width = sample.half_width();
  return facts;
}

report::SampledBlocks whole_blocks(std::string why) {
  report::SampledBlocks facts;
  facts.why_whole = std::move(why);
  return facts;
}

}  // namespace heddle::command
