#include "tools/heddle/run/as_written.h"

#include <algorithm>
#include <utility>

namespace heddle::command {

namespace {

std::string written(std::string argument, const Wordings& wordings) {
  for (const Wording& wording : wordings) {
    if (argument.starts_with(wording.said)) argument = wording.written;
  }
  return argument;
}

}  // namespace

Diagnostic as_written(Diagnostic diagnostic, const Wordings& wordings) {
  diagnostic.where.file = written(std::move(diagnostic.where.file), wordings);
  return diagnostic;
}

InputError as_written(const InputError& error, const Wordings& wordings) {
  std::vector<Diagnostic> list = error.list();
  for (Diagnostic& diagnostic : list) diagnostic = as_written(std::move(diagnostic), wordings);
  return InputError(std::move(list));
}

UsageError as_written(const UsageError& error, const Wordings& wordings) {
  const std::string text = error.what();
  const std::size_t end = std::min(text.find(": "), text.size());
  return UsageError(written(text.substr(0, end), wordings) + text.substr(end));
}

}  // namespace heddle::command
