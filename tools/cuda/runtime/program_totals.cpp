#include "tools/cuda/runtime/program_totals.h"

#include <algorithm>
#include <utility>

#include "isa/base/student_t.h"
#include "tools/cuda/runtime/launch_report.h"
#include "tools/cuda/runtime/program_summary.h"
#include "tools/report/json.h"
#include "tools/report/json_object.h"

namespace heddle::cudart {

namespace {

using Json = nlohmann::ordered_json;

void add(KernelTotals& to, const KernelTotals& from) {
  to.calls += from.calls;
  to.timed += from.timed;
  to.estimate += from.estimate;
  to.figures.add(from.figures);
}

void add(ProgramTotals& totals, const LaunchLog& log) {
  for (const KernelTotals& kernel : log.kernels()) {
    totals.calls += kernel.calls;
    totals.timed += kernel.timed;
    const auto known = std::ranges::find(totals.kernels, kernel.mangled, &KernelTotals::mangled);
    if (known == totals.kernels.end()) {
      totals.kernels.push_back(kernel);
    } else {
      add(*known, kernel);
    }
  }
  for (const auto& [direction, name] : kDirections) {
    CopyTotals& copies = totals.copies[static_cast<std::size_t>(direction)];
    copies.calls += log.copies(direction).calls;
    copies.bytes += log.copies(direction).bytes;
    copies.time_us += log.copies(direction).time_us;
  }
  totals.estimate += log.estimate_of_all();
  totals.clock_us = std::max(totals.clock_us, log.clock_us());
  totals.has_failed |= log.has_failed();
  totals.is_over_limit |= log.is_over_limit();
}

/// What a report has of a kernel, or of all: without figures if nothing of it was timed.
Json object_of(const std::string& name, const std::string& gpu, std::uint64_t calls, std::uint64_t timed,
               const report::Summary& figures) {
  Json object = {{"schema_version", report::kSchemaVersion},
                 {"kernel", name},
                 {"gpu", gpu},
                 {"calls", calls},
                 {"timed", timed}};
  if (timed == 0) return object;
  object.update(report::to_object(figures));
  object.erase("provenance");
  return object;
}

/// What all launches took, if some were timed for all.
void add_estimate(Json& object, const sample::ProgramEstimate& estimate) {
  if (estimate.launches == 0) return;
  object["sampled_launches"] = {{"launches", estimate.launches},
                                {"timed", estimate.timed},
                                {"cycles", estimate.cycles},
                                {"cycles_least", std::max(0.0, estimate.cycles - estimate.half_width)},
                                {"cycles_most", estimate.cycles + estimate.half_width},
                                {"confidence", kConfidence}};
}

Json object_of(const KernelTotals& kernel, const sim::GpuSpec& gpu) {
  report::Summary figures{kernel.figures.figures(gpu), {}};
  figures.kernel = kernel.mangled;
  figures.info.registers_estimated = true;
  Json object = object_of(kernel.mangled, gpu.name, kernel.calls, kernel.timed, figures);
  add_estimate(object, kernel.estimate);
  return object;
}

Json copies_of(const ProgramTotals& totals) {
  Json list = Json::array();
  for (const auto& [direction, name] : kDirections) {
    const CopyTotals& copies = totals.copies[static_cast<std::size_t>(direction)];
    list.push_back(
        {{"kind", name}, {"calls", copies.calls}, {"bytes", copies.bytes}, {"time_us", copies.time_us}});
  }
  return list;
}

}  // namespace

ProgramTotals totals_of(std::span<const std::unique_ptr<LaunchLog>> logs) {
  ProgramTotals totals;
  for (const auto& log : logs) {
    if (!log) continue;
    totals.gpu = log->gpu();
    add(totals, *log);
  }
  sim::FiguresSum sum;
  for (const KernelTotals& kernel : totals.kernels) sum.add(kernel.figures);
  if (totals.timed != 0) totals.all = report::Summary{sum.figures(totals.gpu), {}};
  return totals;
}

std::string totals_text(const ProgramTotals& totals, const Settings& settings) {
  Json document = {{"schema_version", report::kSchemaVersion}, {"gpu", totals.gpu.name}};
  document["clock_us"] = totals.clock_us;
  document["kernels"] = Json::array();
  for (const KernelTotals& kernel : totals.kernels)
    document["kernels"].push_back(object_of(kernel, totals.gpu));
  document["all"] = object_of(totals.all.kernel, totals.gpu.name, totals.calls, totals.timed, totals.all);
  add_estimate(document["all"], totals.estimate);
  document["all"]["provenance"] = report::to_object(provenance_of(settings, totals.gpu));
  document["copies"] = copies_of(totals);
  return report::json_text(document);
}

}  // namespace heddle::cudart
