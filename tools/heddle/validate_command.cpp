#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/heddle/output.h"
#include "tools/heddle/run_plan.h"
#include "tools/heddle/validate_measured.h"
#include "tools/heddle/validate_request.h"
#include "tools/report/render_text.h"
#include "tools/validate/comparison.h"
#include "tools/validate/figure_check.h"
#include "tools/validate/reports.h"
#include "tools/validate/suite.h"

namespace heddle::command {

namespace {

using validate::Case;
using validate::Comparison;
using validate::Group;
using validate::GroupResult;
using validate::Results;

bool is_wanted(const ValidateRequest& request, const Group& group, const Case& one) {
  const std::string name = fmt::format("{} {} {}", group.name, one.name, one.gpu);
  const auto is_in = [&](const std::string& text) { return name.find(text) != std::string::npos; };
  return request.filters.empty() || std::any_of(request.filters.begin(), request.filters.end(), is_in);
}

/// Those of one name make one group, where the first of them stands.
void add_group(std::vector<Group>& groups, Group group) {
  const auto same = std::find_if(groups.begin(), groups.end(),
                                 [&](const Group& known) { return known.name == group.name; });
  if (same == groups.end()) {
    groups.push_back(std::move(group));
    return;
  }
  same->cases.insert(same->cases.end(), group.cases.begin(), group.cases.end());
}

std::vector<Group> load_suites(const ValidateRequest& request) {
  Diagnostics problems;
  std::vector<Group> groups;
  std::size_t cases = 0;
  for (const std::string& path : request.suites) {
    try {
      Group group = validate::load_suite(path);
      std::erase_if(group.cases, [&](const Case& one) { return !is_wanted(request, group, one); });
      cases += group.cases.size();
      if (!group.cases.empty()) add_group(groups, std::move(group));
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.list()) problems.add(diagnostic);
    }
  }
  problems.throw_if_any();
  if (cases == 0) throw UsageError("no case has the text of --filter in its group, name or GPU");
  return groups;
}

/// The changed copy of a GPU's file, if there is one.
std::string gpu_of(const ValidateRequest& request, const std::string& own) {
  std::string gpu = request.gpu.value_or(own);
  if (!request.gpu_dir) return gpu;
  const std::filesystem::path copy = std::filesystem::path(*request.gpu_dir) / (gpu + ".yaml");
  std::error_code ignored;
  return std::filesystem::is_regular_file(copy, ignored) ? copy.string() : gpu;
}

/// The numbers of a case's runs.
std::vector<std::size_t> plan_runs(const ValidateRequest& request, const Case& one, RunPlan& plan) {
  std::vector<std::size_t> numbers;
  for (const validate::Run& run : one.runs) {
    PlannedRun planned{gpu_of(request, one.gpu), run.settings, run.launch, {}, run.where};
    planned.settings.insert(planned.settings.end(), request.settings.begin(), request.settings.end());
    planned.overrides.params = run.params;
    numbers.push_back(plan.add(planned));
  }
  return numbers;
}

Comparison compare(const ValidateRequest& request, const Case& one, const std::vector<std::size_t>& numbers,
                   const RunPlan& plan, Diagnostics& problems) {
  std::vector<validate::NamedFigures> figures;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    figures.emplace_back(one.runs[i].name, plan.figures(numbers[i]));
  }
  const std::string gpu = request.gpu && !numbers.empty() ? plan.summary(numbers[0]).gpu : one.gpu;
  return {
      one.name,      gpu,         one.unit, one.measured, simulated_value(one, figures, problems).value_or(0),
      one.tolerance, one.deviates};
}

/// Throws InputError, each mistake once: the cases of a table have one expression.
void require_figures(const std::vector<Group>& groups) {
  const std::vector<std::string> names = report::figure_names();
  Diagnostics problems;
  for (const Group& group : groups) {
    for (const Case& one : group.cases) validate::check_figures(one, names, problems);
  }
  validate::throw_each_once(problems);
}

Results run_cases(const ValidateRequest& request, const std::vector<Group>& groups) {
  require_figures(groups);
  RunPlan plan;
  std::vector<std::vector<std::size_t>> numbers;
  for (const Group& group : groups) {
    for (const Case& one : group.cases) numbers.push_back(plan_runs(request, one, plan));
  }
  plan.run(request.threads, request.quiet);
  const std::string failed = plan.failed_checks();
  print_error(failed);
  Diagnostics problems;
  Results results{{}, {}, failed.empty()};
  auto next = numbers.begin();
  for (const Group& group : groups) {
    GroupResult& result = results.groups.emplace_back(GroupResult{group.name, group.title, group.source, {}});
    for (const Case& one : group.cases)
      result.cases.push_back(compare(request, one, *next++, plan, problems));
  }
  problems.throw_if_any();
  return results;
}

Results compare_all(const ValidateRequest& request) {
  if (request.measured) return compare_measured(request);
  if (request.ncu) return compare_ncu_report(request);
  return run_cases(request, load_suites(request));
}

std::string report_text(const ValidateRequest& request, const Results& results) {
  if (request.format == "json") return validate::to_json(results);
  if (request.format == "markdown") return validate::to_markdown(results);
  if (request.format == "csv") return validate::to_csv(results);
  return report::render_text(validate::document(results), {!request.output && wants_colour(stdout), false});
}

}  // namespace

int validate_command(const Arguments& arguments) {
  const Syntax syntax = validate_syntax();
  const OptionValues values = parse(syntax, arguments);
  if (values.count("help") != 0) {
    write_output(help_text(syntax));
    return kDone;
  }
  const ValidateRequest request = read_validate_request(values);
  const Results results = compare_all(request);
  if (request.plot) write_file(*request.plot, validate::scatter_plot(results));
  const std::string report = report_text(request, results);
  if (request.output) {
    write_file(*request.output, report);
  } else if (!request.quiet) {
    write_output(report);
  }
  return results.are_good() ? kDone : kCheckFailed;
}

}  // namespace heddle::command
