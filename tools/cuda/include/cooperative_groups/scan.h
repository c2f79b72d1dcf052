// cooperative_groups::inclusive_scan and exclusive_scan.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
__device__ __inline__ T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T below = group.shfl_up(value, step);
    if (group.thread_rank() >= step) value = operation(below, value);
  }
  return value;
}
template <class Group, class T>
__device__ __inline__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Operation>
__device__ __inline__ T exclusive_scan(const Group& group, T value, Operation operation) {
  const T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
__device__ __inline__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
