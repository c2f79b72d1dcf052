// What all forms of report show of a run: the figures of sim/figures, and facts about the run that the
// simulation does not have.
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
  std::uint64_t elements = 0;  ///< Elements of the buffer.
  std::uint64_t compared = 0;  ///< Elements that were compared; fewer for a sample.
  std::uint64_t differing = 0;
};

/// An opcode of a trace that was timed as another one.
struct Approximation {
  std::string opcode;
  std::string as;
  std::uint64_t warp_instructions = 0;
};

/// The size of a sample, if only some of a GPU's SMs were simulated.
struct SampleSize {
  std::uint32_t sms = 0;
  std::uint32_t of_sms = 0;
  std::uint64_t blocks = 0;
  std::uint64_t of_blocks = 0;
};

/// Facts about a run that the simulation does not have.
struct RunInfo {
  std::string launch_path;  ///< The launch file, or the trace.
  std::string short_name;   ///< The name in tables: "vecadd".
  std::string description;
  std::vector<CheckResult> checks;
  bool checked = true;                        ///< False: the checks of the launch were not made.
  bool is_trace = false;                      ///< A replayed trace, whose results cannot be checked.
  std::vector<Approximation> approximations;  ///< For a trace.
  std::optional<SampleSize> sample;           ///< Not set if the whole GPU was simulated.
  bool registers_estimated = false;           ///< The kernel was lowered from PTX.
  Provenance provenance;
  /// For a point of a sweep: keys and values.
  std::vector<std::pair<std::string, std::string>> swept;
};

/// The figures of a run and the facts about it.
struct Summary : sim::RunFigures {
  RunInfo info;

  [[nodiscard]] bool all_checks_hold() const;
  [[nodiscard]] std::uint64_t approximated_instructions() const;
};

/// The samples of several runs added up; nothing if the runs are of the whole GPU.
std::optional<SampleSize> sample_of(std::span<const Summary> runs);

/// Throws std::logic_error if the parts of a ledger do not sum to its supply; that is a bug of the model, not
/// a mistake of the user.
Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info);

/// The figures of several kernels that ran one after another on one GPU, from the figures of each and the
/// sums of the SMs' counters. Throws in the same case.
Summary summarize_all(std::span<const Summary> runs, const std::vector<sim::SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info);

}  // namespace heddle::report
