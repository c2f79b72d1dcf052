// Messages call an argument what the command line calls it: of a sweep "--sweep n=abc", though its point is
// read as if it said "--param n=abc".
#pragma once

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

struct Wording {
  std::string said;     ///< What it is called otherwise, as far as its value: "--param n=".
  std::string written;  ///< "--sweep n=abc"
};

/// Each is applied to what those before it make.
using Wordings = std::vector<Wording>;

Diagnostic as_written(Diagnostic diagnostic, const Wordings& wordings);
InputError as_written(const InputError& error, const Wordings& wordings);
UsageError as_written(const UsageError& error, const Wordings& wordings);

/// What the action throws, it throws as written.
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
