// CUDA's intrinsics that clang's headers leave out.
#ifndef HEDDLE_INTRINSICS_H
#define HEDDLE_INTRINSICS_H

#define HEDDLE_DEVICE static __inline__ __device__ __attribute__((always_inline))

// clang declares these and leaves their bodies to the toolkit. All texts give the same quiet NaN.
HEDDLE_DEVICE double nan(const char*) { return __builtin_nan(""); }
HEDDLE_DEVICE float nanf(const char*) { return __builtin_nanf(""); }

// Loads and stores with a cache operator: __ldcg and its kin for scalars and vectors.
#define HEDDLE_LOAD(name, modifiers, type, as, letter)                                              \
  HEDDLE_DEVICE type name(const type* p) {                                                          \
    type v;                                                                                         \
    asm volatile("ld.global." modifiers "." as " %0, [%1];" : "=" letter(v) : "l"(p) : "memory");   \
    return v;                                                                                       \
  }
#define HEDDLE_LOAD2(name, modifiers, type, as, letter)                                                       \
  HEDDLE_DEVICE type##2 name(const type##2 * p) {                                                             \
    type##2 v;                                                                                                \
    asm volatile("ld.global." modifiers ".v2." as " {%0, %1}, [%2];" : "=" letter(v.x), "=" letter(v.y) : "l"(p) : "memory"); \
    return v;                                                                                                 \
  }
#define HEDDLE_LOAD4(name, modifiers, type, as, letter)                                     \
  HEDDLE_DEVICE type##4 name(const type##4 * p) {                                           \
    type##4 v;                                                                              \
    asm volatile("ld.global." modifiers ".v4." as " {%0, %1, %2, %3}, [%4];"                \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)       \
                 : "l"(p)                                                                   \
                 : "memory");                                                               \
    return v;                                                                               \
  }
#define HEDDLE_LOADS(name, modifiers)                                    \
  HEDDLE_LOAD(name, modifiers, int, "s32", "r")                          \
  HEDDLE_LOAD(name, modifiers, unsigned int, "u32", "r")                 \
  HEDDLE_LOAD(name, modifiers, short, "s16", "h")                        \
  HEDDLE_LOAD(name, modifiers, unsigned short, "u16", "h")               \
  HEDDLE_LOAD(name, modifiers, long, "s64", "l")                         \
  HEDDLE_LOAD(name, modifiers, unsigned long, "u64", "l")                \
  HEDDLE_LOAD(name, modifiers, long long, "s64", "l")                    \
  HEDDLE_LOAD(name, modifiers, unsigned long long, "u64", "l")           \
  HEDDLE_LOAD(name, modifiers, float, "f32", "f")                        \
  HEDDLE_LOAD(name, modifiers, double, "f64", "d")                       \
  HEDDLE_LOAD2(name, modifiers, int, "s32", "r")                         \
  HEDDLE_LOAD2(name, modifiers, uint, "u32", "r")                        \
  HEDDLE_LOAD2(name, modifiers, float, "f32", "f")                       \
  HEDDLE_LOAD2(name, modifiers, double, "f64", "d")                      \
  HEDDLE_LOAD4(name, modifiers, int, "s32", "r")                         \
  HEDDLE_LOAD4(name, modifiers, uint, "u32", "r")                        \
  HEDDLE_LOAD4(name, modifiers, float, "f32", "f")
HEDDLE_LOADS(__ldcg, "cg")
HEDDLE_LOADS(__ldca, "ca")
HEDDLE_LOADS(__ldcs, "cs")
HEDDLE_LOADS(__ldlu, "lu")
HEDDLE_LOADS(__ldcv, "cv")
#undef HEDDLE_LOADS
#undef HEDDLE_LOAD4
#undef HEDDLE_LOAD2
#undef HEDDLE_LOAD

#define HEDDLE_STORE(name, modifiers, type, as, letter)                                       \
  HEDDLE_DEVICE void name(type* p, type v) {                                                  \
    asm volatile("st.global." modifiers "." as " [%0], %1;" : : "l"(p), letter(v) : "memory"); \
  }
#define HEDDLE_STORE2(name, modifiers, type, as, letter)                                                              \
  HEDDLE_DEVICE void name(type##2 * p, type##2 v) {                                                                   \
    asm volatile("st.global." modifiers ".v2." as " [%0], {%1, %2};" : : "l"(p), letter(v.x), letter(v.y) : "memory"); \
  }
#define HEDDLE_STORE4(name, modifiers, type, as, letter)                                 \
  HEDDLE_DEVICE void name(type##4 * p, type##4 v) {                                      \
    asm volatile("st.global." modifiers ".v4." as " [%0], {%1, %2, %3, %4};"             \
                 :                                                                       \
                 : "l"(p), letter(v.x), letter(v.y), letter(v.z), letter(v.w)            \
                 : "memory");                                                            \
  }
#define HEDDLE_STORES(name, modifiers)                             \
  HEDDLE_STORE(name, modifiers, int, "s32", "r")                   \
  HEDDLE_STORE(name, modifiers, unsigned int, "u32", "r")          \
  HEDDLE_STORE(name, modifiers, short, "s16", "h")                 \
  HEDDLE_STORE(name, modifiers, unsigned short, "u16", "h")        \
  HEDDLE_STORE(name, modifiers, long, "s64", "l")                  \
  HEDDLE_STORE(name, modifiers, unsigned long, "u64", "l")         \
  HEDDLE_STORE(name, modifiers, long long, "s64", "l")             \
  HEDDLE_STORE(name, modifiers, unsigned long long, "u64", "l")    \
  HEDDLE_STORE(name, modifiers, float, "f32", "f")                 \
  HEDDLE_STORE(name, modifiers, double, "f64", "d")                \
  HEDDLE_STORE2(name, modifiers, int, "s32", "r")                  \
  HEDDLE_STORE2(name, modifiers, uint, "u32", "r")                 \
  HEDDLE_STORE2(name, modifiers, float, "f32", "f")                \
  HEDDLE_STORE2(name, modifiers, double, "f64", "d")               \
  HEDDLE_STORE4(name, modifiers, int, "s32", "r")                  \
  HEDDLE_STORE4(name, modifiers, uint, "u32", "r")                 \
  HEDDLE_STORE4(name, modifiers, float, "f32", "f")
HEDDLE_STORES(__stwb, "wb")
HEDDLE_STORES(__stcg, "cg")
HEDDLE_STORES(__stcs, "cs")
HEDDLE_STORES(__stwt, "wt")
#undef HEDDLE_STORES
#undef HEDDLE_STORE4
#undef HEDDLE_STORE2
#undef HEDDLE_STORE

// Votes on equality.
#define HEDDLE_MATCH(type, bits, width)                                                              \
  HEDDLE_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) {                       \
    bits word;                                                                                       \
    __builtin_memcpy(&word, &value, sizeof(word));                                                   \
    return (unsigned int)__match##width##_any_sync(mask, word);                                      \
  }                                                                                                  \
  HEDDLE_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int* all) {             \
    bits word;                                                                                       \
    __builtin_memcpy(&word, &value, sizeof(word));                                                   \
    return (unsigned int)__match##width##_all_sync(mask, word, all);                                 \
  }
HEDDLE_MATCH(int, unsigned int, 32)
HEDDLE_MATCH(unsigned int, unsigned int, 32)
HEDDLE_MATCH(float, unsigned int, 32)
HEDDLE_MATCH(long, unsigned long long, 64)
HEDDLE_MATCH(unsigned long, unsigned long long, 64)
HEDDLE_MATCH(long long, unsigned long long, 64)
HEDDLE_MATCH(unsigned long long, unsigned long long, 64)
HEDDLE_MATCH(double, unsigned long long, 64)
#undef HEDDLE_MATCH

#define HEDDLE_REDUX(name, type, modifiers)                                                              \
  HEDDLE_DEVICE type name(unsigned int mask, type value) {                                               \
    type result;                                                                                         \
    asm volatile("redux.sync." modifiers " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));         \
    return result;                                                                                       \
  }
HEDDLE_REDUX(__reduce_add_sync, unsigned int, "add.u32")
HEDDLE_REDUX(__reduce_add_sync, int, "add.s32")
HEDDLE_REDUX(__reduce_min_sync, unsigned int, "min.u32")
HEDDLE_REDUX(__reduce_min_sync, int, "min.s32")
HEDDLE_REDUX(__reduce_max_sync, unsigned int, "max.u32")
HEDDLE_REDUX(__reduce_max_sync, int, "max.s32")
HEDDLE_REDUX(__reduce_and_sync, unsigned int, "and.b32")
HEDDLE_REDUX(__reduce_or_sync, unsigned int, "or.b32")
HEDDLE_REDUX(__reduce_xor_sync, unsigned int, "xor.b32")
#undef HEDDLE_REDUX

HEDDLE_DEVICE int __dp4a(int a, int b, int c) {
  int d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
HEDDLE_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int d;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
HEDDLE_DEVICE int __dp2a_lo(int a, int b, int c) {
  int d;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
HEDDLE_DEVICE int __dp2a_hi(int a, int b, int c) {
  int d;
  asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

HEDDLE_DEVICE void __nanosleep(unsigned int time) { asm volatile("nanosleep.u32 %0;" : : "r"(time)); }
HEDDLE_DEVICE unsigned long long __globaltimer() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

HEDDLE_DEVICE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
HEDDLE_DEVICE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
HEDDLE_DEVICE unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
HEDDLE_DEVICE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
HEDDLE_DEVICE size_t __cvta_generic_to_shared(const void* p) { return __nv_cvta_generic_to_shared_impl(p); }
HEDDLE_DEVICE size_t __cvta_generic_to_global(const void* p) { return __nv_cvta_generic_to_global_impl(p); }
HEDDLE_DEVICE size_t __cvta_generic_to_local(const void* p) { return __nv_cvta_generic_to_local_impl(p); }
HEDDLE_DEVICE size_t __cvta_generic_to_constant(const void* p) { return __nv_cvta_generic_to_constant_impl(p); }
HEDDLE_DEVICE void* __cvta_shared_to_generic(size_t p) { return __nv_cvta_shared_to_generic_impl(p); }
HEDDLE_DEVICE void* __cvta_global_to_generic(size_t p) { return __nv_cvta_global_to_generic_impl(p); }

// Copies of 4, 8 or 16 bytes from global to shared memory that run beside the program, from compute capability 8.0 on.
HEDDLE_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
#if __CUDA_ARCH__ < 800
  for (size_t at = 0; at < size; ++at) ((char*)to)[at] = at + zeros < size ? ((const char*)from)[at] : 0;
#else
  const unsigned int shared = (unsigned int)__cvta_generic_to_shared(to);
  const unsigned int read = (unsigned int)(size - zeros);
  if (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(shared), "l"(from), "r"(read) : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(shared), "l"(from), "r"(read) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(shared), "l"(from), "r"(read) : "memory");
#endif
}
HEDDLE_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int unused = 0>
HEDDLE_DEVICE void __pipeline_wait_prior(size_t prior) {
  switch (prior) {
    case 0: asm volatile("cp.async.wait_group 0;" : : : "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" : : : "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" : : : "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" : : : "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" : : : "memory"); break;
    default: asm volatile("cp.async.wait_group 5;" : : : "memory"); break;
  }
}

#undef HEDDLE_DEVICE

#endif
