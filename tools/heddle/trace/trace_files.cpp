#include "tools/heddle/trace/trace_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/output.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

std::vector<std::string> require_traces(const std::vector<std::string>& operands) {
  if (operands.empty()) throw UsageError("a trace or a list of traces is needed");
  return operands;
}

trace::KernelsList list_of_traces(const std::string& path) {
  if (trace::is_kernels_list(path)) return trace::read_kernels_list(path);
  trace::KernelsList list;
  list.entries.push_back({.name = std::filesystem::path(path).filename().string(), .path = path});
  return list;
}

void note_passed_over(const std::string& path, const trace::KernelsList& list) {
  if (list.passed_over == 0) return;
  print_error(fmt::format("{}:{}: note: {} line{} passed over, as '{}'\n", path, list.first_passed_over,
                          list.passed_over, list.passed_over == 1 ? " is" : "s are",
                          report::printable(list.passed_over_text)));
}

}  // namespace heddle::command
