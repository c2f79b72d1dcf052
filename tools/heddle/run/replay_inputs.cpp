#include "tools/heddle/run/replay_inputs.h"

#include <fmt/format.h>

#include <utility>

#include "sim/config/load.h"
#include "sim/device/support.h"
#include "sim/occupancy/occupancy.h"
#include "sim/trace/replay/facts_file.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/sampling.h"

namespace heddle::command {

void require_trace_request(const RunRequest& request) {
  const auto refuse = [](std::string_view option) {
    throw UsageError(
        fmt::format("{} makes no sense with a trace, which says what happened, but no values", option));
  };
  const launch::LaunchOverrides& overrides = request.overrides;
  if (!overrides.params.empty()) refuse("--param");
  if (overrides.entry) refuse("--entry");
  if (overrides.grid) refuse("--grid");
  if (overrides.block) refuse("--block");
  if (overrides.registers) refuse("--registers");
  if (overrides.dynamic_shared_bytes) refuse("--shared");
  if (!request.saves.empty()) refuse("--save");
  if (request.record) refuse("--record");
  if (request.lines) refuse("--lines");
  if (!request.check) refuse("--no-check");
  for (const std::string& path : request.launches) {
    if (!is_trace(path))
      throw UsageError(fmt::format("{} is no trace: launches and traces do not go together", path));
  }
}

std::vector<sim::GpuSpec> choose_gpus(std::span<const RunRequest> points) {
  std::vector<sim::GpuSpec> specs;
  for (const RunRequest& point : points) {
    require_trace_request(point);
    say_as_written(point.wordings, [&] {
      specs.push_back(sim::load_gpu(point.gpu, point.settings));
      require_trace_lanes(specs.back());
      sample_of(point, specs.back());
    });
  }
  return specs;
}

std::vector<TracedKernel> chosen_kernels(const RunRequest& request) {
  const KernelChoice choice(request.kernels.option, request.kernels.numbers);
  std::vector<TracedKernel> kernels;
  TracedKernel left_out;
  std::vector<std::uint64_t> numbers;
  for (const std::string& path : request.launches) {
    for (TracedKernel& kernel : traced_kernels(path)) {
      numbers.push_back(kernel.number);
      if (!kernel.finds_empty_l2) {
        kernel.finds_empty_l2 = left_out.finds_empty_l2;
        kernel.copies.insert(kernel.copies.begin(), left_out.copies.begin(), left_out.copies.end());
      }
      if (choice.has(kernel.number)) {
        kernels.push_back(std::move(kernel));
        left_out = {};
      } else {
        left_out = std::move(kernel);
      }
    }
  }
  choice.require_kernels(numbers);
  if (request.timeline && kernels.size() > 1) {
    throw UsageError("--timeline goes with one kernel: --kernel N chooses one");
  }
  return kernels;
}

std::vector<std::string> files_read(std::span<const RunRequest> points,
                                    const std::vector<TracedKernel>& kernels) {
  std::vector<std::string> inputs = points[0].launches;
  for (const RunRequest& point : points) {
    const std::vector<std::string> gpu = sim::gpu_files(point.gpu);
    inputs.insert(inputs.end(), gpu.begin(), gpu.end());
  }
  for (const TracedKernel& kernel : kernels) {
    inputs.push_back(kernel.path);
    const auto facts = trace::facts_path(kernel.path, trace::open_trace(kernel.path)->header());
    if (facts) inputs.push_back(*facts);
  }
  return inputs;
}

namespace {

/// A mistake that comes from the GPU has no position; it gets that of the trace.
std::vector<Diagnostic> placed(std::vector<Diagnostic> diagnostics, const std::string& path) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.where.file.empty()) diagnostic.where.file = path;
  }
  return diagnostics;
}

/// For a trace that Heddle recorded, the instructions are known before the run, and none is approximated.
void require_instructions(const trace::ReplayKernel& kernel, const sim::GpuSpec& spec) {
  const auto named = [&kernel](Pc pc) { return sim::NamedInstruction{{}, kernel.instruction_text(pc)}; };
  Diagnostics problems;
  sim::require_support(kernel.static_ops(), spec, named, problems);
  problems.throw_if_any();
}

}  // namespace

void require_heads(const std::vector<TracedKernel>& kernels, const std::vector<sim::GpuSpec>& specs) {
  Diagnostics problems;
  for (const TracedKernel& kernel : kernels) {
    try {
      const trace::ReplayKernel replayed(trace::open_trace(kernel.path));
      for (const sim::GpuSpec& spec : specs) {
        sim::theoretical_occupancy(spec.occupancy, replayed.shape());
        require_instructions(replayed, spec);
      }
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : placed(error.list(), kernel.path)) problems.add(diagnostic);
    }
  }
  problems.throw_if_any();
}

}  // namespace heddle::command
