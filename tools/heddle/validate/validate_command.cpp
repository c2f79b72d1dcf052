#include "tools/heddle/validate/validate_command.h"

#include <algorithm>

#include "isa/base/new_file.h"
#include "sim/trace/read/kernels_list.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/validate/case_provenance.h"
#include "tools/heddle/validate/validate_cases.h"
#include "tools/heddle/validate/validate_measured.h"
#include "tools/heddle/validate/validate_ncu.h"
#include "tools/heddle/validate/validate_report.h"
#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/reports.h"
#include "tools/validate/suite.h"

namespace heddle::command {

namespace {

using validate::Case;
using validate::Group;
using validate::Results;

/// Groups with the same name become one, in the position of the first.
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
      std::erase_if(group.cases,
                    [&](const Case& one) { return !is_wanted(request, group.name, one.name, one.gpu); });
      cases += group.cases.size();
      if (!group.cases.empty()) add_group(groups, std::move(group));
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
  if (cases == 0) throw UsageError("no case has the text of --filter in its group, name or GPU");
  return groups;
}

Results compare_suites(const ValidateRequest& request) {
  Results results;
  run_cases(request, load_suites(request), OnFailure::Throw, results);
  return results;
}

Results compare_all(const ValidateRequest& request) {
  Results results = request.measured ? compare_measured(request)
                    : request.ncu    ? compare_ncu_report(request)
                                     : compare_suites(request);
  std::vector<std::string> read;
  for (const std::optional<std::string>& measured : {request.measured, request.ncu}) {
    if (measured) read.push_back(*measured);
  }
  for (const std::string& path : request.suites) {
    if (trace::is_kernels_list(path)) read.push_back(path);
  }
  complete_provenance(request, read, results);
  return results;
}

void require_own_outputs(const ValidateRequest& request) {
  std::vector<std::string> inputs = request.suites;
  for (const std::optional<std::string>& measured : {request.measured, request.ncu}) {
    if (measured) inputs.push_back(*measured);
  }
  std::vector<std::string> outputs;
  for (const std::optional<std::string>& output : {request.output, request.plot}) {
    if (output) outputs.push_back(*output);
  }
  for (const std::string& output : outputs) require_writable(output);
  require_own_places(outputs, inputs);
}

}  // namespace

int validate_command(const Arguments& arguments) {
  constexpr std::string_view kOnlyHow[] = {"output", "plot", "threads", "quiet"};
  const auto command = read_reported(validate_syntax(), "validate", arguments, kOnlyHow);
  if (!command) return kDone;
  const ValidateRequest request = read_validate_request(*command);
  require_own_outputs(request);
  const Results results = compare_all(request);
  if (request.plot) write_file(*request.plot, validate::scatter_plot(results));
  if (request.output || !request.quiet) deliver(report_text(request, results), request.output);
  return results.are_good() ? kDone : kCheckFailed;
}

}  // namespace heddle::command
