// Mbarriers in shared memory, by PTX, and the scopes of libcu++.
#ifndef HEDDLE_MBARRIER_H
#define HEDDLE_MBARRIER_H

#include "../cuda_runtime.h"

#define HEDDLE_CUDA __device__ __attribute__((always_inline))

namespace cuda {

enum thread_scope { thread_scope_system = 0, thread_scope_device = 1, thread_scope_block = 2, thread_scope_thread = 10 };

namespace __heddle {

template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
  static constexpr bool value = true;
};

HEDDLE_CUDA inline unsigned int shared_address(const void* pointer) {
  return (unsigned int)__cvta_generic_to_shared(pointer);
}
HEDDLE_CUDA inline void init(unsigned int at, unsigned int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(at), "r"(count) : "memory");
}
HEDDLE_CUDA inline unsigned long long arrive(unsigned int at, unsigned int count) {
  unsigned long long token;
  if (__builtin_constant_p(count) && count == 1) {
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  } else {
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"(count) : "memory");
  }
  return token;
}
HEDDLE_CUDA inline unsigned long long arrive_and_drop(unsigned int at) {
  unsigned long long token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  return token;
}
HEDDLE_CUDA inline bool test_wait(unsigned int at, unsigned long long token) {
  unsigned int is_over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(is_over)
               : "r"(at), "l"(token)
               : "memory");
  return is_over != 0;
}
HEDDLE_CUDA inline bool test_wait_parity(unsigned int at, unsigned int parity) {
  unsigned int is_over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(is_over)
               : "r"(at), "r"(parity)
               : "memory");
  return is_over != 0;
}
HEDDLE_CUDA inline void expect_tx(unsigned int at, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" : : "r"(at), "r"(bytes) : "memory");
}
HEDDLE_CUDA inline void arrive_after_copies(unsigned int at) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(at) : "memory");
}
HEDDLE_CUDA inline void bulk_copy(void* to, const void* from, unsigned int bytes, unsigned int at) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(at)
               : "memory");
}

}  // namespace __heddle
}  // namespace cuda

#endif
