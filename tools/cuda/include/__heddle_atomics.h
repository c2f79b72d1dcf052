// CUDA's atomic functions, with the scopes of a block (_block), the GPU, and the system (_system).
#ifndef HEDDLE_ATOMICS_H
#define HEDDLE_ATOMICS_H

#define HEDDLE_ATOMIC static __inline__ __device__ __attribute__((always_inline))
#define HEDDLE_SCOPED(macro, ...) macro(, __VA_ARGS__) macro(_block, __VA_ARGS__) macro(_system, __VA_ARGS__)

// One function of an operand: its name, its type, clang's function.
#define HEDDLE_RMW(scope, name, type, function) \
  HEDDLE_ATOMIC type name##scope(type* p, type v) { return __##function##scope(p, v); }
#define HEDDLE_RMW_CAST(scope, name, type, bits, function) \
  HEDDLE_ATOMIC type name##scope(type* p, type v) { return (type)__##function##scope((bits*)p, (bits)v); }

HEDDLE_SCOPED(HEDDLE_RMW, atomicAdd, int, iAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAdd, unsigned int, uAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAdd, unsigned long long, ullAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAdd, float, fAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAdd, double, dAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicExch, int, iAtomicExch)
HEDDLE_SCOPED(HEDDLE_RMW, atomicExch, unsigned int, uAtomicExch)
HEDDLE_SCOPED(HEDDLE_RMW, atomicExch, unsigned long long, ullAtomicExch)
HEDDLE_SCOPED(HEDDLE_RMW, atomicExch, float, fAtomicExch)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMin, int, iAtomicMin)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMin, unsigned int, uAtomicMin)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMin, long long, illAtomicMin)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMin, unsigned long long, ullAtomicMin)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMax, int, iAtomicMax)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMax, unsigned int, uAtomicMax)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMax, long long, illAtomicMax)
HEDDLE_SCOPED(HEDDLE_RMW, atomicMax, unsigned long long, ullAtomicMax)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAnd, int, iAtomicAnd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAnd, unsigned int, uAtomicAnd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicAnd, unsigned long long, ullAtomicAnd)
HEDDLE_SCOPED(HEDDLE_RMW, atomicOr, int, iAtomicOr)
HEDDLE_SCOPED(HEDDLE_RMW, atomicOr, unsigned int, uAtomicOr)
HEDDLE_SCOPED(HEDDLE_RMW, atomicOr, unsigned long long, ullAtomicOr)
HEDDLE_SCOPED(HEDDLE_RMW, atomicXor, int, iAtomicXor)
HEDDLE_SCOPED(HEDDLE_RMW, atomicXor, unsigned int, uAtomicXor)
HEDDLE_SCOPED(HEDDLE_RMW, atomicXor, unsigned long long, ullAtomicXor)
HEDDLE_SCOPED(HEDDLE_RMW, atomicInc, unsigned int, uAtomicInc)
HEDDLE_SCOPED(HEDDLE_RMW, atomicDec, unsigned int, uAtomicDec)

HEDDLE_SCOPED(HEDDLE_RMW_CAST, atomicAdd, unsigned long, unsigned long long, ullAtomicAdd)
HEDDLE_SCOPED(HEDDLE_RMW_CAST, atomicExch, unsigned long, unsigned long long, ullAtomicExch)
#undef HEDDLE_RMW
#undef HEDDLE_RMW_CAST

#define HEDDLE_SUBTRACT(scope, type) \
  HEDDLE_ATOMIC type atomicSub##scope(type* p, type v) { return atomicAdd##scope(p, (type)(0 - v)); }
HEDDLE_SCOPED(HEDDLE_SUBTRACT, int)
HEDDLE_SCOPED(HEDDLE_SUBTRACT, unsigned int)
#undef HEDDLE_SUBTRACT

// PTX's own instruction, since clang lacks the block scope of one of its functions.
#define HEDDLE_CAS(scope, suffix, type, bits, width, letter)                               \
  HEDDLE_ATOMIC type atomicCAS##suffix(type* p, type expected, type value) {              \
    bits old;                                                                              \
    asm volatile("atom" scope ".cas.b" width " %0, [%1], %2, %3;"                          \
                 : "=" letter(old)                                                         \
                 : "l"(p), letter((bits)expected), letter((bits)value)                     \
                 : "memory");                                                              \
    return (type)old;                                                                      \
  }
#define HEDDLE_CAS_ALL(type, bits, width, letter)              \
  HEDDLE_CAS("", , type, bits, width, letter)                  \
  HEDDLE_CAS(".cta", _block, type, bits, width, letter)        \
  HEDDLE_CAS(".sys", _system, type, bits, width, letter)
HEDDLE_CAS_ALL(int, unsigned int, "32", "r")
HEDDLE_CAS_ALL(unsigned int, unsigned int, "32", "r")
HEDDLE_CAS_ALL(unsigned long long, unsigned long long, "64", "l")
HEDDLE_CAS_ALL(unsigned long, unsigned long, "64", "l")
HEDDLE_CAS_ALL(unsigned short, unsigned short, "16", "h")
#undef HEDDLE_CAS_ALL
#undef HEDDLE_CAS
#undef HEDDLE_SCOPED
#undef HEDDLE_ATOMIC

#endif
