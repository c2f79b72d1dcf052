// The request of a `heddle run` command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/base/override.h"
#include "sim/events/observer.h"
#include "tools/conditions/fail_condition.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/run/checkpoints.h"
#include "tools/heddle/run/line_request.h"
#include "tools/heddle/run/recording.h"
#include "tools/heddle/run/sweep.h"
#include "tools/heddle/run/sweep_plot.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// --save BUFFER=FILE.npy
struct SaveRequest {
  std::string buffer;
  std::string path;
};

/// --print BUFFER[FROM:TO]
struct PrintRequest {
  std::string buffer;
  std::uint64_t from = 0;
  std::uint64_t until = 0;  ///< Not printed itself.
};

/// --timeline FROM:TO, for one SM
struct TimelineRequest {
  sim::CycleRange range;
  SmId sm = 0;
  bool lanes = false;  ///< Show the active lanes of each issue, too.
};

/// --kernel N or --kernels A-B,C, for a list of traces.
struct KernelsRequest {
  std::string option;   ///< "kernel" or "kernels"
  std::string numbers;  ///< "3-7,12"; empty: all kernels.
};

/// What to run, on which GPU, and how to report it.
struct RunRequest {
  /// The command line in the form of essential_arguments(); for a sweep, that of all points.
  Arguments command;
  Arguments subject;  ///< The same without options that only change the look of the report.
  Arguments typed;    ///< The arguments as typed.
  SweptValues swept;  ///< For a point of a sweep: the changes, which are already applied.
  std::vector<std::string> launches;
  std::string gpu;
  Overrides settings;  ///< GPU settings: --set, then the options of gpu_options.h.
  Wordings wordings;   ///< How the swept values were written.
  launch::LaunchOverrides overrides;
  std::string format;                 ///< text, json or csv
  std::optional<std::string> output;  ///< A file; not set for standard output.
  std::vector<SaveRequest> saves;
  std::vector<PrintRequest> prints;
  std::optional<PlotRequest> plot;  ///< Only for a sweep.
  std::optional<TimelineRequest> timeline;
  std::optional<RecordRequest> record;
  std::optional<LineRequest> lines;
  std::optional<std::string> perfetto;  ///< The file for Perfetto.
  std::optional<std::string> html;      ///< The page.
  KernelsRequest kernels;
  std::optional<Cycle> max_cycles;
  std::vector<conditions::FailCondition> fail_if;
  std::optional<std::uint32_t> sms;  ///< Simulate only this many of the GPU's SMs, as a sample; not set: all.
  bool samples_kernels = false;      ///< --sample kernels: of a list of traces only some are timed.
  bool samples_blocks = false;  ///< --sample blocks: of a grid in steady state only some blocks are timed.
  bool dependences = false;  ///< --dependences: each read of machine code that comes too early is reported.
  /// Threads for all runs in parallel; for a run of a series, its own share.
  unsigned threads = 1;
  unsigned jobs = 0;  ///< Runs in parallel; 0: as many as are fastest.
  /// File that keeps finished runs until the report is written. If not set: beside the report.
  std::optional<std::string> journal;
  bool resume = false;  ///< Continue with the runs of the journal, or from the checkpoint.
  std::shared_ptr<Checkpoints> checkpoints;  ///< Null: none are made.
  bool every_cycle = false;
  bool check = true;
  bool quiet = false;
  bool ascii = false;
  bool full = false;  ///< Report everything about a run instead of a page.
  bool print_gpu = false;
  bool list_schedulers = false;

  /// Whether it asks for a picture, for which the run's history is kept.
  [[nodiscard]] bool has_pictures() const { return perfetto || html; }
};

/// Throws UsageError.
RunRequest read_run_request(const OptionValues& values);
/// One request for each point of --sweep, or a single one without it.
std::vector<RunRequest> read_run_requests(const Syntax& syntax, const Arguments& arguments);

}  // namespace heddle::command
