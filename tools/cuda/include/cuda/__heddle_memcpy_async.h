// The copies of cuda::memcpy_async: a group's threads take pieces in turn, asynchronous ones where memory allows.
#ifndef HEDDLE_MEMCPY_ASYNC_H
#define HEDDLE_MEMCPY_ASYNC_H

#include "__heddle_mbarrier.h"

namespace cuda {

/// A number of bytes, of which, as of both addresses, it is known that Alignment divides them.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  HEDDLE_CUDA constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  HEDDLE_CUDA constexpr operator size_t() const { return value; }
  size_t value;
};

namespace __heddle {

template <class Shape>
struct alignment_of {
  static constexpr size_t value = 1;
};
template <size_t Alignment>
struct alignment_of<aligned_size_t<Alignment>> {
  static constexpr size_t value = Alignment;
};

/// A group of the thread alone.
struct single_thread {
  HEDDLE_CUDA unsigned int thread_rank() const { return 0; }
  HEDDLE_CUDA unsigned int size() const { return 1; }
};

template <class Group>
HEDDLE_CUDA void copy_part(const Group& group, void* to, const void* from, size_t bytes, size_t alignment) {
  char* target = (char*)to;
  const char* source = (const char*)from;
#if __CUDA_ARCH__ >= 800
  const bool is_asynchronous = __isShared(to) && __isGlobal(from);
#else
  const bool is_asynchronous = false;
#endif
  const size_t misfit = alignment >= 16 ? 0 : (size_t)target | (size_t)source | bytes;
  const size_t piece = (misfit & 15) == 0 ? 16 : ((misfit & 7) == 0 ? 8 : ((misfit & 3) == 0 ? 4 : 1));
  for (size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece) {
    if (is_asynchronous && piece == 16) {
      __pipeline_memcpy_async(target + at, source + at, 16);
    } else if (is_asynchronous && piece == 8) {
      __pipeline_memcpy_async(target + at, source + at, 8);
    } else if (is_asynchronous && piece == 4) {
      __pipeline_memcpy_async(target + at, source + at, 4);
    } else {
      for (size_t k = 0; k < piece; ++k) target[at + k] = source[at + k];
    }
  }
}

}  // namespace __heddle
}  // namespace cuda

#endif
