// cooperative_groups::reduce, and the operations that it and scans take.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define HEDDLE_OPERATION(name, expression)                                                          \
  template <class T>                                                                                \
  struct name {                                                                                     \
    __device__ __inline__ T operator()(const T& a, const T& b) const { return (T)(expression); }    \
  };
HEDDLE_OPERATION(plus, a + b)
HEDDLE_OPERATION(less, b < a ? b : a)
HEDDLE_OPERATION(greater, a < b ? b : a)
HEDDLE_OPERATION(bit_and, a& b)
HEDDLE_OPERATION(bit_or, a | b)
HEDDLE_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_OPERATION

// Each thread gets the value of all.
template <unsigned int Size, class Parent, class T, class Operation>
__device__ __inline__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  for (int lanes = Size / 2; lanes > 0; lanes /= 2) value = operation(value, tile.shfl_xor(value, lanes));
  return value;
}
template <class T, class Operation>
__device__ __inline__ T reduce(const coalesced_group& group, T value, Operation operation) {
  T result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank) result = operation(result, group.shfl(value, rank));
  return result;
}

}  // namespace cooperative_groups

#endif
