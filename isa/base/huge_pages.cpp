#include "isa/base/huge_pages.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__linux__)

namespace heddle {
void prefer_huge_pages(std::size_t) {}  // another malloc than glibc's
}  // namespace heddle

#else

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <limits>
#include <memory>

namespace heddle {

// The memory is allocated on the heap and freed. malloc keeps free memory at the end of the heap and uses it
// first, also for large blocks.
void prefer_huge_pages(std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{1} << 21;
  constexpr int kLargestThreshold = 1 << 25;  // the largest that malloc accepts
  constexpr int kUsualMaps = 1 << 16;
  mallopt(M_MMAP_MAX, 0);
  void* room = std::malloc(bytes + kHugePage);
  mallopt(M_MMAP_MAX, kUsualMaps);
  if (room == nullptr) return;
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  void* first = room;
  std::size_t space = bytes + kHugePage;
  madvise(std::align(kHugePage, bytes, first, space), bytes, MADV_HUGEPAGE);
  std::free(room);
}

}  // namespace heddle

#endif
