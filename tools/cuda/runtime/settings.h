// What the environment says of the simulated GPUs of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/base/override.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "tools/conditions/fail_condition.h"
#include "tools/cuda/runtime/check_choice.h"
#include "tools/cuda/runtime/timed_choice.h"

namespace heddle::cudart {

/// Read once, when the first simulated GPU of the process is asked for.
struct Settings {
  std::string gpu = "h100";   ///< HEDDLE_GPU: a name, or the path of a GPU file.
  Overrides overrides;        ///< HEDDLE_SET: "l1.latency=40", several with commas between them.
  unsigned gpus = 1;          ///< HEDDLE_GPUS: how many of them the program sees.
  unsigned threads = 1;       ///< HEDDLE_THREADS: all cores of the machine if it is not set.
  TimedChoice timed;          ///< HEDDLE_TIMED: which launches are timed; all if it is not set.
  std::string summary;        ///< HEDDLE_SUMMARY: the file of the table at the end; "-": standard error.
  bool takes_machine_code = false;  ///< HEDDLE_CODE: "machine", or "ptx", which is meant if it is not set.
  CheckChoice checks;         ///< HEDDLE_CHECK: what is looked for in launches, and at the end.
  std::string report_folder;  ///< HEDDLE_REPORT: where each timed launch's report is put.
  std::string record_folder;  ///< HEDDLE_RECORD: where each timed launch's trace is put, of one GPU alone.

  std::string html;                 ///< HEDDLE_HTML: the file of the program's page, of one GPU alone.
  std::string totals;               ///< HEDDLE_TOTALS: the file of the sums by kernel, for programs.
  std::optional<Cycle> max_cycles;  ///< HEDDLE_MAX_CYCLES: of all timed launches together.
  std::vector<conditions::FailCondition> fail_if;  ///< HEDDLE_FAIL_IF: several with semicolons between them.

  [[nodiscard]] bool has_limits() const { return max_cycles || !fail_if.empty(); }
  /// The sums of all that is counted, not only of what the table shows.
  [[nodiscard]] bool wants_totals() const { return !totals.empty() || has_limits(); }
  [[nodiscard]] bool wants_figures() const {
    return !summary.empty() || !report_folder.empty() || !html.empty() || wants_totals();
  }

  /// Whether there is something to do when the program ends.
  [[nodiscard]] bool wants_end() const { return wants_figures() || checks.any() || !record_folder.empty(); }

  /// Whether the environment asks for totals or limits, right or wrong.
  static bool asks_for_totals();
  /// HEDDLE_SMS is one more override, of the number of SMs. Throws InputError, which names the variable.
  static Settings from_environment();

  /// Throws InputError.
  [[nodiscard]] sim::GpuSpec load() const;
};

}  // namespace heddle::cudart
