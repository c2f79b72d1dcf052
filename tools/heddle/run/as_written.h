// Makes messages name an argument as the user wrote it: "--sweep n=abc" in a sweep, although its points are
// parsed as if it were "--param n=abc".
#pragma once

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

/// One replacement of words in messages.
struct Wording {
  std::string said;     ///< The argument up to its value, as it is parsed: "--param n=".
  std::string written;  ///< As the user wrote it: "--sweep n=abc".
};

/// Applied in order; each replaces in the result of those before it.
using Wordings = std::vector<Wording>;

Diagnostic as_written(Diagnostic diagnostic, const Wordings& wordings);
InputError as_written(const InputError& error, const Wordings& wordings);
UsageError as_written(const UsageError& error, const Wordings& wordings);

/// Runs the action. Messages of its exceptions are changed in this way.
template <typename Action>
auto say_as_written(const Wordings& wordings, Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const InputError& error) {
    throw as_written(error, wordings);
  } catch (const UsageError& error) {
    throw as_written(error, wordings);
  }
}

}  // namespace heddle::command
