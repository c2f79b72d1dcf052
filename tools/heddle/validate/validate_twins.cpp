#include "tools/heddle/validate/validate_twins.h"

#include <fmt/format.h>

#include "isa/base/cuda_limits.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

namespace {

using validate::Comparison;
using validate::MeasuredKernel;
using validate::MeasuredKernels;

std::string extents_text(const Dim3& extents) {
  return fmt::format("{} x {} x {}", extents.x, extents.y, extents.z);
}

std::string device_text(const validate::MeasuredDevice& device) {
  const std::string name = device.name.empty() ? "a GPU" : device.name;
  const std::string sms = device.sms ? fmt::format(", {} SMs", *device.sms) : "";
  const std::string clock = device.clock_mhz ? fmt::format(", {:g} MHz", *device.clock_mhz) : "";
  return fmt::format("{} (compute capability {}{}{})", name, device.compute_capability, sms, clock);
}

}  // namespace

std::optional<std::string> Twins::add(const MeasuredKernel& kernel, const std::string& path) {
  PlannedRun run{gpu_, request_.settings, path, {}, {path, 0, 0}};
  run.overrides.params = kernel.params;
  try {
    const launch::LaunchFile file = launch::load_launch(path, run.overrides, launch::Contents::Checked);
    if (auto difference = shape_difference(kernel, file.launch.grid, file.launch.block, file.path))
      return difference;
    const std::uint32_t registers = kernel.registers.value_or(0);
    if (registers > kMostRegistersPerThread)
      return fmt::format("it had {} registers a thread; at most {} are simulated", registers,
                         kMostRegistersPerThread);
    if (registers > file.launch.registers_per_thread) run.overrides.registers = registers;
  } catch (const InputError& error) {
    return error.list().front().message;
  }
  list_.push_back({&kernel, plan_.add(run)});
  return std::nullopt;
}

void Twins::add_trace(const MeasuredKernel& kernel, const std::string& path) {
  list_.push_back({&kernel, plan_.add({gpu_, request_.settings, path, {}, {path, 0, 0}})});
}

void Twins::leave_out(const MeasuredKernel& kernel, const std::string& why) {
  results_.not_compared.push_back(fmt::format("{}: {}", launch_name(kernel.name, kernel), why));
}

void Twins::run() {
  if (list_.empty()) return;
  plan_.attempt(request_.threads, request_.quiet);
  std::erase_if(list_, [this](const Twin& twin) {
    const auto why = plan_.failure(twin.run);
    if (why) leave_out(*twin.kernel, *why);
    return why.has_value();
  });
  const std::string failed = plan_.failed_checks();
  print_error(failed);
  results_.checks_hold = results_.checks_hold && failed.empty();
}

Comparison Twins::compare(const Twin& twin, const validate::Metric& metric, double measured) const {
  Comparison one;
  one.gpu = plan_.summary(twin.run).gpu;
  one.unit = metric.unit;
  one.measured = measured;
  one.simulated = validate::figure_of(metric.expression, plan_.figures(twin.run));
  one.provenance = plan_.provenance(twin.run);
  return one;
}

std::optional<std::string> shape_difference(const MeasuredKernel& kernel, const Dim3& grid, const Dim3& block,
                                            const std::string& path) {
  const auto difference = [&](const char* what, const std::optional<Dim3>& measured,
                              const Dim3& here) -> std::optional<std::string> {
    if (!measured || *measured == here) return std::nullopt;
    return fmt::format("its {} was {}, that of {} is {}", what, extents_text(*measured), path,
                       extents_text(here));
  };
  const auto grids = difference("grid", kernel.grid, grid);
  return grids ? grids : difference("block", kernel.block, block);
}

std::string gpu_for(const ValidateRequest& request, const MeasuredKernels& measured) {
  if (request.gpu) return *request.gpu;
  const validate::MeasuredDevice& device = measured.device;
  return matching_gpu(measured.file, device.name, device.compute_capability, device.sms);
}

std::string launch_name(const std::string& name, const MeasuredKernel& kernel) {
  return kernel.id.empty() ? name : fmt::format("{} (ID {})", name, kernel.id);
}

void require_any(const ValidateRequest& request, const MeasuredKernels& measured,
                 const validate::Results& results) {
  if (!results.groups.empty()) return;
  Diagnostics problems;
  problems.add({measured.file, 0, 0}, request.filters.empty()
                                          ? "nothing of this file can be compared"
                                          : "nothing of this file with the text of --filter can be compared");
  for (const std::string& reason : results.not_compared) problems.add({measured.file, 0, 0}, reason);
  problems.throw_if_any();
}

std::string source_text(const MeasuredKernels& measured, const std::string& gpu) {
  return fmt::format("{}, measured on {}; simulated on {}", measured.file, device_text(measured.device), gpu);
}

}  // namespace heddle::command
