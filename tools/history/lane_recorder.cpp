#include "tools/history/lane_recorder.h"

#include <algorithm>
#include <utility>

#include "isa/stream/forwarding_source.h"

namespace heddle::history {

namespace {

/// The warps of the watched SM.
class WatchedSource final : public stream::ForwardingSource {
 public:
  WatchedSource(std::unique_ptr<stream::WarpSource> behind, std::uint32_t warp_slots,
                std::vector<LaneAccess>& accesses)
      : ForwardingSource(std::move(behind)), warps_(warp_slots), accesses_(accesses) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    ForwardingSource::start_block(block, slots, first);
    for (std::uint32_t i = 0; i < slots.size(); ++i) warps_.at(slots[i]) = {first[i], block, i};
  }

  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override {
    const stream::WarpStep& step = ForwardingSource::issue(slot, now);
    Warp& warp = warps_[slot];
    const stream::StaticOp& op = *warp.next;
    if (op.space != stream::MemorySpace::None && step.addresses != nullptr && step.executed != 0)
      note(warp, op, step);
    warp.next = step.next;
    return step;
  }

 private:
  struct Warp {
    const stream::StaticOp* next = nullptr;
    BlockId block = 0;
    std::uint32_t warp_in_block = 0;
  };

  void note(const Warp& warp, const stream::StaticOp& op, const stream::WarpStep& step) {
    if (op.pc >= is_known_.size()) is_known_.resize(op.pc + std::size_t{1});
    if (is_known_[op.pc] || accesses_.size() >= kMostAccesses || op.bytes_per_lane == 0) return;
    is_known_[op.pc] = true;
    LaneAccess access{op.pc, op.space, op.bytes_per_lane, warp.block, warp.warp_in_block, {}};
    for_each_lane(step.executed,
                  [&](unsigned lane) { access.addresses.emplace_back(lane, step.addresses[lane]); });
    accesses_.push_back(std::move(access));
  }

  std::vector<Warp> warps_;     // by slot
  std::vector<bool> is_known_;  // by pc
  std::vector<LaneAccess>& accesses_;
};

}  // namespace

std::unique_ptr<stream::WarpSource> LaneRecorder::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  std::unique_ptr<stream::WarpSource> source = whole_.make_warp_source(sm, warp_slots);
  if (sm != kWatchedSm) return source;
  return std::make_unique<WatchedSource>(std::move(source), warp_slots, accesses_);
}

std::vector<LaneAccess> LaneRecorder::take() {
  std::sort(accesses_.begin(), accesses_.end(),
            [](const LaneAccess& one, const LaneAccess& other) { return one.pc < other.pc; });
  return std::exchange(accesses_, {});
}

}  // namespace heddle::history
