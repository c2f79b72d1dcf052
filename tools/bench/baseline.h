// An earlier run of `heddle bench` to compare with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tools/bench/row.h"

namespace heddle::bench {

/// An earlier speed.
struct PastSpeed {
  double per_second = 0;  ///< Warp instructions per second.
  double noise = 0;
  std::uint64_t warp_instructions = 0;
};

/// The earlier speeds of one launch.
struct PastRow {
  std::optional<PastSpeed> functional;
  std::optional<PastSpeed> timed;
  std::optional<PastSpeed> threaded;
};

/// An earlier run of `heddle bench`.
struct Baseline {
  std::string path;
  std::string processor;
  std::string gpu;
  std::uint64_t threads = 1;
  std::map<std::string, PastRow> rows;  // by name
};

/// Loads a file that `heddle bench --save` wrote. Throws InputError if the file is another one.
Baseline load_baseline(const std::string& path);

/// A speed relative to the earlier one.
struct Change {
  double ratio = 1;
  bool is_clear = false;  ///< The change is larger than the noise of both runs.
};

/// Not set unless both exist and have the same number of warp instructions; with other parameters the launch
/// is another one.
std::optional<Change> change(const std::optional<Speed>& now, const std::optional<PastSpeed>& before);

/// The changes of the three speeds of one launch.
struct RowChange {
  std::optional<Change> functional;
  std::optional<Change> timed;
  std::optional<Change> threaded;
};

/// Not set if the baseline has no row with this name. Speeds with different numbers of threads are not
/// compared.
std::optional<RowChange> change(const Run& run, const Row& row, const Baseline& baseline);

}  // namespace heddle::bench
