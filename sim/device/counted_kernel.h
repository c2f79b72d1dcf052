// A kernel whose blocks' instructions are counted, for a BlockSampler.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/device/block_sampler.h"

namespace heddle::sim {

/// The kernel as it is; at each exchange the sampler hears of the blocks that have ended.
class CountedKernel final : public stream::KernelSource {
 public:
  /// How many warp instructions a block that has ended has executed.
  struct Count {
    BlockId block = 0;
    std::uint64_t warp_instructions = 0;
  };

  /// Both outlive it.
  CountedKernel(stream::KernelSource& kernel, BlockSampler& sampler) : kernel_(kernel), sampler_(sampler) {}

  [[nodiscard]] const stream::LaunchShape& shape() const override { return kernel_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return kernel_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override;

 private:
  stream::KernelSource& kernel_;
  BlockSampler& sampler_;
  std::vector<std::unique_ptr<std::vector<Count>>> ended_;  // by SM: since the last exchange
};

}  // namespace heddle::sim
