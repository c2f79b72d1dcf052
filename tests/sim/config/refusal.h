// What was said about an input, for tests of messages.
#pragma once

#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::sim {

/// The diagnostics of the InputError that `action` throws; none where it throws none.
template <typename Action>
std::vector<Diagnostic> refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.list();
  }
  return {};
}

}  // namespace heddle::sim
