// A line on a terminal that says how far a run is, and is gone at the end:
//
//   vecadd: 12.35 M cycles, 2.10 M/s, 120 of 1056 blocks (11 %), 8 s left
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/gpu/run.h"

namespace heddle::command {

class ProgressLine {
 public:
  using Clock = std::function<double()>;  ///< Seconds since any time.
  using Sink = std::function<void(std::string_view)>;

  ProgressLine(const std::string& name, Clock clock, Sink sink);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Writes nothing in the first second, and not more often than a person can read.
  void update(const sim::Progress& progress);
  /// The same of a number of runs: "validate: 12 of 60 runs, 8 s left".
  void update(std::size_t runs_done, std::size_t runs);

  /// Seconds of the machine that runs Heddle. They reach no report.
  static Clock steady_clock();

 private:
  /// Shows what `text` makes of the seconds that have passed, if it is time.
  template <typename Text>
  void show(Text text);
  [[nodiscard]] std::string text(const sim::Progress& progress, double elapsed) const;

  std::string name_;
  Clock clock_;
  Sink sink_;
  double start_;
  double next_;
  bool shown_ = false;
};

}  // namespace heddle::command
