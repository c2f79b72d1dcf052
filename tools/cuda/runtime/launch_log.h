// What a program launched: by kernel, and the reports of launches that are asked for. It outlives what was
// counted by, since programs reset their devices.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/stream/kernel_fault.h"
#include "sim/figures/figures_sum.h"
#include "sim/session/device.h"
#include "tools/cuda/runtime/program_page.h"
#include "tools/cuda/runtime/settings.h"
#include "tools/sample/running_sample.h"

namespace heddle::cudart {

/// All launches of one kernel so far. Sums over the timed ones.
struct KernelTotals {
  std::string name;
  std::string label;  ///< The name; of a second kernel of that name, with its place in the source.
  std::string mangled;
  std::uint64_t calls = 0;
  std::uint64_t timed = 0;
  sample::ProgramEstimate
      estimate;             ///< Of all launches, if some are timed for all; see LaunchLog::estimate().
  double estimated_us = 0;  ///< Likewise.
  double time_us = 0;
  double theoretical_occupancy = 0;  ///< Weighted by time, like the next.
  double achieved_occupancy = 0;
  double longest_us = 0;
  std::string verdict;      ///< Of the longest launch.
  sim::FiguresSum figures;  ///< If totals are wanted.

  /// The time of launches() of them: of the timed ones, or of all as they are estimated.
  [[nodiscard]] double all_us() const { return estimate.launches == 0 ? time_us : estimated_us; }
  [[nodiscard]] std::uint64_t launches() const { return estimate.launches == 0 ? timed : estimate.launches; }
};

/// Copies of one direction.
struct CopyTotals {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double time_us = 0;
};

/// Where a copy goes.
enum class CopyDirection : std::uint8_t { ToDevice, ToHost, OnDevice, BetweenDevices };
inline constexpr std::size_t kDirectionCount = 4;

/// The launches of a GPU, before and after it was reset. What one has counted is given back soon after it has
/// ended: a program launches thousands.
class LaunchLog {
 public:
  /// The settings must outlive it.
  LaunchLog(const Settings& settings, sim::GpuSpec gpu);

  /// Whether the next launch is to be timed, which it is if it `has_to`. Counts it. `place`: "app.cu:12", or
  /// nothing.
  bool begin(const sample::LaunchTraits& launch, bool has_to, const std::function<std::string()>& place);
  /// What the same launch is likely to take, in cycles, for who asks when it begins; null: nobody knows.
  std::function<Cycle()> expected_cycles(const session::Device& device);
  void add(session::LaunchId launch, const std::string& kernel, bool is_timed);
  void add_copy(CopyDirection direction, std::uint64_t bytes, double time_us);
  /// What all launches that have ended took, from those that were timed. For each kernel, and for all of
  /// them.
  void estimate();
  [[nodiscard]] const sample::ProgramEstimate& estimate_of_all() const { return estimate_; }
  /// Takes the figures of what has ended. Throws InputError if a report cannot be written.
  void collect(session::Device& device);

  std::optional<ProgramPage> page;  ///< If one is wanted.

  /// A launch has failed: sums lack it, and what would have come after it.
  void note_fault(stream::FaultKind kind) {
    has_failed_ = true;
    is_over_limit_ |= kind == stream::FaultKind::CycleLimit && settings_.max_cycles;
  }
  /// The GPU is reset: what a fault has left behind on it never ends.
  void forget_open() {
    open_.clear();
    learnt_ = 0;
  }
  /// The GPU is reset, or its program ends: so long has it lived.
  void add_clock(double time_us) { clock_us_ += time_us; }

  [[nodiscard]] const sim::GpuSpec& gpu() const { return gpu_; }
  [[nodiscard]] double clock_us() const { return clock_us_; }
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// A launch alone took more than HEDDLE_MAX_CYCLES.
  [[nodiscard]] bool is_over_limit() const { return is_over_limit_; }
  /// What a launch may take.
  [[nodiscard]] Cycle most_cycles() const { return settings_.max_cycles.value_or(kNever); }
  [[nodiscard]] const std::vector<KernelTotals>& kernels() const { return kernels_; }
  [[nodiscard]] const CopyTotals& copies(CopyDirection direction) const {
    return copies_[static_cast<std::size_t>(direction)];
  }

 private:
  /// A launch that has not been collected.
  struct Open {
    session::LaunchId launch;
    std::uint64_t number;
    std::size_t kernel;
    bool is_timed;
  };

  void take_figures(session::Device& device, const Open& open);
  void learn(const session::Device& device);

  const Settings& settings_;
  sim::GpuSpec gpu_;
  double clock_us_ = 0;
  bool has_failed_ = false;
  bool is_over_limit_ = false;
  std::uint64_t launches_ = 0;
  std::map<std::string, std::size_t> by_name_;  // mangled
  std::vector<KernelTotals> kernels_;           // in the order of their first launches
  CopyTotals copies_[kDirectionCount];
  std::deque<Open> open_;
  std::size_t learnt_ = 0;  // so many of `open_` the sample has heard of
  std::optional<sample::RunningSample> sample_;
  sample::ProgramEstimate estimate_;
};

}  // namespace heddle::cudart
