// The results of `heddle bench`: the speed of the simulator for each launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/types.h"
#include "tools/bench/timing.h"
#include "tools/report/provenance.h"

namespace heddle::bench {

/// The speed of several runs with this many warp instructions each.
struct Speed {
  std::uint64_t warp_instructions = 0;
  Timing time;

  [[nodiscard]] double per_second() const;  ///< Warp instructions per second of the median run.
};

/// One launch, or one kernel trace.
struct Row {
  std::string name;
  /// Not set if blocks wait for each other, because a functional run executes them one by one.
  std::optional<Speed> functional;
  Speed timed;                    ///< On one thread.
  std::optional<Speed> threaded;  ///< On Run::threads threads; not set if that is one.
  Cycle cycles = 0;
  /// Warps that are resident on the GPU at once, if blocks stay long enough.
  std::uint64_t resident_warps = 0;
  /// Bytes of heap that the GPU takes before its first block: SMs with their warp slots, caches.
  std::uint64_t gpu_bytes = 0;
  /// Peak bytes of heap in a run on one thread. In addition to the GPU this includes registers, paths and
  /// shared memory of resident warps, requests in flight, and for a trace what is read ahead. Neither figure
  /// includes the program, the launch's buffers, or what a trace has spilled to a file.
  std::uint64_t heap_bytes = 0;
  report::Provenance provenance = {};

  [[nodiscard]] std::optional<double> timed_per_functional()
      const;                                             ///< Times, not speeds: 2 is twice as slow.
  [[nodiscard]] double cycles_per_second() const;        ///< Simulated cycles per second on one thread.
  [[nodiscard]] double bytes_per_resident_warp() const;  ///< Each warp's share of the bytes that blocks add.
  [[nodiscard]] double noise() const;                    ///< The greatest noise of its timings.
};

/// The machine that the simulator ran on.
struct Machine {
  std::string processor;
  unsigned cores = 0;
  std::string compiler;
};

Machine this_machine();

/// All results of one `heddle bench`.
struct Run {
  std::string version;  ///< Version of Heddle.
  Machine machine;
  std::string gpu;
  unsigned threads = 1;
  unsigned repetitions = 0;  ///< Least number of rounds.
  std::vector<Row> rows;
  report::Provenance provenance = {};  ///< The files of all rows, and the baseline.
};

}  // namespace heddle::bench
