// Mbarriers by functions of C, as CUDA's header of this name has them.
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuda/__heddle_mbarrier.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#define HEDDLE_MBARRIER static __inline__ __device__ __attribute__((always_inline))

HEDDLE_MBARRIER unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
HEDDLE_MBARRIER void __mbarrier_init(__mbarrier_t* barrier, unsigned int count) {
  cuda::__heddle::init(cuda::__heddle::shared_address(barrier), count);
}
HEDDLE_MBARRIER void __mbarrier_inval(__mbarrier_t*) {}
HEDDLE_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return cuda::__heddle::arrive(cuda::__heddle::shared_address(barrier), 1);
}
HEDDLE_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return cuda::__heddle::arrive_and_drop(cuda::__heddle::shared_address(barrier));
}
HEDDLE_MBARRIER bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return cuda::__heddle::test_wait(cuda::__heddle::shared_address(barrier), token);
}
HEDDLE_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return cuda::__heddle::test_wait_parity(cuda::__heddle::shared_address(barrier), parity ? 1u : 0u);
}
HEDDLE_MBARRIER bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, unsigned int) {
  return __mbarrier_test_wait(barrier, token);
}
HEDDLE_MBARRIER bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, unsigned int) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
HEDDLE_MBARRIER unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned int count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
HEDDLE_MBARRIER void __pipeline_arrive_on(__mbarrier_t* barrier) {
  cuda::__heddle::arrive_after_copies(cuda::__heddle::shared_address(barrier));
}

#undef HEDDLE_MBARRIER

#endif
