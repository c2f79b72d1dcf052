// make_int2() and the like.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define HEDDLE_MAKE(name, type)                                                                              \
  static inline __host__ __device__ name##1 make_##name##1(type x) { return name##1{x}; }                    \
  static inline __host__ __device__ name##2 make_##name##2(type x, type y) { return name##2{x, y}; }         \
  static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; } \
  static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {                 \
    return name##4{x, y, z, w};                                                                              \
  }

HEDDLE_MAKE(char, signed char)
HEDDLE_MAKE(uchar, unsigned char)
HEDDLE_MAKE(short, short)
HEDDLE_MAKE(ushort, unsigned short)
HEDDLE_MAKE(int, int)
HEDDLE_MAKE(uint, unsigned int)
HEDDLE_MAKE(long, long)
HEDDLE_MAKE(ulong, unsigned long)
HEDDLE_MAKE(longlong, long long)
HEDDLE_MAKE(ulonglong, unsigned long long)
HEDDLE_MAKE(float, float)
HEDDLE_MAKE(double, double)
#undef HEDDLE_MAKE

#endif
