// CUDA's vector types and dim3, with CUDA's alignments.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define HEDDLE_VECTOR(name, type, align2, align4)      \
  struct name##1 { type x; };                          \
  struct __attribute__((aligned(align2))) name##2 {    \
    type x, y;                                         \
  };                                                   \
  struct name##3 {                                     \
    type x, y, z;                                      \
  };                                                   \
  struct __attribute__((aligned(align4))) name##4 {    \
    type x, y, z, w;                                   \
  };

HEDDLE_VECTOR(char, signed char, 2, 4)
HEDDLE_VECTOR(uchar, unsigned char, 2, 4)
HEDDLE_VECTOR(short, short, 4, 8)
HEDDLE_VECTOR(ushort, unsigned short, 4, 8)
HEDDLE_VECTOR(int, int, 8, 16)
HEDDLE_VECTOR(uint, unsigned int, 8, 16)
HEDDLE_VECTOR(long, long, 16, 16)
HEDDLE_VECTOR(ulong, unsigned long, 16, 16)
HEDDLE_VECTOR(longlong, long long, 16, 16)
HEDDLE_VECTOR(ulonglong, unsigned long long, 16, 16)
HEDDLE_VECTOR(float, float, 8, 16)
HEDDLE_VECTOR(double, double, 16, 16)
#undef HEDDLE_VECTOR

struct __attribute__((aligned(16))) double4_16a {
  double x, y, z, w;
};
struct __attribute__((aligned(32))) double4_32a {
  double x, y, z, w;
};

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
