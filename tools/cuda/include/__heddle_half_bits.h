// Conversions between half precision and single precision, on the host and on the GPU.
#ifndef HEDDLE_HALF_BITS_H
#define HEDDLE_HALF_BITS_H

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
// Rounds to nearest, halves to even; for the host, which has no such instruction.
HEDDLE_BOTH unsigned short __heddle_half_bits(float value) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  unsigned int x;
  __builtin_memcpy(&x, &value, sizeof(x));
  const unsigned int sign = (x >> 16) & 0x8000u;
  x &= 0x7fffffffu;
  if (x > 0x7f800000u) return 0x7fffu;
  if (x >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
  if (x < 0x33000001u) return (unsigned short)sign;
  const int e = (int)(x >> 23) - 112;  // exponent of the half
  const int drop = e > 0 ? 13 : 14 - e;
  const unsigned int m = (x & 0x7fffffu) | 0x800000u;
  const unsigned int whole = e > 0 ? ((unsigned int)(e - 1) << 10) + (m >> 13) : m >> drop;
  const unsigned int rest = m & ((1u << drop) - 1), half = 1u << (drop - 1);
  return (unsigned short)(sign | (whole + (rest > half || (rest == half && (whole & 1u)) ? 1u : 0u)));
#endif
}
HEDDLE_BOTH float __heddle_half_value(unsigned short bits) {
#if defined(__CUDA_ARCH__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  const unsigned int e = (bits >> 10) & 31u, m = bits & 0x3ffu, sign = (unsigned int)(bits & 0x8000u) << 16;
  if (e == 0) return (bits & 0x8000u ? -1.0f : 1.0f) * (float)m * 5.9604644775390625e-08f;
  const unsigned int x = sign | (e == 31 ? 0x7f800000u : (e + 112) << 23) | (m << 13);
  float value;
  __builtin_memcpy(&value, &x, sizeof(value));
  return value;
#endif
}

#undef HEDDLE_BOTH

#endif
