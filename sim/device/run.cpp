#include "sim/device/run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/device/counted_kernel.h"
#include "sim/device/device.h"

namespace heddle::sim {

namespace {

/// Tells of cycles since a launch.
class ObserverSince final : public Observer {
 public:
  ObserverSince(Observer* observer, Cycle since) : observer_(observer), since_(since) {}

  [[nodiscard]] EventKinds wanted() const override { return observer_->wanted(); }
  void warp_issued(const WarpIssued& event) override { tell_since(event); }
  void warp_sampled(const WarpSampled& event) override { tell_since(event); }
  void warp_stalled(const WarpStalled& event) override {
    WarpStalled told = event;
    told.from -= since_;
    told.until -= since_;
    tell_since(told);
  }
  void block_started(const BlockStarted& event) override { tell_since(event); }
  void block_ended(const BlockEnded& event) override { tell_since(event); }
  void memory_served(const MemoryServed& event) override {
    MemoryServed told = event;
    if (told.reply != kNever) told.reply -= since_;
    tell_since(told);
  }

 private:
  template <typename Told>
  void tell_since(Told event) {
    event.cycle -= since_;
    tell(*observer_, event);
  }

  Observer* observer_;
  Cycle since_;
};

CycleRange later(const CycleRange& range, Cycle cycles) {
  return {range.from + cycles, range.until + std::min(cycles, kNever - range.until)};
}

/// Looks on for as long as it is there.
class Watch {
 public:
  Watch(Device& device, const RunOptions& options)
      : device_(device), observer_(options.observer, device.clock()) {
    const Cycle begin = device.clock();
    if (options.observer != nullptr) {
      device.observe(begin == 0 ? options.observer : &observer_, later(options.samples, begin));
    }
    if (!options.progress) return;
    device.report_progress([&options, begin](Progress progress) {
      progress.cycle -= begin;
      options.progress(progress);
    });
  }
  ~Watch() {
    device_.observe(nullptr);
    device_.report_progress(nullptr);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  Device& device_;
  ObserverSince observer_;
};

}  // namespace

RunResult run(stream::KernelSource& kernel, Device& device, const RunOptions& options) {
  const Watch watch(device, options);
  std::optional<CountedKernel> counted;
  if (options.sampler != nullptr) counted.emplace(kernel, *options.sampler);
  const GridId grid = device.submit(counted ? *counted : kernel, Device::kDefaultStream,
                                    {options.max_cycles, options.by_instruction, options.sampler});
  device.run_until(grid);
  return std::move(device.take_result(grid).result);
}

RunResult run(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options) {
  Device device(spec, {options.visit_every_cycle, options.threads});
  return run(kernel, device, options);
}

}  // namespace heddle::sim
