// A source of warps that stands before another one: what changes a few of its answers derives from it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// Hands on whatever it is asked. It has all of WarpSource's functions, so that none of them ends here in its
/// default.
class ForwardingSource : public WarpSource {
 public:
  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const StaticOp*> first) override {
    behind_->start_block(block, slots, first);
  }
  const WarpStep& issue(WarpSlot slot, Cycle now) override { return behind_->issue(slot, now); }
  void host_prefetch(WarpSlot slot, PrefetchStep step) const override { behind_->host_prefetch(slot, step); }
  [[nodiscard]] bool seems_to_spin(WarpSlot slot) const override { return behind_->seems_to_spin(slot); }
  void watch_spin(WarpSlot slot) override { behind_->watch_spin(slot); }
  [[nodiscard]] std::optional<bool> spins(WarpSlot slot) const override { return behind_->spins(slot); }
  void end_watch() override { behind_->end_watch(); }
  [[nodiscard]] std::uint64_t barrier_arrivals() const override { return behind_->barrier_arrivals(); }
  [[nodiscard]] std::uint64_t changes() const override { return behind_->changes(); }
  void end_block(std::span<const WarpSlot> slots) override { behind_->end_block(slots); }
  [[nodiscard]] std::string describe(WarpSlot slot) const override { return behind_->describe(slot); }
  [[nodiscard]] std::string describe_spin(WarpSlot slot) const override {
    return behind_->describe_spin(slot);
  }

 protected:
  explicit ForwardingSource(std::unique_ptr<WarpSource> behind) : behind_(std::move(behind)) {}

 private:
  std::unique_ptr<WarpSource> behind_;
};

}  // namespace heddle::stream
