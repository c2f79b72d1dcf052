#include <cuda_profiler_api.h>

#include <cstdio>

#include "tools/hardware/examples/on_gpu.h"
#include "tools/hardware/examples/placed.h"

namespace kit {

namespace {

std::string label(const TwinEntry& entry, const Values::List& given) {
  std::string text = entry.launch;
  for (const auto& [name, value] : given) text += " " + name + "=" + std::to_string(value);
  return text;
}

std::string cannot_run(const Needs& needs, int capability) {
  const auto dotted = [](int number) {
    return std::to_string(number / 10) + "." + std::to_string(number % 10);
  };
  if (needs.only_capability != 0 && needs.only_capability != capability)
    return "needs compute capability " + dotted(needs.only_capability);
  if (capability < needs.least_capability)
    return "needs compute capability " + dotted(needs.least_capability) + " or later";
  return "";
}

KernelFigures described(const Point& point, const Twin& twin, const Values& values) {
  KernelFigures figures;
  figures.launch = point.entry->launch;
  for (const auto& [name, value] : values.used())
    figures.params.emplace_back(name, static_cast<double>(value));
  const dim3 sizes[2] = {twin.shape.grid, twin.shape.block};
  unsigned(*into[2])[3] = {&figures.grid, &figures.block};
  for (int i = 0; i < 2; ++i) {
    (*into[i])[0] = sizes[i].x;
    (*into[i])[1] = sizes[i].y;
    (*into[i])[2] = sizes[i].z;
  }
  cudaFuncAttributes attributes;
  KIT_CUDA(cudaFuncGetAttributes(&attributes, twin.function));
  figures.registers = static_cast<unsigned>(attributes.numRegs);
  figures.shared_bytes = attributes.sharedSizeBytes + twin.shape.shared_bytes;
  return figures;
}

/// Returns what was wrong; empty if nothing was.
std::string measure(const Gpu& gpu, const Point& point, Report& report) {
  Values values(point.given);
  const Twin twin = point.entry->make(values);
  for (const std::string& name : values.unknown()) return "has no number " + name;
  const Timed timed = check_and_time(gpu, twin);
  if (!timed.wrong.empty()) return timed.wrong;
  KernelFigures figures = described(point, twin, values);
  if (timed.us > timed.empty_us) figures.metrics.emplace_back("duration_us", timed.us - timed.empty_us);
  figures.metrics.emplace_back("event_us", timed.us);
  report.kernels.push_back(figures);
  return "";
}

/// The profiler's row for a point. Null if it is missing or names another kernel.
const ProfiledKernel* row_of(const std::vector<ProfiledKernel>& profiled, std::size_t place,
                             const Point& point) {
  if (place >= profiled.size()) return nullptr;
  return profiled[place].function.find(point.kernel) == std::string::npos ? nullptr : &profiled[place];
}

}  // namespace

std::vector<Point> points(const std::string& only, int capability, std::vector<std::string>& left_out) {
  std::vector<Point> runnable, waiting;
  for (const TwinEntry& entry : twins()) {
    if (!only.empty() && only != entry.launch) continue;
    Values values;
    const Twin twin = entry.make(values);
    const std::string reason = cannot_run(twin.needs, capability);
    if (!reason.empty()) {
      left_out.push_back(std::string(entry.launch) + ": " + reason);
      continue;
    }
    const std::string kernel = twin.kernel_name.empty() ? entry.launch : twin.kernel_name;
    std::vector<Point>& list = twin.needs.progress ? waiting : runnable;
    list.push_back({&entry, {}, kernel, twin.needs.progress});
    for (const PointEntry& extra : extra_points())
      if (std::string(extra.launch) == entry.launch)
        list.push_back({&entry, extra.given, kernel, twin.needs.progress});
  }
  runnable.insert(runnable.end(), waiting.begin(), waiting.end());
  return runnable;
}

void profile_examples(const Gpu& gpu, const std::vector<Point>& all, const Budget& budget) {
  std::size_t done = 0;
  for (const Point& point : all) {
    if (point.needs_progress || !budget.allows(0)) break;
    Values values(point.given);
    const Twin twin = point.entry->make(values);
    const Placed placed(twin);
    placed.run();
    placed.restore();
    gpu.empty_l2();
    finish(point.entry->launch);
    KIT_CUDA(cudaProfilerStart());
    placed.run();
    finish(point.entry->launch);
    KIT_CUDA(cudaProfilerStop());
    ++done;
  }
  std::printf("%zu of %zu launches profiled\n", done, all.size());
}

int measure_examples(const Gpu& gpu, const std::vector<Point>& all,
                     const std::vector<ProfiledKernel>& profiled, const Budget& budget, Report& report,
                     const std::function<void()>& progress) {
  int wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = label(*all[i].entry, all[i].given);
    if (!budget.allows(1)) {
      report.left_out.push_back(name + ": no time left");
      continue;
    }
    const std::string message = measure(gpu, all[i], report);
    if (!message.empty()) {
      ++wrong;
      std::fprintf(stderr, "%s: WRONG: %s\n", name.c_str(), message.c_str());
      report.left_out.push_back(name + ": wrong result, " + message);
      continue;
    }
    KernelFigures& figures = report.kernels.back();
    std::printf("%-60s %10.2f us\n", name.c_str(), figures.metrics.back().second);
    if (const ProfiledKernel* row = row_of(profiled, i, all[i]))
      figures.metrics.insert(figures.metrics.end(), row->metrics.begin(), row->metrics.end());
    else if (!profiled.empty())
      report.left_out.push_back(name + ": not profiled");
    progress();
  }
  return wrong;
}

}  // namespace kit
