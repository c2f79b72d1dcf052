// Memory that will soon be wanted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Brings what lies there into the host's second-level cache, to be written. Only the host's speed can tell.
/// GCC takes a function that does nothing else for one without effect, and leaves out its calls; hence the
/// empty text of assembly, which does not let it.
inline void prefetch(const void* memory, std::size_t bytes) {
  constexpr std::size_t kLineBytes = 64;
  constexpr int kToWrite = 1;
  constexpr int kSecondLevel = 2;
  const char* const first = static_cast<const char*>(memory);
  const std::size_t into_line = reinterpret_cast<std::uintptr_t>(first) % kLineBytes;
  for (std::size_t at = 0; at < bytes + into_line; at += kLineBytes)
    __builtin_prefetch(first + at, kToWrite, kSecondLevel);
  asm volatile("" : : "r"(memory));
}

/// What is announced of a thing that will soon be wanted: each step finds there what the one before has asked
/// for.
enum class Reach : std::uint8_t { Itself, WhatItNames, WhatThoseName };

/// For who goes through `row` element by element, is at `at`, and asks each where more lies: the elements
/// some steps ahead, of each so many bytes, lest the asking waits for memory.
template <typename Element>
void prefetch_ahead(const std::vector<Element>& row, std::size_t at, std::size_t bytes = sizeof(Element)) {
  constexpr std::size_t kAhead = 4;
  const std::size_t end = std::min(row.size(), at + kAhead + 1);
  for (std::size_t i = at == 0 ? 0 : at + kAhead; i < end; ++i) prefetch(&row[i], bytes);
}

}  // namespace heddle
