#include "tools/heddle/validate_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/load.h"
#include "tools/heddle/gpu_choice.h"
#include "tools/heddle/output.h"
#include "tools/heddle/run_plan.h"
#include "tools/heddle/validate_cases.h"
#include "tools/heddle/validate_figures.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::command {

namespace {

using validate::Comparison;
using validate::GroupResult;
using validate::MeasuredKernel;
using validate::MeasuredKernels;
using validate::Results;

std::string extents_text(const Dim3& extents) {
  return fmt::format("{} x {} x {}", extents.x, extents.y, extents.z);
}

bool is_same(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Why this launch is not the one that was measured; nothing if it is.
std::optional<std::string> difference(const MeasuredKernel& kernel, const launch::LaunchFile& file) {
  if (kernel.grid && !is_same(*kernel.grid, file.launch.grid)) {
    return fmt::format("its grid was {}, that of {} is {}", extents_text(*kernel.grid), file.path,
                       extents_text(file.launch.grid));
  }
  if (kernel.block && !is_same(*kernel.block, file.launch.block)) {
    return fmt::format("its block was {}, that of {} is {}", extents_text(*kernel.block), file.path,
                       extents_text(file.launch.block));
  }
  return std::nullopt;
}

/// A measured kernel and the number of its run.
struct Twin {
  const MeasuredKernel* kernel;
  std::size_t run;
};

class Twins {
 public:
  Twins(const ValidateRequest& request, std::string gpu, Results& results)
      : request_(request), gpu_(std::move(gpu)), results_(results) {}

  /// Whether the launch file is of this kernel: then it is simulated, with as many registers as were
  /// measured.
  bool add(const MeasuredKernel& kernel, const std::string& path) {
    PlannedRun run{gpu_, request_.settings, path, {}, {path, 0, 0}};
    run.overrides.params = kernel.params;
    try {
      const launch::LaunchFile file = launch::load_launch(path, run.overrides);
      if (const auto reason = difference(kernel, file)) {
        reason_ = *reason;
        return false;
      }
      if (kernel.registers.value_or(0) > file.launch.registers_per_thread)
        run.overrides.registers = kernel.registers;
    } catch (const InputError& error) {
      reason_ = error.list().front().message;
      return false;
    }
    list_.push_back({&kernel, plan_.add(run)});
    return true;
  }

  void leave_out(const MeasuredKernel& kernel, const std::string& why) {
    results_.not_compared.push_back(fmt::format("{}: {}", kernel.name, why));
  }
  void leave_out(const MeasuredKernel& kernel) { leave_out(kernel, reason_); }

  void run() {
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

  [[nodiscard]] const std::vector<Twin>& list() const { return list_; }
  [[nodiscard]] Comparison compare(const Twin& twin, const validate::Metric& metric, double measured) const {
    Comparison one;
    one.gpu = plan_.summary(twin.run).gpu;
    one.unit = metric.unit;
    one.measured = measured;
    one.simulated = validate::figure_of(metric.expression, plan_.figures(twin.run));
    return one;
  }

 private:
  const ValidateRequest& request_;
  std::string gpu_;
  Results& results_;
  RunPlan plan_;
  std::vector<Twin> list_;
  std::string reason_;
};

std::string device_text(const validate::MeasuredDevice& device) {
  const std::string name = device.name.empty() ? "a GPU" : device.name;
  const std::string sms = device.sms ? fmt::format(", {} SMs", *device.sms) : "";
  const std::string clock = device.clock_mhz ? fmt::format(", {:g} MHz", *device.clock_mhz) : "";
  return fmt::format("{} (compute capability {}{}{})", name, device.compute_capability, sms, clock);
}

std::string source_text(const MeasuredKernels& measured, const std::string& gpu) {
  return fmt::format("{}, measured on {}; simulated on {}", measured.file, device_text(measured.device), gpu);
}

std::string gpu_for(const ValidateRequest& request, const MeasuredKernels& measured) {
  if (request.gpu) return *request.gpu;
  const validate::MeasuredDevice& device = measured.device;
  return matching_gpu(measured.file, device.name, device.compute_capability, device.sms);
}

std::string launches_folder(const ValidateRequest& request) {
  if (request.launch_dir) return *request.launch_dir;
  return (std::filesystem::path(sim::default_configs_directory()).parent_path() / "traces").string();
}

void add_metric(Results& results, const validate::Metric& metric, Comparison one, const std::string& source) {
  auto group = std::find_if(results.groups.begin(), results.groups.end(),
                            [&](const GroupResult& known) { return known.name == metric.key; });
  if (group == results.groups.end()) {
    group = results.groups.insert(group, GroupResult{metric.key, metric.summary, source, {}});
  }
  group->cases.push_back(std::move(one));
}

/// Takes the metrics that --filter leaves out off the kernels.
void keep_wanted(const ValidateRequest& request, const std::string& gpu, MeasuredKernels& measured) {
  for (MeasuredKernel& kernel : measured.kernels) {
    std::erase_if(kernel.metrics, [&](const auto& metric) {
      return !is_wanted(request, metric.first->key, kernel.name, gpu);
    });
  }
}

/// "KERNEL=FILE.yaml"; a file by itself is of the kernel that it launches.
struct NamedLaunch {
  std::string kernel;
  std::string path;
};

std::vector<NamedLaunch> named_launches(const ValidateRequest& request) {
  std::vector<NamedLaunch> list;
  for (const std::string& text : request.launches) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      throw UsageError(fmt::format("--launch {}: must be KERNEL=FILE.yaml", text));
    }
    list.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  for (const std::string& path : request.suites) {
    list.push_back({launch::load_launch(path).launch.kernel.name, path});
  }
  if (list.empty()) throw UsageError("--ncu needs the launch files of its kernels");
  return list;
}

void add_twin(Twins& twins, const MeasuredKernel& kernel, const std::vector<NamedLaunch>& launches) {
  const std::string name = validate::bare_kernel_name(kernel.name);
  bool is_named = false;
  for (const NamedLaunch& launch : launches) {
    if (launch.kernel != name && launch.kernel != kernel.name) continue;
    is_named = true;
    if (twins.add(kernel, launch.path)) return;
  }
  if (is_named) return twins.leave_out(kernel);
  twins.leave_out(kernel, "no launch file is given for it");
}

}  // namespace

Results compare_measured(const ValidateRequest& request) {
  MeasuredKernels measured = validate::load_measured(*request.measured);
  const std::string gpu = gpu_for(request, measured);
  keep_wanted(request, gpu, measured);
  const std::string source = source_text(measured, gpu);
  Results results{{}, measured.not_compared, true};
  Twins twins(request, gpu, results);
  const std::filesystem::path folder = launches_folder(request);
  for (const MeasuredKernel& kernel : measured.kernels) {
    if (kernel.metrics.empty()) continue;
    const std::string path = (folder / (kernel.launch + ".yaml")).string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      twins.leave_out(kernel, fmt::format("there is no launch file {}", path));
    } else if (!twins.add(kernel, path)) {
      twins.leave_out(kernel);
    }
  }
  twins.run();
  for (const validate::Metric& metric : validate::metrics()) {
    for (const Twin& twin : twins.list()) {
      for (const auto& [known, value] : twin.kernel->metrics) {
        if (known != &metric) continue;
        Comparison one = twins.compare(twin, metric, value);
        one.name = twin.kernel->name;
        add_metric(results, metric, std::move(one), source);
      }
    }
  }
  compare_figures(request, measured, gpu, source, results);
  return results;
}

Results compare_ncu_report(const ValidateRequest& request) {
  const MeasuredKernels measured = validate::load_ncu_report(*request.ncu);
  const std::vector<NamedLaunch> launches = named_launches(request);
  const std::string gpu = gpu_for(request, measured);
  Results results{{}, measured.not_compared, true};
  Twins twins(request, gpu, results);
  for (const MeasuredKernel& kernel : measured.kernels) add_twin(twins, kernel, launches);
  twins.run();
  for (const Twin& twin : twins.list()) {
    GroupResult group{
        validate::bare_kernel_name(twin.kernel->name), twin.kernel->name, source_text(measured, gpu), {}};
    group.is_population = false;
    for (const auto& [metric, value] : twin.kernel->metrics) {
      group.cases.push_back(twins.compare(twin, *metric, value));
      group.cases.back().name = metric->summary;
    }
    results.groups.push_back(std::move(group));
  }
  return results;
}

}  // namespace heddle::command
