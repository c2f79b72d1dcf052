#include "tools/heddle/run/run_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/run_provenance.h"

namespace heddle::command {

bool RunFailures::attempt(const RunRequest& request, const std::string& path,
                          const std::function<void()>& run) {
  try {
    run();
    return true;
  } catch (const stream::KernelFault& fault) {
    const stream::KernelFault told(fmt::format("{}{}: {}", path, point_text(request.swept), fault.what()));
    if (!goes_on_) throw told;
    note(kProgramFailed, {path, request.swept, fault_text(told), failure_provenance(request, path)});
  } catch (const InputError& error) {
    if (!goes_on_) throw;
    note(kInputWrong, {path, request.swept, error.what(), failure_provenance(request, path)});
  }
  return false;
}

void RunFailures::note(ExitCode exit_code, report::Failure failure) {
  const auto is_same = [&failure](const report::Failure& other) { return other.message == failure.message; };
  if (failure.message.ends_with('\n')) failure.message.pop_back();
  if (std::none_of(list_.begin(), list_.end(), is_same)) print_error(failure.message + '\n');
  if (list_.empty()) exit_code_ = exit_code;
  list_.push_back(std::move(failure));
}

}  // namespace heddle::command
