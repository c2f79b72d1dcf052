#include "tools/show/accesses.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/stream/forwarding_source.h"

namespace heddle::show {

/// The warps of one SM, of which one may be the chosen warp.
class AccessRecorder::Source final : public stream::ForwardingSource {
 public:
  Source(std::unique_ptr<stream::WarpSource> whole, AccessRecorder& recorder)
      : ForwardingSource(std::move(whole)), recorder_(recorder) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    ForwardingSource::start_block(block, slots, first);
    if (block != recorder_.block_ || recorder_.warp_ >= slots.size()) return;
    slot_ = slots[recorder_.warp_];
    next_ = first[recorder_.warp_];
  }

  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override {
    const stream::WarpStep& step = ForwardingSource::issue(slot, now);
    if (slot_ != slot || next_ == nullptr) return step;
    recorder_.take(*next_, step);
    next_ = step.next;
    return step;
  }

  void end_block(std::span<const WarpSlot> slots) override {
    ForwardingSource::end_block(slots);
    if (slot_ && std::find(slots.begin(), slots.end(), *slot_) != slots.end()) slot_.reset();
  }

 private:
  AccessRecorder& recorder_;
  std::optional<WarpSlot> slot_;
  const stream::StaticOp* next_ = nullptr;
};

AccessRecorder::AccessRecorder(stream::KernelSource& whole, BlockId block, std::uint32_t warp,
                               stream::MemorySpace space, Cost cost)
    : whole_(whole), block_(block), warp_(warp), space_(space), cost_(std::move(cost)) {}

std::unique_ptr<stream::WarpSource> AccessRecorder::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  return std::make_unique<Source>(whole_.make_warp_source(sm, warp_slots), *this);
}

void AccessRecorder::take(const stream::StaticOp& op, const stream::WarpStep& step) {
  // The rows of matrices (LDSM) are not one place a lane.
  const bool is_wanted = op.space == space_ && op.bytes_per_lane != 0 && op.matrices == 0;
  if (!is_wanted || step.executed == 0 || step.addresses == nullptr) return;
  Access access;
  access.pc = op.pc;
  access.lanes = step.executed;
  access.bytes = op.bytes_per_lane;
  for_each_lane(step.executed, [&](unsigned lane) { access.addresses[lane] = step.addresses[lane]; });
  access.cost = cost_(access);
  const auto found =
      std::find_if(accesses_.begin(), accesses_.end(), [&](const Access& each) { return each.pc == op.pc; });
  const std::uint64_t before = found == accesses_.end() ? 0 : found->times;
  if (found == accesses_.end()) {
    accesses_.push_back(access);
    accesses_.back().times = 1;
    return;
  }
  if (access.cost > found->cost) *found = access;
  found->times = before + 1;
}

}  // namespace heddle::show
