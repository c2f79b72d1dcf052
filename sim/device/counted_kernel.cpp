#include "sim/device/counted_kernel.h"

#include <utility>

#include "isa/stream/forwarding_source.h"

namespace heddle::sim {

namespace {

class CountedSource final : public stream::ForwardingSource {
 public:
  CountedSource(std::unique_ptr<stream::WarpSource> behind, std::uint32_t warp_slots,
                std::vector<CountedKernel::Count>& ended)
      : ForwardingSource(std::move(behind)), warps_(warp_slots), ended_(ended) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    for (const WarpSlot slot : slots) warps_[slot] = {block, 0};
    ForwardingSource::start_block(block, slots, first);
  }
  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override {
    ++warps_[slot].warp_instructions;
    return ForwardingSource::issue(slot, now);
  }
  void end_block(std::span<const WarpSlot> slots) override {
    CountedKernel::Count count{warps_[slots[0]].block, 0};
    for (const WarpSlot slot : slots) count.warp_instructions += warps_[slot].warp_instructions;
    ended_.push_back(count);
    ForwardingSource::end_block(slots);
  }

 private:
  std::vector<CountedKernel::Count> warps_;  // by slot: its own instructions
  std::vector<CountedKernel::Count>& ended_;
};

}  // namespace

std::unique_ptr<stream::WarpSource> CountedKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  while (ended_.size() <= sm) ended_.push_back(std::make_unique<std::vector<Count>>());
  return std::make_unique<CountedSource>(kernel_.make_warp_source(sm, warp_slots), warp_slots, *ended_[sm]);
}

void CountedKernel::commit_writes(ThreadTeam& team) {
  for (const auto& of_sm : ended_) {
    for (const Count& count : *of_sm) sampler_.add_block(count.block, count.warp_instructions);
    of_sm->clear();
  }
  kernel_.commit_writes(team);
}

}  // namespace heddle::sim
