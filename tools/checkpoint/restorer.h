// The end of a restoration: code that has nothing but itself. It lies in a region of its own, gives back all
// else that the process has mapped, fills in the memory of the image, and goes on in there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/checkpoint/mappings.h"

namespace heddle::checkpoint {

/// Bytes of a mapping that are in the image, directly in front of them. One of no bytes ends a mapping.
struct Run {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

/// What the restorer has to do. All that it points to lies in its region.
struct Restoration {
  int image = -1;                ///< Open, at the first run.
  const Mapping* old = nullptr;  ///< What the process has mapped now, by address.
  std::size_t old_count = 0;
  const Mapping* saved = nullptr;  ///< What the image has, by address.
  std::size_t saved_count = 0;
  std::uintptr_t region_begin = 0;  ///< The restorer's own.
  std::uintptr_t region_end = 0;
  std::uintptr_t thread = 0;  ///< The thread's storage in the image (FS).
  void (*go_on)() = nullptr;  ///< A function of the image, which does not return.
  char last_words[128] = {};  ///< What is said if something fails; then the process ends with exit code 2.
  std::size_t last_words_bytes = 0;
};

/// How many bytes a region needs for the code and the stack of the restorer.
std::size_t restorer_bytes();

/// Copies the restorer to the region and leaves for it. The region can be written and executed.
[[noreturn]] void leave_for(std::byte* region, const Restoration& restoration);

}  // namespace heddle::checkpoint
