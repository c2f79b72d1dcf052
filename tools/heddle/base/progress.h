// A progress line on a terminal, which is removed at the end:
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

using Clock = std::function<double()>;  ///< Seconds since an arbitrary time.
using Sink = std::function<void(std::string_view)>;

/// A clock of the host. Its times appear in no report.
Clock steady_clock();

/// The progress line. It writes nothing in the first second, and never faster than people can read.
class TerminalLine {
 public:
  TerminalLine(Clock clock, Sink sink);
  ~TerminalLine() { erase(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  /// Shows the text if it is time. `text` gets the seconds since the start.
  void show(const std::function<std::string(double)>& text);
  /// Prints a permanent line above the progress line.
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

/// The progress of one run, measured by finished blocks; before the first block ends, by cycles and
/// instructions.
class ProgressLine {
 public:
  using Clock = command::Clock;
  using Sink = command::Sink;

  /// `has_limit`: the number of cycles is limited, so the run is sure to end. Otherwise, if no block ends for
  /// a long time, a note explains how to limit them.
  ProgressLine(const std::string& name, Clock clock, Sink sink, bool has_limit = false);

  void update(const sim::Progress& progress);
  /// The progress of several runs: "validate: 12 of 60 runs, 8 s left".
  void update(std::size_t runs_done, std::size_t runs);

  static Clock steady_clock() { return command::steady_clock(); }

 private:
  void note_if_endless(const sim::Progress& progress);

  std::string name_;
  TerminalLine line_;
  bool has_limit_;
  bool noted_ = false;
  std::uint64_t blocks_done_ = 0;
  double block_ended_ = 0;  // when the last block ended, in seconds since the start
};

/// The progress of many runs, some of them in parallel. Their threads can call this at the same time.
class RunsProgress {
 public:
  /// `done` runs were finished before and took no time now.
  RunsProgress(std::size_t runs, std::size_t done, Clock clock, Sink sink);

  /// Call this at the start of a run. The result reports the progress of that run, which is shown if the run
  /// is long.
  [[nodiscard]] std::function<void(const sim::Progress&)> watch(const std::string& name);
  void run_done();
  /// Removes the line while `write` writes something else.
  void tell(const std::function<void()>& write);
  /// Removes the line for good, even if runs are still active.
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
