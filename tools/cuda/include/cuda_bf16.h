// bfloat16: types, conversions, arithmetic, comparisons, functions. Arithmetic is the GPU's own in this type.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"
#include "__heddle_half_operators.h"
#include "cuda_fp16.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_DEVICE static __inline__ __device__ __attribute__((always_inline))

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

HEDDLE_BOTH unsigned short __heddle_bfloat_bits(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  unsigned int x;
  __builtin_memcpy(&x, &value, sizeof(x));
  if ((x & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return (unsigned short)((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
#endif
}
HEDDLE_BOTH float __heddle_bfloat_value(unsigned short bits) {
  const unsigned int x = (unsigned int)bits << 16;
  float value;
  __builtin_memcpy(&value, &x, sizeof(value));
  return value;
}

struct __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  __host__ __device__ __nv_bfloat16(float value) : __x(__heddle_bfloat_bits(value)) {}
  __host__ __device__ __nv_bfloat16(double value) : __x(__heddle_bfloat_bits((float)value)) {}
  __host__ __device__ __nv_bfloat16& operator=(__nv_bfloat16_raw raw) {
    __x = raw.x;
    return *this;
  }
  __host__ __device__ __nv_bfloat16& operator=(float value) {
    __x = __heddle_bfloat_bits((float)value);
    return *this;
  }
  __host__ __device__ __nv_bfloat16& operator=(double value) {
    __x = __heddle_bfloat_bits((float)value);
    return *this;
  }
  __host__ __device__ operator float() const { return __heddle_bfloat_value(__x); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  HEDDLE_HALF_WHOLES(__nv_bfloat16, __heddle_bfloat_bits, __heddle_bfloat_value)
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fffu) != 0; }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.__x, y.__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_BOTH unsigned int __heddle_bits(__nv_bfloat162 a) {
  unsigned int bits;
  __builtin_memcpy(&bits, &a, sizeof(bits));
  return bits;
}
HEDDLE_BOTH __nv_bfloat162 __heddle_bfloat162(unsigned int bits) {
  __nv_bfloat162 a;
  __builtin_memcpy(&a, &bits, sizeof(a));
  return a;
}
HEDDLE_BOTH __nv_bfloat16 __heddle_bfloat16(unsigned short bits) { return __nv_bfloat16(__nv_bfloat16_raw{bits}); }

HEDDLE_BOTH __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
HEDDLE_BOTH __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
HEDDLE_BOTH float __bfloat162float(__nv_bfloat16 a) { return __heddle_bfloat_value(a.__x); }
HEDDLE_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a)); }
HEDDLE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
HEDDLE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y)); }
HEDDLE_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_BOTH float __low2float(__nv_bfloat162 a) { return (float)a.x; }
HEDDLE_BOTH float __high2float(__nv_bfloat162 a) { return (float)a.y; }
HEDDLE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
HEDDLE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
HEDDLE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
HEDDLE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
HEDDLE_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
HEDDLE_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
HEDDLE_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
HEDDLE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HEDDLE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HEDDLE_BOTH short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
HEDDLE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
HEDDLE_BOTH __nv_bfloat16 __short_as_bfloat16(short a) { return __heddle_bfloat16((unsigned short)a); }
HEDDLE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __heddle_bfloat16(a); }
HEDDLE_BOTH bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fffu) > 0x7f80u; }
HEDDLE_BOTH int __hisinf(__nv_bfloat16 a) { return (a.__x & 0x7fffu) == 0x7f80u ? (a.__x & 0x8000u ? -1 : 1) : 0; }

HEDDLE_DEVICE int __bfloat162int_rn(__nv_bfloat16 a) { return (int)__builtin_rintf((float)a); }
HEDDLE_DEVICE int __bfloat162int_rz(__nv_bfloat16 a) { return (int)__builtin_truncf((float)a); }
HEDDLE_DEVICE int __bfloat162int_rd(__nv_bfloat16 a) { return (int)__builtin_floorf((float)a); }
HEDDLE_DEVICE int __bfloat162int_ru(__nv_bfloat16 a) { return (int)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16(a); }
HEDDLE_DEVICE unsigned int __bfloat162uint_rn(__nv_bfloat16 a) { return (unsigned int)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned int __bfloat162uint_rz(__nv_bfloat16 a) { return (unsigned int)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned int __bfloat162uint_rd(__nv_bfloat16 a) { return (unsigned int)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned int __bfloat162uint_ru(__nv_bfloat16 a) { return (unsigned int)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) { return __nv_bfloat16(a); }
HEDDLE_DEVICE short __bfloat162short_rn(__nv_bfloat16 a) { return (short)__builtin_rintf((float)a); }
HEDDLE_DEVICE short __bfloat162short_rz(__nv_bfloat16 a) { return (short)__builtin_truncf((float)a); }
HEDDLE_DEVICE short __bfloat162short_rd(__nv_bfloat16 a) { return (short)__builtin_floorf((float)a); }
HEDDLE_DEVICE short __bfloat162short_ru(__nv_bfloat16 a) { return (short)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __short2bfloat16_rn(short a) { return __nv_bfloat16(a); }
HEDDLE_DEVICE unsigned short __bfloat162ushort_rn(__nv_bfloat16 a) { return (unsigned short)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned short __bfloat162ushort_rz(__nv_bfloat16 a) { return (unsigned short)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned short __bfloat162ushort_rd(__nv_bfloat16 a) { return (unsigned short)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned short __bfloat162ushort_ru(__nv_bfloat16 a) { return (unsigned short)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a) { return __nv_bfloat16(a); }
HEDDLE_DEVICE long long __bfloat162ll_rn(__nv_bfloat16 a) { return (long long)__builtin_rintf((float)a); }
HEDDLE_DEVICE long long __bfloat162ll_rz(__nv_bfloat16 a) { return (long long)__builtin_truncf((float)a); }
HEDDLE_DEVICE long long __bfloat162ll_rd(__nv_bfloat16 a) { return (long long)__builtin_floorf((float)a); }
HEDDLE_DEVICE long long __bfloat162ll_ru(__nv_bfloat16 a) { return (long long)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __ll2bfloat16_rn(long long a) { return __nv_bfloat16(a); }
HEDDLE_DEVICE unsigned long long __bfloat162ull_rn(__nv_bfloat16 a) { return (unsigned long long)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned long long __bfloat162ull_rz(__nv_bfloat16 a) { return (unsigned long long)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned long long __bfloat162ull_rd(__nv_bfloat16 a) { return (unsigned long long)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned long long __bfloat162ull_ru(__nv_bfloat16 a) { return (unsigned long long)__builtin_ceilf((float)a); }
HEDDLE_BOTH __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a) { return __nv_bfloat16(a); }

// Before compute capability 9.0, sums and products are fused multiply-adds, as NVIDIA's headers have it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HEDDLE_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __heddle_bfloat16(bits);
}
HEDDLE_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  unsigned int bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)), "r"(__heddle_bits(c)));
  return __heddle_bfloat162(bits);
}
#else
HEDDLE_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(__fmaf_rn((float)a, (float)b, (float)c));
}
HEDDLE_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
HEDDLE_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return __hfma(a, __heddle_bfloat16(0x3f80), b); }
HEDDLE_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return __hfma(b, __heddle_bfloat16(0xbf80), a); }
HEDDLE_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return __hfma(a, b, __heddle_bfloat16(0x8000)); }
HEDDLE_DEVICE __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd(a, b); }
HEDDLE_DEVICE __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub(a, b); }
HEDDLE_DEVICE __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul(a, b); }
HEDDLE_DEVICE __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hfma2(a, __heddle_bfloat162(0x3f803f80u), b); }
HEDDLE_DEVICE __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hfma2(b, __heddle_bfloat162(0xbf80bf80u), a); }
HEDDLE_DEVICE __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hfma2(a, b, __heddle_bfloat162(0x80008000u)); }
HEDDLE_DEVICE __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
HEDDLE_DEVICE __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return __hsub2(a, b); }
HEDDLE_DEVICE __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmul2(a, b); }
HEDDLE_DEVICE __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __heddle_bfloat16(a.__x ^ 0x8000u); }
HEDDLE_DEVICE __nv_bfloat16 __habs(__nv_bfloat16 a) { return __heddle_bfloat16(a.__x & 0x7fffu); }
HEDDLE_DEVICE __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __heddle_bfloat162(__heddle_bits(a) ^ 0x80008000u); }
HEDDLE_DEVICE __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __heddle_bfloat162(__heddle_bits(a) & 0x7fff7fffu); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HEDDLE_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short bits;
  asm("max.bf16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_bfloat16(bits);
}
HEDDLE_DEVICE __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  unsigned int bits;
  asm("max.bf16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_bfloat162(bits);
}
HEDDLE_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short bits;
  asm("min.bf16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_bfloat16(bits);
}
HEDDLE_DEVICE __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  unsigned int bits;
  asm("min.bf16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_bfloat162(bits);
}
HEDDLE_DEVICE __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short bits;
  asm("max.NaN.bf16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_bfloat16(bits);
}
HEDDLE_DEVICE __nv_bfloat162 __hmax2_nan(__nv_bfloat162 a, __nv_bfloat162 b) {
  unsigned int bits;
  asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_bfloat162(bits);
}
HEDDLE_DEVICE __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short bits;
  asm("min.NaN.bf16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_bfloat16(bits);
}
HEDDLE_DEVICE __nv_bfloat162 __hmin2_nan(__nv_bfloat162 a, __nv_bfloat162 b) {
  unsigned int bits;
  asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_bfloat162(bits);
}
#else
HEDDLE_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fmaxf((float)a, (float)b)); }
HEDDLE_DEVICE __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
HEDDLE_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fminf((float)a, (float)b)); }
HEDDLE_DEVICE __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
#endif

HEDDLE_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
HEDDLE_DEVICE __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HEDDLE_BOTH bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
HEDDLE_BOTH bool __hequ(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __heq(a, b); }
HEDDLE_BOTH bool __hbeq2(__nv_bfloat162 a, __nv_bfloat162 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__heq(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__heq(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b || (float)a > (float)b; }
HEDDLE_BOTH bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __hne(a, b); }
HEDDLE_BOTH bool __hbne2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__hne(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__hne(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
HEDDLE_BOTH bool __hltu(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __hlt(a, b); }
HEDDLE_BOTH bool __hblt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__hlt(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__hlt(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
HEDDLE_BOTH bool __hleu(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __hle(a, b); }
HEDDLE_BOTH bool __hble2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__hle(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__hle(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
HEDDLE_BOTH bool __hgtu(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __hgt(a, b); }
HEDDLE_BOTH bool __hbgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__hgt(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__hgt(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }
HEDDLE_BOTH bool __hgeu(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || __hge(a, b); }
HEDDLE_BOTH bool __hbge2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
HEDDLE_BOTH __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__nv_bfloat16(__hge(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__hge(a.y, b.y) ? 1.0f : 0.0f)); }

HEDDLE_DEVICE __nv_bfloat16 hsin(__nv_bfloat16 a) { return __nv_bfloat16(::sinf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2sin(__nv_bfloat162 a) { return __nv_bfloat162(hsin(a.x), hsin(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hcos(__nv_bfloat16 a) { return __nv_bfloat16(::cosf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2cos(__nv_bfloat162 a) { return __nv_bfloat162(hcos(a.x), hcos(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(::expf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2exp(__nv_bfloat162 a) { return __nv_bfloat162(hexp(a.x), hexp(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hexp2(__nv_bfloat16 a) { return __nv_bfloat16(::exp2f((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2exp2(__nv_bfloat162 a) { return __nv_bfloat162(hexp2(a.x), hexp2(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hexp10(__nv_bfloat16 a) { return __nv_bfloat16(::exp10f((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2exp10(__nv_bfloat162 a) { return __nv_bfloat162(hexp10(a.x), hexp10(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(::logf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2log(__nv_bfloat162 a) { return __nv_bfloat162(hlog(a.x), hlog(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hlog2(__nv_bfloat16 a) { return __nv_bfloat16(::log2f((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2log2(__nv_bfloat162 a) { return __nv_bfloat162(hlog2(a.x), hlog2(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hlog10(__nv_bfloat16 a) { return __nv_bfloat16(::log10f((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2log10(__nv_bfloat162 a) { return __nv_bfloat162(hlog10(a.x), hlog10(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(::sqrtf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2sqrt(__nv_bfloat162 a) { return __nv_bfloat162(hsqrt(a.x), hsqrt(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(::rsqrtf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2rsqrt(__nv_bfloat162 a) { return __nv_bfloat162(hrsqrt(a.x), hrsqrt(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hrcp(__nv_bfloat16 a) { return __nv_bfloat16(1.0f / (float)a); }
HEDDLE_DEVICE __nv_bfloat162 h2rcp(__nv_bfloat162 a) { return __nv_bfloat162(hrcp(a.x), hrcp(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hfloor(__nv_bfloat16 a) { return __nv_bfloat16(::floorf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2floor(__nv_bfloat162 a) { return __nv_bfloat162(hfloor(a.x), hfloor(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hceil(__nv_bfloat16 a) { return __nv_bfloat16(::ceilf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2ceil(__nv_bfloat162 a) { return __nv_bfloat162(hceil(a.x), hceil(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 htrunc(__nv_bfloat16 a) { return __nv_bfloat16(::truncf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2trunc(__nv_bfloat162 a) { return __nv_bfloat162(htrunc(a.x), htrunc(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 hrint(__nv_bfloat16 a) { return __nv_bfloat16(::rintf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2rint(__nv_bfloat162 a) { return __nv_bfloat162(hrint(a.x), hrint(a.y)); }
HEDDLE_DEVICE __nv_bfloat16 htanh(__nv_bfloat16 a) { return __nv_bfloat16(::tanhf((float)a)); }
HEDDLE_DEVICE __nv_bfloat162 h2tanh(__nv_bfloat162 a) { return __nv_bfloat162(htanh(a.x), htanh(a.y)); }

HEDDLE_HALF_OPERATORS(__nv_bfloat16, __nv_bfloat162)

HEDDLE_DEVICE __nv_bfloat16 __shfl_sync(unsigned int mask, __nv_bfloat16 a, int lane, int width = 32) {
  return __heddle_bfloat16((unsigned short)__shfl_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __nv_bfloat162 __shfl_sync(unsigned int mask, __nv_bfloat162 a, int lane, int width = 32) {
  return __heddle_bfloat162(__shfl_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __nv_bfloat16 __shfl_up_sync(unsigned int mask, __nv_bfloat16 a, unsigned int lane, int width = 32) {
  return __heddle_bfloat16((unsigned short)__shfl_up_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __nv_bfloat162 __shfl_up_sync(unsigned int mask, __nv_bfloat162 a, unsigned int lane, int width = 32) {
  return __heddle_bfloat162(__shfl_up_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __nv_bfloat16 __shfl_down_sync(unsigned int mask, __nv_bfloat16 a, unsigned int lane, int width = 32) {
  return __heddle_bfloat16((unsigned short)__shfl_down_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __nv_bfloat162 __shfl_down_sync(unsigned int mask, __nv_bfloat162 a, unsigned int lane, int width = 32) {
  return __heddle_bfloat162(__shfl_down_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __nv_bfloat16 __shfl_xor_sync(unsigned int mask, __nv_bfloat16 a, int lane, int width = 32) {
  return __heddle_bfloat16((unsigned short)__shfl_xor_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __nv_bfloat162 __shfl_xor_sync(unsigned int mask, __nv_bfloat162 a, int lane, int width = 32) {
  return __heddle_bfloat162(__shfl_xor_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __nv_bfloat16 __ldg(const __nv_bfloat16* p) { return __heddle_bfloat16(__ldg((const unsigned short*)p)); }
HEDDLE_DEVICE __nv_bfloat162 __ldg(const __nv_bfloat162* p) { return __heddle_bfloat162(__ldg((const unsigned int*)p)); }
HEDDLE_DEVICE __nv_bfloat16 __ldcg(const __nv_bfloat16* p) { return __heddle_bfloat16(__ldcg((const unsigned short*)p)); }
HEDDLE_DEVICE __nv_bfloat162 __ldcg(const __nv_bfloat162* p) { return __heddle_bfloat162(__ldcg((const unsigned int*)p)); }
HEDDLE_DEVICE __nv_bfloat16 __ldca(const __nv_bfloat16* p) { return __heddle_bfloat16(__ldca((const unsigned short*)p)); }
HEDDLE_DEVICE __nv_bfloat162 __ldca(const __nv_bfloat162* p) { return __heddle_bfloat162(__ldca((const unsigned int*)p)); }
HEDDLE_DEVICE __nv_bfloat16 __ldcs(const __nv_bfloat16* p) { return __heddle_bfloat16(__ldcs((const unsigned short*)p)); }
HEDDLE_DEVICE __nv_bfloat162 __ldcs(const __nv_bfloat162* p) { return __heddle_bfloat162(__ldcs((const unsigned int*)p)); }
HEDDLE_DEVICE void __stcg(__nv_bfloat16* p, __nv_bfloat16 a) { __stcg((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stcg(__nv_bfloat162* p, __nv_bfloat162 a) { __stcg((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stcs(__nv_bfloat16* p, __nv_bfloat16 a) { __stcs((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stcs(__nv_bfloat162* p, __nv_bfloat162 a) { __stcs((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stwb(__nv_bfloat16* p, __nv_bfloat16 a) { __stwb((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stwb(__nv_bfloat162* p, __nv_bfloat162 a) { __stwb((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stwt(__nv_bfloat16* p, __nv_bfloat16 a) { __stwt((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stwt(__nv_bfloat162* p, __nv_bfloat162 a) { __stwt((unsigned int*)p, __heddle_bits(a)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
HEDDLE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 a) {
  unsigned short old;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(a.__x) : "memory");
  return __heddle_bfloat16(old);
}
HEDDLE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 a) {
  unsigned int old;
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(__heddle_bits(a)) : "memory");
  return __heddle_bfloat162(old);
}
#else
HEDDLE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 a) {
  unsigned int* word = (unsigned int*)p;
  unsigned int seen, old = *word;
  do {
    seen = old;
    old = atomicCAS(word, seen, __heddle_bits(__hadd2(__heddle_bfloat162(seen), a)));
  } while (old != seen);
  return __heddle_bfloat162(old);
}
HEDDLE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 a) {
  unsigned short* word = (unsigned short*)p;
  unsigned short seen, old = *word;
  do {
    seen = old;
    old = atomicCAS(word, seen, __hadd(__heddle_bfloat16(seen), a).__x);
  } while (old != seen);
  return __heddle_bfloat16(old);
}
#endif

#undef HEDDLE_BOTH
#undef HEDDLE_DEVICE

#endif
