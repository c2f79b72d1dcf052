#include "tools/heddle/run/replay_list.h"

#include <optional>
#include <utility>

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

RunOutcome replay(const RunRequest& request, const sim::GpuSpec& spec, const std::string& path,
                  sim::Device& device, const WatchRun* watch, std::string& timeline) {
  trace::ReplayKernel kernel(trace::open_trace(path), options_for(spec, sample_of(request, spec)));
  const auto instruction = [&kernel](Pc pc) { return kernel.instruction_text(pc); };
  WatchedRun run = run_watched(request, spec, kernel, instruction, device, watch);
  report::RunInfo info = trace_info(path, kernel);
  // The other released waits are already among the approximations, as what they were replaced by.
  if (const std::uint64_t released = run.result.total.released_known_waits; released != 0) {
    info.approximations.push_back({"waits that nothing in the trace ends", "NOP", released});
  }
  info.sample = run.sample;
  info.swept = request.swept;
  info.provenance = trace_provenance(request, spec, path);
  timeline += run.timeline;
  return {CountedRun{std::move(run.result), std::move(info)}, {}};
}

}  // namespace

void replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                 const std::vector<TracedKernel>& kernels, const WatchRun* watch, std::string& timeline,
                 const TakeReplay& take) {
  const sim::GpuSpec gpu = simulated_gpu(request, spec);
  std::optional<sim::Device> device;
  for (const TracedKernel& kernel : kernels) {
    if (!device || kernel.finds_empty_l2) device.emplace(gpu, device_options(request));
    for (const HostCopy& copy : kernel.copies) device->copy_from_host(copy.begin, copy.bytes);
    std::vector<sim::TagArray> before = device->l2_tags();
    const RunOutcome outcome =
        take(kernel, [&] { return replay(request, spec, kernel.path, *device, watch, timeline); });
    if (std::holds_alternative<CountedRun>(outcome.run)) continue;
    device.emplace(gpu, device_options(request));
    device->set_l2_tags(std::move(before));
  }
}

}  // namespace heddle::command
