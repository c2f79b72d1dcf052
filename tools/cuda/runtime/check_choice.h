// What is looked for in the launches of a program, and at its end.
#pragma once

#include <string>
#include <vector>

namespace heddle::cudart {

/// What HEDDLE_CHECK and heddle exec --check say.
struct CheckChoice {
  bool memory = false;   ///< Bad addresses, and memory that is not freed at the end.
  bool initial = false;  ///< Reads of device memory that nobody has written.
  bool races = false;    ///< In shared memory, and between blocks.
  bool sync = false;     ///< Barriers to which threads of a block do not all come.

  [[nodiscard]] bool any() const { return memory || initial || races || sync; }
  /// Launches are executed for their results alone: their accesses are looked at one by one.
  [[nodiscard]] bool watches_accesses() const { return initial || races; }

  /// From the words "memory", "initial", "races", "sync" and "all". Throws InputError if one is none of
  /// these.
  static CheckChoice read(const std::vector<std::string>& words);
};

}  // namespace heddle::cudart
