// Executes a launch for its results alone, without time: blocks one after another.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/exec/access_watch.h"
#include "isa/exec/live_kernel.h"

namespace heddle::exec {

/// What was executed, over all blocks.
struct FunctionalCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< Lanes whose guard held, summed over the warp instructions.

  FunctionalCounts& operator+=(const FunctionalCounts& more) {
    warp_instructions += more.warp_instructions;
    thread_instructions += more.thread_instructions;
    return *this;
  }
};

/// Throws KernelFault as LiveSource does, and where warps of a block wait for one another for ever, at
/// barriers or in loops. A program that reads the clock finds the number of instructions that the warp has
/// issued.
FunctionalCounts run_functionally(LiveKernel& kernel);

/// The same of the blocks that are `wanted` only. A warp of more instructions than `most_instructions` is a
/// KernelFault.
FunctionalCounts run_functionally(LiveKernel& kernel, const std::function<bool(BlockId)>& wanted,
                                  std::uint64_t most_instructions = ~std::uint64_t{0});

/// The same of all blocks, of whose accesses to memory `watch` hears.
FunctionalCounts run_functionally(LiveKernel& kernel, AccessWatch& watch);

}  // namespace heddle::exec
