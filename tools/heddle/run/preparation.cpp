#include "tools/heddle/run/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/exec/live_kernel.h"
#include "isa/text/disassemble.h"
#include "sim/config/load.h"
#include "sim/config/suggest.h"
#include "sim/device/support.h"
#include "sim/occupancy/occupancy.h"
#include "tools/heddle/run/run_outputs.h"
#include "tools/heddle/run/sampling.h"

namespace heddle::command {

namespace {

template <typename Action>
void collect(Diagnostics& problems, Action action) {
  try {
    action();
  } catch (const InputError& error) {
    problems.add(error);
  }
}

void require_buffers(const RunRequest& request, const launch::LaunchFile& file, Diagnostics& problems) {
  for (const PrintRequest& print : request.prints) {
    if (file.find_buffer(print.buffer) != nullptr) continue;
    problems.add({file.path, 0, 0}, fmt::format("there is no buffer '{}' to print", print.buffer));
  }
  for (const SaveRequest& save : request.saves) {
    if (file.find_buffer(save.buffer) != nullptr) continue;
    std::vector<std::string> names;
    for (const launch::BufferInfo& buffer : file.buffers) names.push_back(buffer.name);
    problems.add({file.path, 0, 0}, fmt::format("there is no buffer '{}' to save; {}", save.buffer,
                                                sim::suggestion(save.buffer, names)));
  }
}

void require_fit(const launch::LaunchFile& file, const exec::LiveKernel& kernel, const sim::GpuSpec& spec,
                 Diagnostics& problems) {
  try {
    sim::theoretical_occupancy(spec.occupancy, kernel.shape());
  } catch (const InputError& error) {
    for (Diagnostic diagnostic : error.list()) {
      diagnostic.where.file = file.path;
      problems.add(diagnostic);
    }
  }
}

/// The warp size for checking launches if the GPU is not known.
constexpr std::uint32_t kUsualWarpSize = 32;

/// Reports instructions that the GPU does not have, each kind at its first line in the kernel file.
void require_instructions(const exec::LiveKernel& live, const sim::GpuSpec& spec, Diagnostics& problems) {
  const ir::Kernel& kernel = live.launch().kernel;
  const auto named = [&kernel](Pc pc) {
    return sim::NamedInstruction{{kernel.file, kernel.instructions[pc].line, 0},
                                 text::disassemble(kernel, pc)};
  };
  sim::require_support(live.static_ops(), spec, named, problems);
}

void note_inputs(const RunRequest& request, const launch::LaunchFile& file, Preparation& prepared) {
  prepared.inputs.push_back(file.path);
  prepared.inputs.insert(prepared.inputs.end(), file.sources.begin(), file.sources.end());
  const std::vector<std::string> gpu = sim::gpu_files(request.gpu);
  prepared.inputs.insert(prepared.inputs.end(), gpu.begin(), gpu.end());
  std::uint64_t bytes = 0;
  for (const launch::BufferInfo& buffer : file.buffers) bytes += buffer.count * info(buffer.type).bytes;
  prepared.bytes = std::max(prepared.bytes, bytes);
}

Preparation prepare_point(const RunRequest& request, bool keeps_launch, Diagnostics& all_problems) {
  Preparation prepared;
  Diagnostics problems;
  bool has_gpu = false;
  collect(problems, [&] {
    prepared.spec = sim::load_gpu(request.gpu, request.settings);
    has_gpu = true;
  });
  const sim::SmSample sample =
      has_gpu ? say_as_written(request.wordings, [&] { return sample_of(request, prepared.spec); })
              : sim::SmSample{};
  for (const std::string& path : request.launches) {
    collect(problems, [&] {
      const launch::LaunchOverrides overrides =
          has_gpu ? launch::for_gpu(request.overrides, prepared.spec) : request.overrides;
      launch::LaunchFile file = launch::load_launch(
          path, overrides, keeps_launch ? launch::Contents::Filled : launch::Contents::Checked);
      require_buffers(request, file, problems);
      std::vector<std::string> inputs = file.sources;
      inputs.insert(inputs.end(), {path, request.gpu});
      require_own_outputs(request, inputs);
      const exec::LiveKernel kernel(file.launch, file.memory,
                                    has_gpu ? prepared.spec.occupancy.warp_size : kUsualWarpSize);
      if (has_gpu) require_fit(file, kernel, prepared.spec, problems);
      if (has_gpu) require_instructions(kernel, prepared.spec, problems);
      if (has_gpu && sample.sms < sample.of_sms) require_apart(file.launch.kernel, problems);
      if (has_gpu) note_inputs(request, file, prepared);
      if (keeps_launch) prepared.only = std::move(file);
    });
  }
  for (const Diagnostic& problem : problems.list()) all_problems.add(as_written(problem, request.wordings));
  return prepared;
}

}  // namespace

Preparation prepare(const RunRequest& request) { return std::move(prepare_all({&request, 1})[0]); }

std::vector<Preparation> prepare_all(std::span<const RunRequest> points) {
  Diagnostics problems;
  collect(problems, [&] { require_writable_outputs(points[0]); });
  const bool is_one = points.size() == 1 && points[0].launches.size() == 1;
  std::vector<Preparation> prepared;
  for (const RunRequest& point : points) prepared.push_back(prepare_point(point, is_one, problems));
  problems.throw_each_once();  // mistakes in the command line are found again with each launch
  return prepared;
}

std::vector<std::string> inputs_of(std::span<const Preparation> prepared) {
  std::set<std::string> seen;
  std::vector<std::string> inputs;
  for (const Preparation& point : prepared) {
    for (const std::string& input : point.inputs) {
      if (seen.insert(input).second) inputs.push_back(input);
    }
  }
  return inputs;
}

std::uint64_t most_bytes(std::span<const Preparation> prepared) {
  std::uint64_t most = 0;
  for (const Preparation& point : prepared) most = std::max(most, point.bytes);
  return most;
}

}  // namespace heddle::command
