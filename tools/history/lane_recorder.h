// Keeps, of each instruction that accesses memory, which addresses the lanes of one warp named: the first
// that executed it on the watched SM.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "isa/stream/warp_source.h"
#include "tools/history/run_history.h"

namespace heddle::history {

/// Stands before the source of a launch and changes nothing of what it says.
class LaneRecorder final : public stream::KernelSource {
 public:
  /// `whole` must outlive this.
  explicit LaneRecorder(stream::KernelSource& whole) : whole_(whole) {}

  [[nodiscard]] const stream::LaunchShape& shape() const override { return whole_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return whole_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override { whole_.commit_writes(team); }

  /// Call this after the run: by pc. The recorder is empty then.
  std::vector<LaneAccess> take();

 private:
  stream::KernelSource& whole_;
  std::vector<LaneAccess> accesses_;  // written by the thread that runs the watched SM
};

}  // namespace heddle::history
