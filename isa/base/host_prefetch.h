// Prefetching into the caches of the host. It changes only how fast the simulator runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Prefetches bytes for writing into the host's second-level cache. This changes only the speed. GCC would
/// drop calls of a function that only prefetches, because it seems to have no effect; the empty asm prevents
/// this.
inline void prefetch_bytes(const void* memory, std::size_t bytes) {
  constexpr std::size_t kLineBytes = 64;
  constexpr int kToWrite = 1;
  constexpr int kSecondLevel = 2;
  const char* line = static_cast<const char*>(memory);
  const std::size_t into_line = reinterpret_cast<std::uintptr_t>(line) % kLineBytes;
  const char* const end = line + bytes;
  line -= into_line;
  // Registers of a warp and shared memory are many lines: four at a time.
  for (; end - line > static_cast<std::ptrdiff_t>(3 * kLineBytes); line += 4 * kLineBytes) {
    __builtin_prefetch(line, kToWrite, kSecondLevel);
    __builtin_prefetch(line + kLineBytes, kToWrite, kSecondLevel);
    __builtin_prefetch(line + 2 * kLineBytes, kToWrite, kSecondLevel);
    __builtin_prefetch(line + 3 * kLineBytes, kToWrite, kSecondLevel);
  }
  for (; line < end; line += kLineBytes) __builtin_prefetch(line, kToWrite, kSecondLevel);
  asm volatile("" : : "r"(memory));
}

/// Which level of a linked structure is prefetched: an object first, later what it points to, later what
/// that points to. Each step reads what the step before has brought into the cache.
enum class PrefetchStep : std::uint8_t { Object, Pointees, PointeesOfPointees };

/// Prefetches the elements some steps ahead of `at`, `bytes` of each. A loop over `row` that follows a
/// pointer in each element calls it once an iteration.
template <typename Element>
void prefetch_ahead(const std::vector<Element>& row, std::size_t at, std::size_t bytes = sizeof(Element)) {
  constexpr std::size_t kAhead = 4;
  const std::size_t end = std::min(row.size(), at + kAhead + 1);
  for (std::size_t i = at == 0 ? 0 : at + kAhead; i < end; ++i) prefetch_bytes(&row[i], bytes);
}

}  // namespace heddle
