// An earlier run of `heddle bench`, to compare with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tools/bench/row.h"

namespace heddle::bench {

/// How fast something was.
struct PastSpeed {
  double per_second = 0;  ///< Warp instructions.
  double noise = 0;
  std::uint64_t warp_instructions = 0;
};

struct PastRow {
  std::optional<PastSpeed> functional;
  std::optional<PastSpeed> timed;
  std::optional<PastSpeed> threaded;
};

struct Baseline {
  std::string path;
  std::string processor;
  std::string gpu;
  std::uint64_t threads = 1;
  std::map<std::string, PastRow> rows;  // by name
};

/// What `heddle bench --save` has written. Throws InputError if the file is no such thing.
Baseline load_baseline(const std::string& path);

/// How many times as fast as before.
struct Change {
  double ratio = 1;
  bool is_clear = false;  ///< It is more than both sides' runs differ among themselves.
};

/// Nothing unless both are there, and of as many warp instructions: other parameters make another launch.
std::optional<Change> change(const std::optional<Speed>& now, const std::optional<PastSpeed>& before);

struct RowChange {
  std::optional<Change> functional;
  std::optional<Change> timed;
  std::optional<Change> threaded;
};

/// Nothing unless the baseline has a row of that name. Speeds on different numbers of threads are not
/// compared.
std::optional<RowChange> change(const Run& run, const Row& row, const Baseline& baseline);

}  // namespace heddle::bench
