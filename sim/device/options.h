// How devices and runs are wanted.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/base/types.h"
#include "sim/events/observer.h"

namespace heddle::sim {

class BlockSampler;

/// How far a device is with the grids that run.
struct Progress {
  Cycle cycle = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
  std::uint64_t warp_instructions = 0;  ///< Issued so far.
};

/// How a device is simulated. Neither option changes a result.
struct DeviceOptions {
  bool visit_every_cycle = false;  ///< Reference mode: slow, same results.
  unsigned threads = 1;            ///< SMs run on so many, with the same results on any number.
};

/// What a launch asks for beside its grid.
struct LaunchOptions {
  Cycle max_cycles = kNever;        ///< A grid that takes longer is a KernelFault.
  bool by_instruction = false;      ///< RunResult::by_pc is wanted, too.
  BlockSampler* sampler = nullptr;  ///< Says which blocks are left out. A CountedKernel tells it of blocks.
};

/// What a launch that runs alone, on a device of its own, asks for.
struct RunOptions {
  bool visit_every_cycle = false;  ///< As in DeviceOptions, as is `threads`.
  unsigned threads = 1;
  Cycle max_cycles = kNever;        ///< A run that takes longer is a KernelFault.
  bool by_instruction = false;      ///< RunResult::by_pc is wanted, too.
  BlockSampler* sampler = nullptr;  ///< Says which blocks are left out, if some may be; null: none is.
  Observer* observer = nullptr;     ///< Hears of the run. Cycles count from the launch.
  CycleRange samples;  ///< Cycles in which it hears what every resident warp does; each of them is visited.
  std::function<void(const Progress&)> progress;  ///< Called every so many quanta.
};

}  // namespace heddle::sim
