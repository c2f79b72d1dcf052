// Replays the kernels of a list of traces, one after another, on one device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

/// The device on which kernels of a list are replayed. L2 keeps its contents from one to the next.
class ReplayedDevice {
 public:
  /// The arguments must outlive it. `watch` as in run_watched().
  ReplayedDevice(const RunRequest& request, const sim::GpuSpec& spec, const WatchRun* watch);

  /// What the list says happens to L2 before the kernel, whether it is replayed or not.
  void prepare(const TracedKernel& kernel);
  /// Replays a kernel. Throws InputError and KernelFault; then only renew() can be called.
  RunOutcome replay(const TracedKernel& kernel);

  [[nodiscard]] std::vector<sim::TagArray> l2_tags() const { return device_->l2_tags(); }
  /// Makes a new device, in whose L2 this is.
  void renew(std::vector<sim::TagArray> l2_tags);
  /// The timelines of all replays, if they are asked for.
  [[nodiscard]] const std::string& timeline() const { return timeline_; }

 private:
  RunOutcome replay_blocks(const TracedKernel& traced, sim::BlockSampler* sampler);

  const RunRequest& request_;
  const sim::GpuSpec& spec_;
  const WatchRun* watch_;
  sim::GpuSpec gpu_;  // that is simulated: the whole one, or a sample of its SMs
  std::optional<sim::Device> device_;
  std::string timeline_;
};

/// Replays a kernel by calling `replay` once, and returns what became of it.
using TakeReplay =
    std::function<RunOutcome(const TracedKernel& kernel, const std::function<RunOutcome()>& replay)>;

/// Replays the kernels of a list in order. Each finds in L2 what those before it left there. For the kernels
/// after it, a failed kernel did not run. `timeline` gets the timelines; `watch` as in run_watched().
void replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                 const std::vector<TracedKernel>& kernels, const WatchRun* watch, std::string& timeline,
                 const TakeReplay& take);

}  // namespace heddle::command
