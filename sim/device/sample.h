// A part of a GPU that stands for the whole: some of its SMs with their share of the blocks and of all that
// SMs share. It is a GPU of its own, with a launch of its own; the timing model knows nothing of the rest.
//
// The SMs are spread evenly over the GPU, and SM 0 is among them. Theirs are the blocks that go to them where
// blocks are handed out in turn: of every `of_sms` blocks those at the SMs' places. So each SM gets the waves
// that it gets in the whole run, the last one included, and with SM 0 one that has as many blocks as any.
//
// What the sample cannot know: that all SMs together wait for one place (atomics on one address), and that
// one SM finds in L2 what another has read. Blocks that wait for blocks outside of the sample would wait for
// ever.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/events/observer.h"

namespace heddle::sim {

/// `sms` of the `of_sms` SMs of a GPU: 1 to all of them.
struct SmSample {
  std::uint32_t sms = 1;
  std::uint32_t of_sms = 1;

  /// The block that starts as the `index`-th of the sample.
  [[nodiscard]] BlockId block(std::uint64_t index) const;
  [[nodiscard]] bool has(BlockId block) const;
  /// How many of a launch's blocks.
  [[nodiscard]] std::uint64_t count(std::uint64_t of_blocks) const;

  friend bool operator==(const SmSample&, const SmSample&) = default;
};

/// The GPU with the sample's SMs and their share of L2 (capacity, slices, sectors a cycle), of DRAM
/// (channels, bandwidth) and of the dispatcher's rate. Shares of bandwidth are exact; numbers of slices and
/// channels are whole.
GpuSpec share_of(const GpuSpec& whole, const SmSample& sample);

/// The sample's blocks of a launch, as a launch of their own, whose grid is one row.
class SampledKernel final : public stream::KernelSource {
 public:
  /// `whole` must outlive this. Throws InputError if the sample has more blocks than a row can have.
  SampledKernel(stream::KernelSource& whole, const SmSample& sample);

  [[nodiscard]] const stream::LaunchShape& shape() const override { return shape_; }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return whole_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override { whole_.commit_writes(team); }

 private:
  stream::KernelSource& whole_;
  SmSample sample_;
  stream::LaunchShape shape_;
};

/// Tells of the sample's blocks under the numbers that they have in the launch.
class SampledObserver final : public Observer {
 public:
  /// `whole` must outlive this.
  SampledObserver(Observer& whole, const SmSample& sample) : whole_(whole), sample_(sample) {}

  [[nodiscard]] EventKinds wanted() const override { return whole_.wanted(); }
  void warp_issued(const WarpIssued& event) override { tell_renumbered(event); }
  void warp_sampled(const WarpSampled& event) override { tell_renumbered(event); }
  void warp_stalled(const WarpStalled& event) override { tell_renumbered(event); }
  void block_started(const BlockStarted& event) override { tell_renumbered(event); }
  void block_ended(const BlockEnded& event) override { tell_renumbered(event); }
  void memory_served(const MemoryServed& event) override { whole_.memory_served(event); }

 private:
  template <typename Told>
  void tell_renumbered(Told event) {
    event.block = sample_.block(event.block);
    tell(whole_, event);
  }

  Observer& whole_;
  SmSample sample_;
};

}  // namespace heddle::sim
