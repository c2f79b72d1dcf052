// What `heddle bench` finds out: how fast the simulator is, launch by launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/types.h"
#include "tools/bench/timing.h"
#include "tools/report/provenance.h"

namespace heddle::bench {

/// So many warp instructions in each of several runs.
struct Speed {
  std::uint64_t warp_instructions = 0;
  Timing time;

  [[nodiscard]] double per_second() const;  ///< Warp instructions, in the median run.
};

/// One launch, or one kernel trace.
struct Row {
  std::string name;
  std::optional<Speed> functional;  ///< Nothing where blocks wait for blocks: one by one they never end.
  Speed timed;                      ///< On one thread.
  std::optional<Speed> threaded;    ///< On Run::threads; nothing if that is one.
  Cycle cycles = 0;
  /// That the launch has on the GPU at once, where blocks are there long enough.
  std::uint64_t resident_warps = 0;
  /// What the GPU takes from the heap before its first block: SMs with places for warps, caches.
  std::uint64_t gpu_bytes = 0;
  /// The same at the most of a run on one thread: with the registers, paths and shared memory of resident
  /// warps, with requests on their way, of a trace with what is read ahead. Neither counts the program, the
  /// launch's buffers, or what a trace has spilled to a file.
  std::uint64_t heap_bytes = 0;
  report::Provenance provenance = {};

  [[nodiscard]] std::optional<double> timed_per_functional()
      const;                                             ///< Times, not speeds: 2 is twice as slow.
  [[nodiscard]] double cycles_per_second() const;        ///< Simulated, on one thread.
  [[nodiscard]] double bytes_per_resident_warp() const;  ///< Of what the blocks add to the GPU.
  [[nodiscard]] double noise() const;                    ///< The greatest of its timings.
};

/// The machine that the simulator ran on.
struct Machine {
  std::string processor;
  unsigned cores = 0;
  std::string compiler;
};

Machine this_machine();

struct Run {
  std::string version;  ///< Of Heddle.
  Machine machine;
  std::string gpu;
  unsigned threads = 1;
  unsigned repetitions = 0;  ///< At least.
  std::vector<Row> rows;
  report::Provenance provenance = {};  ///< Of all rows: their files, and the baseline.
};

}  // namespace heddle::bench
