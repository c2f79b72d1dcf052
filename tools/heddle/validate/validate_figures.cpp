#include "tools/heddle/validate/validate_figures.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "sim/config/load.h"
#include "tools/heddle/base/data_files.h"
#include "tools/heddle/validate/validate_cases.h"

namespace heddle::command {

namespace {

using validate::Case;
using validate::Group;
using validate::MeasuredFigure;
using validate::MeasuredFigures;
using validate::Results;

std::filesystem::path suites_folder() { return data_folder("tests/validation/kit"); }

MeasuredFigures figures_for(const ValidateRequest& request, const validate::MeasuredKernels& measured,
                            const std::string& gpu) {
  const sim::GpuSpec spec = sim::load_gpu(gpu, request.settings);
  return {measured.figures,
          {{"gpu", gpu}, {"sms", std::to_string(spec.sms)}, {"l2_bytes", std::to_string(spec.l2.bytes)}}};
}

/// The reason why no suite has a case for this figure.
std::string reason_for(const MeasuredFigure& figure, const std::vector<Group>& groups) {
  if (!(figure.value > 0))
    return fmt::format("{:g} {} was measured: no error is relative to that", figure.value, figure.unit);
  for (const Group& group : groups) {
    for (const auto& [name, reason] : group.not_compared) {
      if (name == figure.name) return reason;
    }
  }
  return fmt::format("no suite of {} has it", suites_folder().string());
}

void leave_out_the_rest(const ValidateRequest& request, const MeasuredFigures& figures,
                        const std::string& gpu, const std::vector<Group>& groups, Results& results) {
  std::set<std::string> known;
  for (const Group& group : groups) {
    for (const Case& one : group.cases) known.insert(one.name);
    for (const auto& [name, reason] : group.left_out) {
      known.insert(name);
      if (is_wanted(request, "", name, gpu))
        results.not_compared.push_back(fmt::format("{}: {}", name, reason));
    }
  }
  for (const MeasuredFigure& figure : figures.list) {
    const std::string name = full_name(figure);
    if (known.count(name) != 0 || !is_wanted(request, "", name, gpu)) continue;
    results.not_compared.push_back(fmt::format("{}: {}", name, reason_for(figure, groups)));
  }
}

}  // namespace

void compare_figures(const ValidateRequest& request, const validate::MeasuredKernels& measured,
                     const std::string& gpu, const std::string& source, Results& results) {
  if (measured.figures.empty()) return;
  const MeasuredFigures figures = figures_for(request, measured, gpu);
  std::vector<Group> groups;
  for (const std::filesystem::path& path : yaml_files(suites_folder())) {
    groups.push_back(validate::load_suite(path.string(), &figures));
    groups.back().source = source;
  }
  leave_out_the_rest(request, figures, gpu, groups, results);
  for (Group& group : groups) {
    std::erase_if(group.cases,
                  [&](const Case& one) { return !is_wanted(request, group.name, one.name, one.gpu); });
  }
  run_cases(request, groups, OnFailure::LeaveOut, results);
}

}  // namespace heddle::command
