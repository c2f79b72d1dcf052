#include "tools/heddle/validate/run_plan.h"

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <optional>
#include <set>

#include "isa/base/thread_team.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/device/device.h"
#include "sim/device/run.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/progress.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

namespace {

std::vector<std::string> gpu_key(const PlannedRun& run) {
  std::vector<std::string> key = {run.gpu};
  for (const Override& setting : run.settings) key.push_back(setting.text());
  return key;
}

std::vector<std::string> key_of(const PlannedRun& run) {
  std::vector<std::string> key = gpu_key(run);
  key.insert(key.end(), {"", run.launch, std::to_string(run.overrides.registers.value_or(0))});
  if (run.kernel) key.insert(key.end(), {run.kernel->text, std::to_string(run.kernel->threads)});
  for (const Override& param : run.overrides.params) key.push_back(param.text());
  return key;
}

launch::LaunchFile load(const PlannedRun& run, const sim::GpuSpec& spec) {
  if (!run.kernel) return launch::load_launch(run.launch, launch::for_gpu(run.overrides, spec));
  return launch::launch_of_text(run.kernel->text, run.launch, Dim3{run.kernel->threads, 1, 1});
}

/// A trace must be replayed unchanged.
void require_replayable(const PlannedRun& run, const sim::GpuSpec& spec) {
  require_trace_lanes(spec);
  if (!run.overrides.params.empty()) {
    throw InputError({}, fmt::format("{} is a trace: it has no values and no parameters", run.launch));
  }
}

/// Adds the figures that kernels measure themselves: the element of each buffer with a single element.
void add_elements(const launch::LaunchFile& file, std::vector<report::Figure>& figures) {
  for (const launch::BufferInfo& buffer : file.buffers) {
    if (buffer.count != 1) continue;
    const launch::Number number =
        launch::load_element(buffer.type, file.memory.find(buffer.name)->bytes().data());
    figures.emplace_back("buffers." + buffer.name, number);
  }
}

/// The values that the run gives to its launch, and the launch's files. A generated kernel has no files apart
/// from its suite's.
report::Provenance launch_part(const PlannedRun& run, const launch::LaunchFile& file) {
  report::Provenance part;
  for (const Override& param : run.overrides.params) part.parameters.emplace_back(param.key, param.value);
  if (run.kernel) return part;
  add_file(part, file.path);
  for (const std::string& source : file.sources) add_file(part, source);
  return part;
}

void add_part(report::Provenance& provenance, const report::Provenance& gpu) {
  provenance.gpu_changes = gpu.gpu_changes;
  provenance.add_files(gpu.files);
}

/// The launch, and the names of the values and parameters that are given.
std::string launch_key(const PlannedRun& run) {
  std::string key = run.launch + (run.kernel ? run.kernel->text : "");
  for (const Override& param : run.overrides.params) key += '\n' + param.key;
  return key;
}

/// A mistake without a line, such as one in an argument or in a whole file, is reported at the place in the
/// suite that asks for the run.
void add_at(Diagnostics& problems, const InputError& error, const SourceLocation& asked) {
  for (Diagnostic diagnostic : error.list()) {
    if (diagnostic.where.line == 0 && !asked.file.empty()) {
      if (!diagnostic.where.file.empty())
        diagnostic.message = fmt::format("{}: {}", diagnostic.where.file, diagnostic.message);
      diagnostic.where = asked;
    }
    problems.add(std::move(diagnostic));
  }
}

}  // namespace

std::size_t RunPlan::add(const PlannedRun& run) {
  const auto [number, is_new] = numbers_.emplace(key_of(run), runs_.size());
  if (is_new) runs_.push_back(run);
  return number->second;
}

void RunPlan::run(unsigned threads, bool quiet) {
  load_gpus();
  try_launches();
  simulate_all(threads, quiet);
  for (const Done& done : done_) {
    if (done.failure) std::rethrow_exception(done.failure);
  }
}

std::optional<std::string> RunPlan::failure(std::size_t run) const {
  if (!done_[run].failure) return std::nullopt;
  try {
    std::rethrow_exception(done_[run].failure);
  } catch (const InputError& error) {
    return error.list().front().message;
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
}

void RunPlan::attempt(unsigned threads, bool quiet) {
  load_gpus();
  simulate_all(threads, quiet);
}

void RunPlan::simulate_all(unsigned threads, bool quiet) {
  std::optional<ProgressLine> line;
  if (!quiet && is_terminal(stderr)) line.emplace("validate", ProgressLine::steady_clock(), print_progress);
  done_.resize(runs_.size());
  std::mutex mutex;
  std::size_t ended = 0;
  ThreadTeam(threads).run_long(runs_.size(), [&](std::size_t i, std::size_t) {
    done_[i] = try_simulate(i);
    const std::lock_guard lock(mutex);
    ++ended;
    if (line) line->update(ended, runs_.size());
  });
  line.reset();
}

std::string RunPlan::failed_checks() const {
  std::string text;
  for (const Done& done : done_) text += done.failed_checks;
  return text;
}

void RunPlan::load_gpus() {
  Diagnostics problems;
  for (const PlannedRun& run : runs_) {
    if (gpus_.count(gpu_key(run)) != 0) continue;
    try {
      Gpu gpu{sim::load_gpu(run.gpu, run.settings), {}};
      add_gpu(gpu.provenance, run.gpu, gpu.spec, !run.settings.empty());
      gpus_.emplace(gpu_key(run), std::move(gpu));
    } catch (const InputError& error) {
      gpus_.emplace(gpu_key(run), Gpu());
      add_at(problems, error, run.where);
    }
  }
  problems.throw_if_any();
}

/// Tries each launch file once, with the parameters of the first run that has it and gives these names.
/// Filling all buffers of all runs would take as long as some of the runs.
void RunPlan::try_launches() const {
  Diagnostics problems;
  std::set<std::string> tried;
  for (const PlannedRun& run : runs_) {
    try {
      if (is_trace(run.launch)) {
        require_replayable(run, gpus_.at(gpu_key(run)).spec);
      } else if (tried.insert(launch_key(run)).second) {
        load(run, gpus_.at(gpu_key(run)).spec);
      }
    } catch (const InputError& error) {
      add_at(problems, error, run.where);
    }
  }
  problems.throw_each_once();
}

RunPlan::Done RunPlan::try_simulate(std::size_t run) const {
  Done failed;
  try {
    return simulate(run);
  } catch (const stream::KernelFault& fault) {
    const std::string message = fmt::format("{}: {}", runs_[run].launch, fault.what());
    failed.failure = std::make_exception_ptr(fault.with_message(message));
  } catch (...) {
    failed.failure = std::current_exception();
  }
  return failed;
}

RunPlan::Done RunPlan::replay(const std::string& path, const Gpu& gpu) {
  const sim::GpuSpec& spec = gpu.spec;
  trace::ReplayKernel kernel(trace::open_trace(path), replay_options(spec));
  const sim::RunResult result = sim::run(kernel, spec);
  report::RunInfo info = trace_info(path, kernel);
  add_trace(info.provenance, path);
  add_part(info.provenance, gpu.provenance);
  Done done;
  done.summary = report::summarize(result, spec, std::move(info));
  done.figures = report::figures(done.summary);
  return done;
}

RunPlan::Done RunPlan::simulate(std::size_t run) const {
  const PlannedRun& planned = runs_[run];
  const Gpu& gpu = gpus_.at(gpu_key(planned));
  const sim::GpuSpec& spec = gpu.spec;
  if (is_trace(planned.launch)) return replay(planned.launch, gpu);
  launch::LaunchFile file = load(planned, spec);
  exec::LiveKernel kernel = live_kernel(spec, file);
  sim::Device device(spec);
  copy_from_host(file, device);
  report::RunInfo info;
  info.launch_path = file.path;
  info.registers_estimated = file.launch.kernel.is_estimated;
  info.provenance = launch_part(planned, file);
  add_part(info.provenance, gpu.provenance);
  Done done;
  done.summary = report::summarize(sim::run(kernel, device), spec, std::move(info));
  for (const launch::CheckFailure& failure : launch::run_checks(file)) {
    done.failed_checks += launch::to_text(failure);
  }
  done.figures = report::figures(done.summary);
  for (const auto& [name, value] : file.values) done.figures.emplace_back("values." + name, value);
  add_elements(file, done.figures);
  return done;
}

}  // namespace heddle::command
