#include "isa/exec/functional.h"

#include <numeric>

namespace heddle::exec {

namespace {

/// The warps of one block in turn, each until it exits or waits at a barrier.
class BlockRunner {
 public:
  explicit BlockRunner(LiveKernel& kernel)
      : warps_(kernel.shape().warps_per_block()),
        source_(kernel, warps_),
        slots_(warps_),
        next_(warps_) {
    std::iota(slots_.begin(), slots_.end(), 0U);
  }

  void run(BlockId block) {
    source_.start_block(block, slots_, next_);
    std::uint32_t left = warps_;
    while (left != 0) {
      left = 0;
      for (WarpSlot slot = 0; slot < warps_; ++slot) left += run_to_barrier(slot);
    }
    source_.end_block(slots_);
  }

  [[nodiscard]] const FunctionalCounts& counts() const { return counts_; }

 private:
  /// Whether the warp has stopped at a barrier rather than exited.
  bool run_to_barrier(WarpSlot slot) {
    while (next_[slot] != nullptr) {
      const bool is_barrier = next_[slot]->kind == stream::OpKind::Barrier;
      const stream::WarpStep step = source_.issue(slot);
      ++counts_.warp_instructions;
      counts_.thread_instructions += lane_count(step.executed);
      next_[slot] = step.next;
      if (is_barrier) return next_[slot] != nullptr;
    }
    return false;
  }

  std::uint32_t warps_;
  LiveSource source_;
  std::vector<WarpSlot> slots_;
  std::vector<const stream::StaticOp*> next_;
  FunctionalCounts counts_;
};

}  // namespace

FunctionalCounts run_functionally(LiveKernel& kernel) {
  BlockRunner runner(kernel);
  for (BlockId block = 0; block < kernel.shape().blocks(); ++block) runner.run(block);
  return runner.counts();
}

}  // namespace heddle::exec
