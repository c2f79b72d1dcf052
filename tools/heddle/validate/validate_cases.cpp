#include "tools/heddle/validate/validate_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/validate/case_provenance.h"
#include "tools/heddle/validate/run_plan.h"
#include "tools/validate/figure_check.h"

namespace heddle::command {

namespace {

using validate::Case;
using validate::Comparison;
using validate::Group;
using validate::GroupResult;
using validate::Results;

/// The copy of a GPU file in --gpu-dir, if there is one.
std::string gpu_of(const ValidateRequest& request, const std::string& own) {
  std::string gpu = request.gpu.value_or(own);
  if (!request.gpu_dir) return gpu;
  const std::filesystem::path copy = std::filesystem::path(*request.gpu_dir) / (gpu + ".yaml");
  std::error_code ignored;
  return std::filesystem::is_regular_file(copy, ignored) ? copy.string() : gpu;
}

/// Plans the runs of a case and returns their numbers.
std::vector<std::size_t> plan_runs(const ValidateRequest& request, const Case& one, RunPlan& plan) {
  std::vector<std::size_t> numbers;
  for (const validate::Run& run : one.runs) {
    PlannedRun planned{gpu_of(request, one.gpu), run.settings, run.launch, {}, run.where, run.kernel};
    planned.settings.insert(planned.settings.end(), request.settings.begin(), request.settings.end());
    planned.overrides.params = run.params;
    numbers.push_back(plan.add(planned));
  }
  return numbers;
}

report::Provenance provenance_of(const Case& one, const std::vector<std::size_t>& numbers,
                                 const RunPlan& plan) {
  report::Provenance read;
  for (const std::string& path : one.files) add_file(read, path);
  std::vector<NamedProvenance> runs;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    runs.emplace_back(one.runs[i].name, plan.provenance(numbers[i]));
  report::Provenance made = merged_provenance(runs);
  read.add_files(made.files);
  made.files = std::move(read.files);
  return made;
}

Comparison compare(const ValidateRequest& request, const Case& one, const std::vector<std::size_t>& numbers,
                   const RunPlan& plan, Diagnostics& problems) {
  std::vector<validate::NamedFigures> figures;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    figures.emplace_back(one.runs[i].name, plan.figures(numbers[i]));
  }
  const std::string gpu = request.gpu && !numbers.empty() ? plan.summary(numbers[0]).gpu : one.gpu;
  const double simulated = simulated_value(one, figures, problems).value_or(0);
  return {one.name,      gpu,          one.unit, one.measured, simulated,
          one.tolerance, one.deviates, provenance_of(one, numbers, plan)};
}

/// Throws InputError, which has each mistake once because the cases of a table share an expression.
void require_figures(const std::vector<Group>& groups) {
  const std::vector<std::string> names = report::figure_names();
  Diagnostics problems;
  for (const Group& group : groups) {
    for (const Case& one : group.cases) validate::check_figures(one, names, problems);
  }
  problems.throw_each_once();
}

/// The reason why one of the runs has no figures.
std::optional<std::string> failure_of(const std::vector<std::size_t>& numbers, const RunPlan& plan) {
  for (const std::size_t number : numbers) {
    if (auto why = plan.failure(number)) return why;
  }
  return std::nullopt;
}

}  // namespace

bool is_wanted(const ValidateRequest& request, const std::string& group, const std::string& name,
               const std::string& gpu) {
  const std::string text = fmt::format("{} {} {}", group, name, gpu);
  const auto is_in = [&](const std::string& filter) { return text.find(filter) != std::string::npos; };
  return request.filters.empty() || std::any_of(request.filters.begin(), request.filters.end(), is_in);
}

void run_cases(const ValidateRequest& request, const std::vector<Group>& groups, OnFailure mode,
               Results& results) {
  require_figures(groups);
  RunPlan plan;
  std::vector<std::vector<std::size_t>> numbers;
  for (const Group& group : groups) {
    for (const Case& one : group.cases) numbers.push_back(plan_runs(request, one, plan));
  }
  if (mode == OnFailure::Throw) {
    plan.run(request.threads, request.quiet);
  } else {
    plan.attempt(request.threads, request.quiet);
  }
  const std::string failed = plan.failed_checks();
  print_error(failed);
  results.checks_hold = results.checks_hold && failed.empty();
  Diagnostics problems;
  auto next = numbers.begin();
  for (const Group& group : groups) {
    GroupResult result{group.name, group.title, group.source, {}};
    for (const Case& one : group.cases) {
      const std::vector<std::size_t>& runs = *next++;
      if (const auto why = failure_of(runs, plan)) {
        results.not_compared.push_back(fmt::format("{}: {}", one.name, *why));
      } else {
        result.cases.push_back(compare(request, one, runs, plan, problems));
      }
    }
    if (!result.cases.empty()) results.groups.push_back(std::move(result));
  }
  problems.throw_if_any();
}

}  // namespace heddle::command
