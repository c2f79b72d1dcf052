#include "tools/heddle/run/run_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/report/json_object.h"

namespace heddle::command {

namespace {

stream::KernelFault named(const stream::KernelFault& fault, const RunRequest& request,
                          const std::string& path) {
  return fault.with_message(fmt::format("{}{}: {}", path, point_text(request.swept), fault.what()));
}

RunOutcome failed(ExitCode exit_code, std::string message, const RunRequest& request,
                  const std::string& path) {
  if (message.ends_with('\n')) message.pop_back();
  return {FailedRun{exit_code, {path, request.swept, std::move(message), failure_provenance(request, path)}},
          {}};
}

}  // namespace

RunOutcome outcome_of(const RunRequest& request, const std::string& path,
                      const std::function<RunOutcome()>& run) {
  try {
    return run();
  } catch (const stream::KernelFault& fault) {
    return failed(kProgramFailed, fault_text(named(fault, request, path)), request, path);
  } catch (const InputError& error) {
    return failed(kInputWrong, error.what(), request, path);
  }
}

RunOutcome outcome_or_throw(const RunRequest& request, const std::string& path,
                            const std::function<RunOutcome()>& run) {
  try {
    return run();
  } catch (const stream::KernelFault& fault) {
    throw named(fault, request, path);
  }
}

ExitCode decide_conditions(const RunRequest& request, std::span<const report::Summary> runs) {
  if (request.fail_if.empty()) return kDone;
  ExitCode code = kDone;
  for (const report::Summary& run : runs) {
    const auto object = report::to_object(run);
    for (const conditions::FailCondition& condition : request.fail_if) {
      const auto said = conditions::fulfilled(condition, object, "--fail-if");
      if (!said) continue;
      print_error(
          fmt::format("{}{}: --fail-if: {}\n", run.info.launch_path, point_text(run.info.swept), *said));
      code = kLimitExceeded;
    }
  }
  return code;
}

void RunFailures::add(FailedRun failed) {
  const auto is_same = [&failed](const report::Failure& other) {
    return other.message == failed.failure.message;
  };
  if (std::none_of(list_.begin(), list_.end(), is_same)) print_error(failed.failure.message + '\n');
  if (list_.empty()) exit_code_ = failed.exit_code;
  list_.push_back(std::move(failed.failure));
}

}  // namespace heddle::command
