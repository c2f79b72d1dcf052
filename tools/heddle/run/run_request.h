// What `heddle run` is asked to do.
#pragma once

#include <string>
#include <vector>

#include "sim/events/observer.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/run/recording.h"
#include "tools/heddle/run/sweep.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// --save BUFFER=FILE.npy
struct SaveRequest {
  std::string buffer;
  std::string path;
};

/// --timeline FROM:TO, of one SM
struct TimelineRequest {
  sim::CycleRange range;
  SmId sm = 0;
  bool lanes = false;  ///< Each issue with its active lanes, too.
};

/// --kernel N or --kernels A-B,C, of a list of traces.
struct KernelsRequest {
  std::string option;   ///< "kernel" or "kernels"
  std::string numbers;  ///< "3-7,12"; empty: all.
};

struct RunRequest {
  Arguments command;  ///< That asks for it, of a sweep for all points, in the form of essential_arguments().
  Arguments subject;  ///< The same without what says only how the report looks.
  Arguments typed;    ///< As they were typed.
  SweptValues swept;  ///< Of one point of a sweep: what is changed, and already is.
  std::vector<std::string> launches;
  std::string gpu;
  std::vector<std::string> settings;  ///< For the GPU: --set, then the options of gpu_options.h.
  Wordings wordings;                  ///< How these, and what is swept, were written.
  launch::LaunchOverrides overrides;
  std::string format;                 ///< text, json or csv
  std::optional<std::string> output;  ///< A file, instead of standard output.
  std::vector<SaveRequest> saves;
  std::optional<TimelineRequest> timeline;
  std::optional<RecordRequest> record;
  KernelsRequest kernels;
  std::optional<Cycle> max_cycles;
  std::optional<std::uint32_t> sms;  ///< So many of the GPU's SMs stand for it; without it all run.
  unsigned threads = 1;              ///< For all that runs at a time; of a run of a series, its own.
  unsigned jobs = 0;                 ///< Runs side by side; 0: as many as are fastest.
  /// Where runs that are done are kept until the report is; beside the report where nothing else is said.
  std::optional<std::string> journal;
  bool resume = false;  ///< Goes on with what the journal has.
  bool every_cycle = false;
  bool check = true;
  bool quiet = false;
  bool ascii = false;
  bool full = false;  ///< All there is to say of a run, instead of a page.
  bool print_gpu = false;
  bool list_schedulers = false;
};

/// Throws UsageError.
RunRequest read_run_request(const OptionValues& values);
/// One for each point of --sweep; without it there is one.
std::vector<RunRequest> read_run_requests(const Syntax& syntax, const Arguments& arguments);

}  // namespace heddle::command
