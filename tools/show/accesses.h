// The memory accesses of one warp, lane by lane: which address each lane names.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "isa/base/lane_addresses.h"
#include "isa/stream/warp_source.h"

namespace heddle::show {

/// One access: a warp instruction and its lanes' addresses.
struct Access {
  Pc pc = 0;
  LaneMask lanes = 0;                             ///< Those that execute it.
  std::array<Addr, kMaxWarpSize> addresses = {};  ///< By lane; in shared memory, from its first byte on.
  std::uint32_t bytes = 0;                        ///< That each lane moves.
  std::uint64_t cost = 0;                         ///< What it takes, by the function of AccessRecorder.
  std::uint64_t times = 0;                        ///< How often the warp executes the instruction.

  [[nodiscard]] LaneAccess lane_access() const { return heddle::lane_access(addresses.data(), lanes, bytes); }
};

/// Stands between a kernel and the timing model and keeps, for each instruction of one warp that accesses the
/// memory, the first of its dearest accesses. Changes nothing. For a run on one thread.
class AccessRecorder final : public stream::KernelSource {
 public:
  using Cost = std::function<std::uint64_t(const Access&)>;

  /// `whole` must outlive this.
  AccessRecorder(stream::KernelSource& whole, BlockId block, std::uint32_t warp, stream::MemorySpace space,
                 Cost cost);

  [[nodiscard]] const stream::LaunchShape& shape() const override { return whole_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return whole_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override { whole_.commit_writes(team); }

  /// In the order in which the warp first comes to them.
  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }

 private:
  class Source;
  void take(const stream::StaticOp& op, const stream::WarpStep& step);

  stream::KernelSource& whole_;
  BlockId block_;
  std::uint32_t warp_;
  stream::MemorySpace space_;
  Cost cost_;
  std::vector<Access> accesses_;
};

}  // namespace heddle::show
