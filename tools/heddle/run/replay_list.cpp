#include "tools/heddle/run/replay_list.h"

#include <optional>
#include <utility>

#include "tools/heddle/run/block_sampling.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/sampling.h"

namespace heddle::command {

namespace {

trace::ReplayOptions options_for(const sim::GpuSpec& spec, const sim::SmSample& sample) {
  trace::ReplayOptions options = replay_options(spec);
  if (sample.sms < sample.of_sms) options.wanted = [sample](BlockId block) { return sample.has(block); };
  return options;
}

}  // namespace

ReplayedDevice::ReplayedDevice(const RunRequest& request, const sim::GpuSpec& spec, const WatchRun* watch)
    : request_(request), spec_(spec), watch_(watch), gpu_(simulated_gpu(request, spec)) {
  device_.emplace(gpu_, device_options(request));
}

void ReplayedDevice::prepare(const TracedKernel& kernel) {
  if (kernel.finds_empty_l2) device_.emplace(gpu_, device_options(request_));
  for (const HostCopy& copy : kernel.copies) device_->copy_from_host(copy.begin, copy.bytes);
}

void ReplayedDevice::renew(std::vector<sim::TagArray> l2_tags) {
  device_.emplace(gpu_, device_options(request_));
  device_->set_l2_tags(std::move(l2_tags));
}

/// A trace is read once, in order: blocks that were left out cannot run later. If they should have, the trace
/// is replayed again.
RunOutcome ReplayedDevice::replay(const TracedKernel& traced) {
  if (!request_.samples_blocks) return replay_blocks(traced, nullptr);
  std::vector<sim::TagArray> before = l2_tags();
  sim::BlockSampler sampler(false);
  RunOutcome outcome = replay_blocks(traced, &sampler);
  const sim::BlockSample& sample = sampler.sample();
  if (sample.why_whole.empty() || sample.is_whole()) return outcome;
  renew(std::move(before));
  outcome = replay_blocks(traced, nullptr);
  std::get<CountedRun>(outcome.run).info.blocks = whole_blocks(sample.why_whole);
  return outcome;
}

RunOutcome ReplayedDevice::replay_blocks(const TracedKernel& traced, sim::BlockSampler* sampler) {
  trace::ReplayOptions options = options_for(spec_, sample_of(request_, spec_));
  if (sampler != nullptr)
    options.wanted = [sampler](BlockId block) { return !sampler->sample().left_out.has(block); };
  trace::ReplayKernel kernel(trace::open_trace(traced.path), options);
  const auto instruction = [&kernel](Pc pc) { return kernel.instruction_text(pc); };
  WatchedRun run = run_watched(request_, spec_, kernel, instruction, *device_, watch_, nullptr, sampler);
  report::RunInfo info = trace_info(traced.path, kernel);
  // The other released waits are already among the approximations, as what they were replaced by.
  if (const std::uint64_t released = run.result.total.released_known_waits; released != 0) {
    info.approximations.push_back({"waits that nothing in the trace ends", "NOP", released});
  }
  info.sample = run.sample;
  if (sampler != nullptr) info.blocks = sampled_blocks(sampler->sample());
  info.swept = request_.swept;
  info.provenance = trace_provenance(request_, spec_, traced.path);
  timeline_ += run.timeline;
  return {CountedRun{std::move(run.result), std::move(info)}, {}};
}

void replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                 const std::vector<TracedKernel>& kernels, const WatchRun* watch, std::string& timeline,
                 const TakeReplay& take) {
  ReplayedDevice device(request, spec, watch);
  for (const TracedKernel& kernel : kernels) {
    device.prepare(kernel);
    std::vector<sim::TagArray> before = device.l2_tags();
    const RunOutcome outcome = take(kernel, [&] { return device.replay(kernel); });
    if (std::holds_alternative<FailedRun>(outcome.run)) device.renew(std::move(before));
  }
  timeline += device.timeline();
}

}  // namespace heddle::command
