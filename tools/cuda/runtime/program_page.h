// The page of a program: its kernels, its launches, and the run view of as many of them as there is room for.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/session/device.h"
#include "tools/history/history_recorder.h"
#include "tools/report/line_profile.h"
#include "tools/report/summary.h"

namespace heddle::cudart {

struct KernelTotals;

/// Of how many launches of a kernel, the first ones, lines and timelines are told.
inline constexpr std::uint32_t kDetailedLaunches = 3;
/// A page has at most about the sum of these bytes. In this order a launch has the room: lines and timeline,
/// lines without a timeline of warps, figures, its row.
inline constexpr std::size_t kMostLaunchBytes = 1'200'000;  ///< Of one launch with its timeline.
inline constexpr std::size_t kMostDetailBytes = 5'000'000;  ///< Of all that are told with lines.
inline constexpr std::size_t kMostFigureBytes = 2'000'000;  ///< Of all that have figures alone.
inline constexpr std::size_t kMostRows = 8000;

/// Hears what a device does for the launches that are told with lines.
class ProgramPage final : public sim::Observer {
 public:
  explicit ProgramPage(report::Provenance provenance) : provenance_(std::move(provenance)) {}

  /// Hears of this device from now on, which has had no launch. What another one has not ended is forgotten.
  void attach(session::Device& device);

  /// The next timed launch of the device will be of this kernel. `files`: the names of the source files that
  /// ir::SourcePlace counts.
  void prepare(const ir::Kernel& kernel, const std::vector<std::string>& files, const sim::GpuSpec& gpu,
               session::LaunchConfig& config);
  /// The device has taken it.
  void launched();
  /// The first launch that has not been told has ended, as launch `number` of the program. Its kernel is the
  /// log's number `kernel`.
  void ended(session::Device& device, session::LaunchId launch, std::uint64_t number, std::size_t kernel,
             const report::Summary& summary);

  /// The file; empty if nothing was timed.
  [[nodiscard]] std::string text(const std::vector<KernelTotals>& kernels, double clock_us) const;

  [[nodiscard]] sim::EventKinds wanted() const override { return {.stall_sms = history::kWatchedSm + 1}; }
  void warp_issued(const sim::WarpIssued& event) override;
  void warp_stalled(const sim::WarpStalled& event) override;
  void block_started(const sim::BlockStarted& event) override;
  void block_ended(const sim::BlockEnded& event) override;
  void memory_served(const sim::MemoryServed& event) override;

 private:
  class Lanes;

  /// A launch that has not ended.
  struct Open {
    Open();  // Not left to the compiler: clang 14 cannot make it before ProgramPage is complete.

    std::optional<history::HistoryRecorder> recorder;  ///< If it is told with lines.
    std::optional<Cycle> since;                        ///< When it began, once its first block has.
    Cycle launch_cycles = 0;                           ///< From its begin to its first block.
    std::shared_ptr<Lanes> lanes;
    std::vector<std::string> code;
    std::vector<report::LineProfile> sources;
  };

  /// Null if the grid is not told with lines.
  Open* told(std::uint32_t grid);
  template <typename Event>
  void hear(Event event, void (history::HistoryRecorder::*take)(const Event&));
  std::string detail(Open& open, session::Device& device, session::LaunchId launch,
                     const report::Summary& summary);
  std::string figures(session::Device& device, const report::Summary& summary);
  void keep_shared(const nlohmann::ordered_json& data);

  report::Provenance provenance_;
  std::optional<Open> next_;
  std::deque<Open> open_;
  std::uint32_t first_open_ = 0;  // the GridId of the first one: a device counts its timed launches
  std::map<std::string, std::uint32_t> detailed_;  // by mangled name: how many there have been
  std::size_t detail_bytes_ = 0;
  std::size_t figure_bytes_ = 0;
  std::uint64_t rows_left_out_ = 0;
  std::string rows_;    // as JSON, with commas between them
  std::string shared_;  // members of the page, each with a comma before it
};

}  // namespace heddle::cudart
