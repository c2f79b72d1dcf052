// A line on a terminal that says how far the work is, and is gone at the end:
//
//   vecadd: 12.35 M cycles, 2.10 M/s, 120 of 1056 blocks (11 %), 8 s left
//   run 137 of 400, 9 s left
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/device/run.h"

namespace heddle::command {

using Clock = std::function<double()>;  ///< Seconds since any time.
using Sink = std::function<void(std::string_view)>;

/// Seconds of the machine that runs Heddle. They reach no report.
Clock steady_clock();

/// Writes nothing in the first second, and not more often than a person can read.
class TerminalLine {
 public:
  TerminalLine(Clock clock, Sink sink);
  ~TerminalLine() { erase(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  /// Shows what `text` makes of the seconds that have passed, if it is time.
  void show(const std::function<std::string(double)>& text);
  /// A line that stays, above this one.
  void note(std::string_view text);
  void erase();
  [[nodiscard]] double elapsed() const { return clock_() - start_; }

 private:
  Clock clock_;
  Sink sink_;
  double start_;
  double next_;
  bool shown_ = false;
};

/// How far one run is. Where blocks end, by them; until then by cycles and instructions.
class ProgressLine {
 public:
  using Clock = command::Clock;
  using Sink = command::Sink;

  /// `has_limit`: the run ends by itself, since its cycles are limited. Where they are not, and no block has
  /// ended for long, a note says how to limit them.
  ProgressLine(const std::string& name, Clock clock, Sink sink, bool has_limit = false);

  void update(const sim::Progress& progress);
  /// The same of a number of runs: "validate: 12 of 60 runs, 8 s left".
  void update(std::size_t runs_done, std::size_t runs);

  static Clock steady_clock() { return command::steady_clock(); }

 private:
  void note_if_endless(const sim::Progress& progress);

  std::string name_;
  TerminalLine line_;
  bool has_limit_;
  bool noted_ = false;
  std::uint64_t blocks_done_ = 0;
  double block_ended_ = 0;  // the last one, in seconds from the start
};

/// How far many runs are, some of them side by side: their threads may call this at once.
class RunsProgress {
 public:
  /// `done`: runs that were made before, and took no time.
  RunsProgress(std::size_t runs, std::size_t done, Clock clock, Sink sink);

  /// For one of them, from its start: what it tells of itself stands behind, where it takes long.
  [[nodiscard]] std::function<void(const sim::Progress&)> watch(const std::string& name);
  void run_done();
  /// Takes the line away and lets something else be written.
  void tell(const std::function<void()>& write);
  /// Takes it away for good, whoever still runs.
  void close();

 private:
  [[nodiscard]] std::string text(double elapsed) const;

  std::mutex mutex_;
  TerminalLine line_;
  std::size_t runs_;
  std::size_t done_;
  std::size_t done_before_;
  bool closed_ = false;
};

}  // namespace heddle::command
