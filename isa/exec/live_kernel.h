// A launch that is executed while it is timed: the source of dynamic instructions when there is no trace.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "isa/exec/decode.h"
#include "isa/exec/divergence.h"
#include "isa/exec/launch.h"
#include "isa/exec/matrix_product.h"
#include "isa/exec/memory.h"
#include "isa/exec/pending_writes.h"
#include "isa/exec/write_commit.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// A launch with its memory. Asynchronous copies and warpgroup products take effect when they issue: the copy
/// is in shared memory then, and the product has read shared memory and written its sums. So a program that
/// does not wait for them sees the results at once. That is a choice: on a GPU it may see what was there
/// before.
class LiveKernel final : public stream::KernelSource {
 public:
  /// `memory` must outlive this. `warp_size` is 16, 32 or 64. Throws InputError if an instruction needs more
  /// lanes.
  LiveKernel(Launch launch, GlobalMemory& memory, unsigned warp_size,
             Divergence divergence = Divergence::Stack, const TensorArithmetic& tensor = {});

  [[nodiscard]] const stream::LaunchShape& shape() const override { return shape_; }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return decoded_.static_ops; }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override;

  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const DecodedLaunch& decoded() const { return decoded_; }
  [[nodiscard]] GlobalMemory& memory() const { return memory_; }
  [[nodiscard]] Divergence divergence() const { return divergence_; }
  [[nodiscard]] const TensorArithmetic& tensor() const { return tensor_; }
  /// threadIdx.x, y or z (axis 0 to 2) of every thread of a block, by linear index, in whole warps.
  [[nodiscard]] const std::uint32_t* thread_index(unsigned axis) const { return thread_index_[axis].data(); }

 private:
  Launch launch_;
  GlobalMemory& memory_;
  Divergence divergence_;
  TensorArithmetic tensor_;
  DecodedLaunch decoded_;
  stream::LaunchShape shape_;
  std::array<std::vector<std::uint32_t>, 3> thread_index_;
  std::vector<std::unique_ptr<PendingWrites>> pending_;  // by SM
  WriteCommit write_commit_;
};

}  // namespace heddle::exec
