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

/// How the interval of SampledBlocks is made, which is meant to hold in kConfidence of cases.
inline constexpr std::string_view kBlockSampleMethod =
    "batch means of steady waves, Student's t, for the waves that were left out; beside it half the difference "
    "between these waves and the last one, and the difference between the earlier and the later ones of them";

/// If a grid's blocks were to be left out as soon as it runs in steady state: which were, and what they would
/// have taken. Of several launches the sum.
struct SampledBlocks {
  std::string why_whole;     ///< Why all blocks were simulated; empty if some were left out.
  std::uint64_t blocks = 0;  ///< That were simulated.
  std::uint64_t of_blocks = 0;
  std::uint64_t wave_blocks = 0;  ///< That the GPU holds at a time; 0 for several launches.
  std::uint64_t steady_waves = 0;
  double wave_cycles = 0;     ///< What a steady wave takes;
  double wave_deviation = 0;  ///< its standard deviation.
  Cycle cycles_left_out = 0;  ///< What the blocks that were left out would have taken.
  double half_width = 0;      ///< Half of that number's interval, in cycles.
};

/// A launch of a list that was timed only for what it leaves in L2.
struct WarmUp {
  std::uint32_t group = 0;
  Cycle cycles = 0;
};

/// The launches of a list that a timed one stands for, if only some were timed.
struct StandsFor {
  std::uint32_t group = 0;              ///< Of launches that are alike; from 1, in the order of the list.
  std::uint64_t members = 0;            ///< How many launches the group has.
  bool is_first = false;                ///< It is the group's first launch, and stands only for itself.
  std::vector<std::uint64_t> launches;  ///< Their numbers, its own among them.
  std::optional<WarmUp> warm_up;        ///< The launch before it, if that was run only to warm L2.
};

/// How the interval of a ListSample is made.
inline constexpr std::string_view kListSampleMethod =
    "stratified random sample of alike launches, Student's t; beside it the difference that L2 makes, by "
    "launches timed without the one before them";

/// The size of such a sample, and the interval of the cycles of all launches.
struct ListSample {
  std::uint64_t launches = 0;
  std::uint64_t timed = 0;
  std::uint64_t warm_ups = 0;
  std::uint64_t groups = 0;
  double confidence = 0;    ///< Share of the cases in which the interval is meant to hold the true cycles.
  double from_scatter = 0;  ///< Half of the interval, in cycles: from launches of a group that differ,
  double from_l2 = 0;       ///< and from what launches would have found in L2.

  [[nodiscard]] double half_width() const { return from_scatter + from_l2; }
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
  std::optional<SampledBlocks> blocks;        ///< Set if blocks were to be left out.
  std::optional<StandsFor> stands_for;        ///< For a launch of a list of which only some were timed.
  std::optional<ListSample> list_sample;      ///< For the sum of such a list.
  bool registers_estimated = false;           ///< The kernel was lowered from PTX.
  Provenance provenance;
  /// For a point of a sweep: keys and values.
  std::vector<std::pair<std::string, std::string>> swept;
};

/// The figures of a run and the facts about it.
struct Summary : sim::RunFigures {
  RunInfo info;

  /// The cycles of all blocks: the figure for reports. It is an estimate if blocks were left out, and
  /// `cycles`, to which all other figures belong, are those of the simulated blocks.
  [[nodiscard]] Cycle whole_cycles() const {
    return cycles + (info.blocks ? info.blocks->cycles_left_out : 0);
  }
  [[nodiscard]] double whole_time_us() const { return static_cast<double>(whole_cycles()) / clock_mhz; }
  [[nodiscard]] bool all_checks_hold() const;
  [[nodiscard]] std::uint64_t approximated_instructions() const;
  /// How many launches it stands for: 1 unless only some of a list were timed.
  [[nodiscard]] std::uint64_t weight() const {
    return info.stands_for ? info.stands_for->launches.size() : 1;
  }
};

/// The samples of several runs added up, each as often as its weight() says; nothing if the runs are of the
/// whole GPU.
std::optional<SampleSize> sample_of(std::span<const Summary> runs);

/// The sampled blocks of several runs added up in the same way; nothing if none was to be sampled by blocks.
std::optional<SampledBlocks> blocks_of(std::span<const Summary> runs);

/// Throws std::logic_error if the parts of a ledger do not sum to its supply; that is a bug of the model, not
/// a mistake of the user.
Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info);

/// The figures of several kernels that ran one after another on one GPU, from the figures of each and the
/// sums of the SMs' counters. Each counts as often as its weight() says. Throws in the same case.
Summary summarize_all(std::span<const Summary> runs, const std::vector<sim::SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info);

}  // namespace heddle::report
