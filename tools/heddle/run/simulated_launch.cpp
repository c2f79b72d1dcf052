#include "tools/heddle/run/simulated_launch.h"

#include <optional>

#include "isa/text/disassemble.h"
#include "tools/heddle/run/block_sampling.h"
#include "tools/heddle/run/early_reads_text.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/sampling.h"

namespace heddle::command {

namespace {

/// The kernel source of a launch. If the launch is recorded, a recorder stands between it and the timing
/// model.
struct Source {
  Source(exec::LiveKernel& live, const sim::GpuSpec& spec, const Recording* recording) : kernel(&live) {
    if (recording == nullptr) return;
    spool.emplace(recording->room());
    recorder.emplace(live, live.launch().kernel, *spool);
    recorder->set_compute_capability(spec.compute_capability);
    kernel = &*recorder;
  }

  std::optional<trace::Spool> spool;
  std::optional<trace::RecordingKernel> recorder;
  stream::KernelSource* kernel;
};

}  // namespace

WatchedRun simulate_launch(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                           Recording* recording, const WatchRun* watch) {
  exec::LiveKernel kernel = live_kernel(spec, file);
  Source source(kernel, spec, recording);
  const auto instruction = [&kernel](Pc pc) { return text::disassemble(kernel.launch().kernel, pc); };
  sim::Device device(simulated_gpu(request, spec), device_options(request));
  copy_from_host(file, device);
  std::optional<EarlyReadsOfRun> reads;
  if (request.dependences) reads.emplace(kernel.launch().kernel, device.spec());
  const std::string why_whole = request.samples_blocks ? why_blocks_depend(kernel.launch().kernel) : "";
  sim::BlockSampler sampler;
  const bool samples = request.samples_blocks && why_whole.empty();
  WatchedRun run = run_watched(request, spec, *source.kernel, instruction, device, watch,
                               reads ? &reads->observer() : nullptr, samples ? &sampler : nullptr);
  if (!why_whole.empty()) run.blocks = whole_blocks(why_whole);
  if (samples) {
    run.blocks = sampled_blocks(sampler.sample());
    run.left_out = sampler.sample().left_out;
  }
  if (reads) run.early_reads = reads->text();
  if (recording != nullptr) recording->add(*source.recorder);
  return run;
}

}  // namespace heddle::command
