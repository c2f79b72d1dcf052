// A picture of scheduling: cycles from left to right, warps from top to bottom, one character for the state
// of a warp in a cycle.
//
//   SM 0, cycles 1500 to 1539
//                       1500      1510      1520      1530
//                       |         |         |         |
//   scheduler 0
//     block 0 warp 0    #w###ssssssssssssssssssss#wwwwLLLLLLLLLL
//     block 0 warp 4    #wn###sssssssssssssssssssssss#wwwwLLLLLL
//   ...
//   # issued   w wait: an earlier fixed-latency result   s short_scoreboard: ...
//
// If it is wider than the page, it continues below, with its own cycle numbers.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/events/observer.h"

namespace heddle::report {

/// Observes one SM in a range of cycles. The run must sample warps in the same range.
class Timeline final : public sim::Observer {
 public:
  Timeline(SmId sm, sim::CycleRange range, unsigned schedulers)
      : sm_(sm), range_(range), schedulers_(schedulers) {}

  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& issued) override;
  void warp_sampled(const sim::WarpSampled& sampled) override;

  /// Call this after the run with its number of cycles. If the run ended within the range, the picture ends
  /// there.
  void end_at(Cycle cycles);
  /// Call this if the run broke off. The picture ends with the last cycle in which a warp of the SM did
  /// something.
  void end_where_heard();

  /// A warp and what it does in each cycle of the range, one letter a cycle as in the picture.
  struct Row {
    std::string name;  ///< "block 0 warp 4"
    std::string cells;
  };
  /// In the order of the picture.
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] sim::CycleRange range() const { return range_; }

  /// The picture and its legend in this many columns. If no warp is resident in the range, tells when the
  /// SM's warps issue.
  [[nodiscard]] std::string text(std::size_t columns) const;

  /// A line for each issue: cycle, warp, active lanes as number and mask, instruction. Text that is too wide
  /// is wrapped.
  [[nodiscard]] std::string issues_text(unsigned warp_size, const std::function<std::string(Pc)>& instruction,
                                        std::size_t columns) const;

 private:
  /// Identifies a row of the picture. Rows are sorted by scheduler, slot, block and warp.
  struct WarpName {
    WarpSlot scheduler = 0;
    WarpSlot slot = 0;
    BlockId block = 0;
    std::uint32_t warp_in_block = 0;

    friend auto operator<=>(const WarpName&, const WarpName&) = default;
  };

  std::string& row(WarpSlot slot, BlockId block, std::uint32_t warp_in_block);
  static std::string row_name(const WarpName& name);
  [[nodiscard]] std::size_t name_columns() const;
  [[nodiscard]] std::string piece_text(sim::CycleRange piece, std::size_t names) const;
  [[nodiscard]] std::string legend() const;
  [[nodiscard]] std::string whereabouts() const;

  SmId sm_;
  sim::CycleRange range_;
  unsigned schedulers_;
  std::map<WarpName, std::string> rows_;
  std::set<ir::StallReason> seen_;
  std::vector<sim::WarpIssued> issues_;
  Cycle first_issue_ = kNever;  // also outside of the range
  Cycle last_issue_ = 0;
  Cycle last_sample_ = 0;
};

}  // namespace heddle::report
