// Runs a launch on a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/events/observer.h"
#include "sim/ledger/sm_counters.h"
#include "sim/memory/l2_contents.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// How far a run is.
struct Progress {
  Cycle cycle = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
  std::uint64_t warp_instructions = 0;  ///< Issued so far.
};

struct RunOptions {
  bool visit_every_cycle = false;  ///< Reference mode: slow, same results.
  unsigned threads = 1;            ///< SMs run on so many, with the same results on any number.
  Cycle max_cycles = kNever;       ///< A run that takes longer is a KernelFault.
  Observer* observer = nullptr;    ///< With one, SMs run on one thread.
  CycleRange samples;              ///< Cycles in which the observer hears what every resident warp does.
  L2Contents* l2 = nullptr;        ///< What L2 holds before the run, then after it; without it, nothing at first.
  std::function<void(const Progress&)> progress;  ///< Called every so many quanta.
};

struct RunResult {
  stream::LaunchShape launch;
  Occupancy occupancy;
  /// From the launch until its blocks have ended, and memory has done what they asked for.
  Cycle cycles = 0;
  Cycle blocks_end = 0;         ///< When the last of them has.
  std::vector<SmCounters> sms;
  SmCounters total;             ///< Their sum, with what the shared memory system counted.
};

/// Throws InputError if not even one block fits an SM or the GPU has no such instructions, KernelFault if the
/// simulated program fails.
RunResult run(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options = {});

}  // namespace heddle::sim
