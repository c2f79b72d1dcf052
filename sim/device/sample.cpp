#include "sim/device/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "isa/base/diagnostic.h"
#include "isa/stream/forwarding_source.h"

namespace heddle::sim {

namespace {

class SampledSource final : public stream::ForwardingSource {
 public:
  SampledSource(std::unique_ptr<stream::WarpSource> whole, const SmSample& sample)
      : ForwardingSource(std::move(whole)), sample_(sample) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    ForwardingSource::start_block(sample_.block(block), slots, first);
  }

 private:
  SmSample sample_;
};

/// The GPU's SM that is the sample's `index`-th.
std::uint64_t sm_of(std::uint64_t index, const SmSample& sample) {
  return index * sample.of_sms / sample.sms;
}

/// How many of the sample's SMs have numbers below `sm`.
std::uint64_t sms_below(std::uint64_t sm, const SmSample& sample) {
  return divide_up(sm * sample.sms, sample.of_sms);
}

std::uint32_t whole_share(std::uint32_t amount, double share) {
  return std::max(1U, static_cast<std::uint32_t>(std::lround(amount * share)));
}

}  // namespace

BlockId SmSample::block(std::uint64_t index) const {
  return index / sms * of_sms + sm_of(index % sms, *this);
}

bool SmSample::has(BlockId block) const {
  const std::uint64_t sm = block % of_sms;
  return sms_below(sm + 1, *this) != sms_below(sm, *this);
}

std::uint64_t SmSample::count(std::uint64_t of_blocks) const {
  return of_blocks / of_sms * sms + sms_below(of_blocks % of_sms, *this);
}

GpuSpec share_of(const GpuSpec& whole, const SmSample& sample) {
  if (sample.sms == sample.of_sms) return whole;
  const double share = static_cast<double>(sample.sms) / sample.of_sms;
  GpuSpec spec = whole;
  spec.sms = sample.sms;
  spec.l2.slices = whole.l2.partitions * whole_share(whole.l2.slices / whole.l2.partitions, share);
  const double of_slice = whole.l2.slices * share / spec.l2.slices;
  spec.l2.sectors_per_cycle = whole.l2.sectors_per_cycle * of_slice;
  spec.l2.far_sectors_per_cycle = whole.l2.far_sectors_per_cycle * of_slice;
  spec.l2.atomic_addresses_per_cycle = whole.l2.atomic_addresses_per_cycle * of_slice;
  spec.l2.bytes = static_cast<std::uint64_t>(std::llround(static_cast<double>(whole.l2.bytes) * share));
  spec.dram.channels = whole_share(whole.dram.channels, share);
  spec.dram.bandwidth_gbps = whole.dram.bandwidth_gbps * share;
  spec.dispatch.block_interval = whole.dispatch.block_interval / share;
  return spec;
}

SampledKernel::SampledKernel(stream::KernelSource& whole, const SmSample& sample)
    : whole_(whole), sample_(sample), shape_(whole.shape()) {
  const std::uint64_t blocks = sample.count(shape_.blocks());
  if (blocks > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({}, fmt::format("kernel {}: a sample of {} blocks is too large; fewer SMs have fewer",
                                     shape_.kernel, blocks));
  }
  shape_.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
}

std::unique_ptr<stream::WarpSource> SampledKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  return std::make_unique<SampledSource>(whole_.make_warp_source(sm, warp_slots), sample_);
}

}  // namespace heddle::sim
