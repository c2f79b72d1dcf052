// A source of warps that stands before another one: what changes a few of its answers derives from it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// Hands on whatever it is asked, and offers what the source behind offers.
class ForwardingSource : public WarpSource {
 public:
  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const StaticOp*> first) override {
    behind_->start_block(block, slots, first);
  }
  const WarpStep& issue(WarpSlot slot, Cycle now) override { return behind_->issue(slot, now); }
  void end_block(std::span<const WarpSlot> slots) override { behind_->end_block(slots); }
  [[nodiscard]] std::string describe(WarpSlot slot) const override { return behind_->describe(slot); }
  [[nodiscard]] SpinWatchable* spin_watch() override { return behind_->spin_watch(); }
  [[nodiscard]] const HostPrefetchable* host_prefetchable() const override {
    return behind_->host_prefetchable();
  }
  [[nodiscard]] const WaitRepair* wait_repair() const override { return behind_->wait_repair(); }

 protected:
  explicit ForwardingSource(std::unique_ptr<WarpSource> behind) : behind_(std::move(behind)) {}

 private:
  std::unique_ptr<WarpSource> behind_;
};

}  // namespace heddle::stream
