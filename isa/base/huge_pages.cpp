#include "isa/base/huge_pages.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace heddle {

// The room is asked for as part of the heap, and freed: malloc keeps what is free at the heap's end, and
// gives it out first, for large blocks, too.
void prefer_huge_pages(std::size_t bytes) {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;
  constexpr int kLargestThreshold = 1 << 25;  // that malloc takes
  constexpr int kUsualMaps = 1 << 16;
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  mallopt(M_MMAP_MAX, 0);
  void* room = std::malloc(bytes + kHugePage);
  mallopt(M_MMAP_MAX, kUsualMaps);
  if (room == nullptr) return;
  const std::uintptr_t first =
      (reinterpret_cast<std::uintptr_t>(room) + kHugePage - 1) / kHugePage * kHugePage;
  madvise(reinterpret_cast<void*>(first), bytes, MADV_HUGEPAGE);
  std::free(room);
}

}  // namespace heddle
