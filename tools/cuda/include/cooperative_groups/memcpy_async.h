// cooperative_groups::memcpy_async and wait: the group copies together, in the largest pieces that fit.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group>
__device__ __inline__ void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  char* target = (char*)to;
  const char* source = (const char*)from;
  const size_t misfit = ((size_t)target | (size_t)source | bytes);
  const size_t piece = (misfit & 15) == 0 ? 16 : ((misfit & 3) == 0 ? 4 : 1);
  for (size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece) {
    if (piece == 16) {
      __pipeline_memcpy_async(target + at, source + at, 16);
    } else if (piece == 4) {
      __pipeline_memcpy_async(target + at, source + at, 4);
    } else {
      target[at] = source[at];
    }
  }
  __pipeline_commit();
}
template <class Group, class T>
__device__ __inline__ void memcpy_async(const Group& group, T* to, size_t to_count, const T* from, size_t from_count) {
  memcpy_async(group, (void*)to, (const void*)from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group>
__device__ __inline__ void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
template <unsigned int Stages, class Group>
__device__ __inline__ void wait_prior(const Group& group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}

}  // namespace cooperative_groups

#endif
