#include "tools/heddle/run/run_outputs.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

std::vector<std::string> outputs_of(const RunRequest& request) {
  std::vector<std::string> outputs;
  if (request.output) outputs.push_back(*request.output);
  if (request.journal) outputs.push_back(*request.journal);
  if (request.plot) outputs.push_back(request.plot->path);
  for (const SaveRequest& save : request.saves) outputs.push_back(save.path);
  for (const auto& picture : {request.perfetto, request.html}) {
    if (picture) outputs.push_back(*picture);
  }
  return outputs;
}

void require_writable_outputs(const RunRequest& request) {
  for (const SaveRequest& save : request.saves) {
    try {
      require_writable(save.path);
    } catch (const InputError& error) {
      print_error(fmt::format("note: --save {} will fail: {}", save.buffer, error.what()));
    }
  }
  if (request.output) require_writable(*request.output);
  if (request.plot) require_writable(request.plot->path);
  for (const auto& picture : {request.perfetto, request.html}) {
    if (picture) require_writable(*picture);
  }
}

void require_own_outputs(const RunRequest& request, const std::vector<std::string>& inputs) {
  require_own_places(outputs_of(request), inputs);
}

}  // namespace heddle::command
