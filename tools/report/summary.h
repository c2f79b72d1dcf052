// What every form of report shows of a run: the figures of sim/figures, and what the run itself does not
// know.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/device/run_result.h"
#include "sim/figures/run_figures.h"
#include "tools/report/provenance.h"

namespace heddle::report {

using sim::LedgerSummary;
using sim::Part;
using sim::PipeUse;
using sim::Ratio;
using sim::ratio;
using sim::Spread;

/// A result check and how it went.
struct CheckResult {
  std::string buffer;
  std::uint64_t elements = 0;  ///< Of the buffer; of a sample,
  std::uint64_t compared = 0;  ///< fewer are compared.
  std::uint64_t differing = 0;
};

/// An opcode of a trace that was timed as another one.
struct Approximation {
  std::string opcode;
  std::string as;
  std::uint64_t warp_instructions = 0;
};

/// Of a run of some of a GPU's SMs in the place of all: what was simulated.
struct SampleSize {
  std::uint32_t sms = 0;
  std::uint32_t of_sms = 0;
  std::uint64_t blocks = 0;
  std::uint64_t of_blocks = 0;
};

/// What the run itself does not know.
struct RunInfo {
  std::string launch_path;  ///< The launch file, or the trace.
  std::string short_name;   ///< That a table has for it: "vecadd".
  std::string description;
  std::vector<CheckResult> checks;
  bool checked = true;                        ///< False: the launch's checks were not made.
  bool is_trace = false;                      ///< A recorded launch: there is nothing to check.
  std::vector<Approximation> approximations;  ///< Of a trace.
  std::optional<SampleSize> sample;           ///< Without it, the whole GPU was simulated.
  Provenance provenance;
  /// Of a point of a sweep: keys and their values there.
  std::vector<std::pair<std::string, std::string>> swept;
};

/// The figures of a run, beside what the run itself does not know.
struct Summary : sim::RunFigures {
  RunInfo info;

  [[nodiscard]] bool all_checks_hold() const;
  [[nodiscard]] std::uint64_t approximated_instructions() const;
};

/// The samples of several runs together; nothing if they are runs of the whole GPU.
std::optional<SampleSize> sample_of(std::span<const Summary> runs);

/// Throws std::logic_error if a ledger does not add up to its supply: then the model is wrong, not the user.
Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info);

/// The figures of several kernels of one GPU, run one after another, from those of each and the sums of what each
/// SM counted. Throws likewise.
Summary summarize_all(std::span<const Summary> runs, const std::vector<sim::SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info);

}  // namespace heddle::report
