// Memory that will soon be wanted.
#pragma once

#include <cstddef>

namespace heddle {

/// Brings what lies there into the host's second-level cache, to be written. Only the host's speed can tell.
inline void prefetch(const void* memory, std::size_t bytes) {
  constexpr std::size_t kLineBytes = 64;
  constexpr int kToWrite = 1;
  constexpr int kSecondLevel = 2;
  const char* const first = static_cast<const char*>(memory);
  for (std::size_t at = 0; at < bytes; at += kLineBytes)
    __builtin_prefetch(first + at, kToWrite, kSecondLevel);
}

}  // namespace heddle
