// Half precision: types, conversions, arithmetic, comparisons, functions. Arithmetic is the GPU's own in this type.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "__heddle_half_bits.h"
#include "__heddle_half_operators.h"
#include "cuda_runtime.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_DEVICE static __inline__ __device__ __attribute__((always_inline))

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

struct __half {
  unsigned short __x;

  __half() = default;
  __host__ __device__ __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ __half(float value) : __x(__heddle_half_bits(value)) {}
  __host__ __device__ __half(double value) : __x(__heddle_half_bits((float)value)) {}
  __host__ __device__ __half& operator=(__half_raw raw) {
    __x = raw.x;
    return *this;
  }
  __host__ __device__ __half& operator=(float value) {
    __x = __heddle_half_bits((float)value);
    return *this;
  }
  __host__ __device__ __half& operator=(double value) {
    __x = __heddle_half_bits((float)value);
    return *this;
  }
  __host__ __device__ operator float() const { return __heddle_half_value(__x); }
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
  HEDDLE_HALF_WHOLES(__half, __heddle_half_bits, __heddle_half_value)
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fffu) != 0; }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
  __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};
typedef __half half;
typedef __half2 half2;

HEDDLE_BOTH unsigned int __heddle_bits(__half2 a) {
  unsigned int bits;
  __builtin_memcpy(&bits, &a, sizeof(bits));
  return bits;
}
HEDDLE_BOTH __half2 __heddle_half2(unsigned int bits) {
  __half2 a;
  __builtin_memcpy(&a, &bits, sizeof(a));
  return a;
}
HEDDLE_BOTH __half __heddle_half(unsigned short bits) { return __half(__half_raw{bits}); }

HEDDLE_BOTH __half __float2half(float a) { return __half(a); }
HEDDLE_BOTH __half __float2half_rn(float a) { return __half(a); }
HEDDLE_BOTH __half __double2half(double a) { return __half(a); }
HEDDLE_BOTH float __half2float(__half a) { return __heddle_half_value(a.__x); }
HEDDLE_BOTH __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
HEDDLE_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
HEDDLE_BOTH __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
HEDDLE_BOTH float2 __half22float2(__half2 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_BOTH float __low2float(__half2 a) { return (float)a.x; }
HEDDLE_BOTH float __high2float(__half2 a) { return (float)a.y; }
HEDDLE_BOTH __half __low2half(__half2 a) { return a.x; }
HEDDLE_BOTH __half __high2half(__half2 a) { return a.y; }
HEDDLE_BOTH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
HEDDLE_BOTH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
HEDDLE_BOTH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
HEDDLE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HEDDLE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
HEDDLE_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
HEDDLE_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
HEDDLE_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HEDDLE_BOTH short __half_as_short(__half a) { return (short)a.__x; }
HEDDLE_BOTH unsigned short __half_as_ushort(__half a) { return a.__x; }
HEDDLE_BOTH __half __short_as_half(short a) { return __heddle_half((unsigned short)a); }
HEDDLE_BOTH __half __ushort_as_half(unsigned short a) { return __heddle_half(a); }
HEDDLE_BOTH bool __hisnan(__half a) { return (a.__x & 0x7fffu) > 0x7c00u; }
HEDDLE_BOTH int __hisinf(__half a) { return (a.__x & 0x7fffu) == 0x7c00u ? (a.__x & 0x8000u ? -1 : 1) : 0; }

HEDDLE_DEVICE int __half2int_rn(__half a) { return (int)__builtin_rintf((float)a); }
HEDDLE_DEVICE int __half2int_rz(__half a) { return (int)__builtin_truncf((float)a); }
HEDDLE_DEVICE int __half2int_rd(__half a) { return (int)__builtin_floorf((float)a); }
HEDDLE_DEVICE int __half2int_ru(__half a) { return (int)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __int2half_rn(int a) { return __half(a); }
HEDDLE_DEVICE unsigned int __half2uint_rn(__half a) { return (unsigned int)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned int __half2uint_rz(__half a) { return (unsigned int)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned int __half2uint_rd(__half a) { return (unsigned int)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned int __half2uint_ru(__half a) { return (unsigned int)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __uint2half_rn(unsigned int a) { return __half(a); }
HEDDLE_DEVICE short __half2short_rn(__half a) { return (short)__builtin_rintf((float)a); }
HEDDLE_DEVICE short __half2short_rz(__half a) { return (short)__builtin_truncf((float)a); }
HEDDLE_DEVICE short __half2short_rd(__half a) { return (short)__builtin_floorf((float)a); }
HEDDLE_DEVICE short __half2short_ru(__half a) { return (short)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __short2half_rn(short a) { return __half(a); }
HEDDLE_DEVICE unsigned short __half2ushort_rn(__half a) { return (unsigned short)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned short __half2ushort_rz(__half a) { return (unsigned short)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned short __half2ushort_rd(__half a) { return (unsigned short)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned short __half2ushort_ru(__half a) { return (unsigned short)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __ushort2half_rn(unsigned short a) { return __half(a); }
HEDDLE_DEVICE long long __half2ll_rn(__half a) { return (long long)__builtin_rintf((float)a); }
HEDDLE_DEVICE long long __half2ll_rz(__half a) { return (long long)__builtin_truncf((float)a); }
HEDDLE_DEVICE long long __half2ll_rd(__half a) { return (long long)__builtin_floorf((float)a); }
HEDDLE_DEVICE long long __half2ll_ru(__half a) { return (long long)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __ll2half_rn(long long a) { return __half(a); }
HEDDLE_DEVICE unsigned long long __half2ull_rn(__half a) { return (unsigned long long)__builtin_rintf((float)a); }
HEDDLE_DEVICE unsigned long long __half2ull_rz(__half a) { return (unsigned long long)__builtin_truncf((float)a); }
HEDDLE_DEVICE unsigned long long __half2ull_rd(__half a) { return (unsigned long long)__builtin_floorf((float)a); }
HEDDLE_DEVICE unsigned long long __half2ull_ru(__half a) { return (unsigned long long)__builtin_ceilf((float)a); }
HEDDLE_BOTH __half __ull2half_rn(unsigned long long a) { return __half(a); }

HEDDLE_DEVICE __half __float2half_rz(float a) {
  unsigned short bits;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half __float2half_rd(float a) {
  unsigned short bits;
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half __float2half_ru(float a) {
  unsigned short bits;
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half __hadd(__half a, __half b) {
  unsigned short bits;
  asm("add.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hadd2(__half2 a, __half2 b) {
  unsigned int bits;
  asm("add.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hsub(__half a, __half b) {
  unsigned short bits;
  asm("sub.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hsub2(__half2 a, __half2 b) {
  unsigned int bits;
  asm("sub.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmul(__half a, __half b) {
  unsigned short bits;
  asm("mul.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmul2(__half2 a, __half2 b) {
  unsigned int bits;
  asm("mul.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hfma(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned int bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)), "r"(__heddle_bits(c)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hneg(__half a) {
  unsigned short bits;
  asm("neg.f16 %0, %1;" : "=h"(bits) : "h"(a.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hneg2(__half2 a) {
  unsigned int bits;
  asm("neg.f16x2 %0, %1;" : "=r"(bits) : "r"(__heddle_bits(a)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __habs(__half a) {
  unsigned short bits;
  asm("abs.f16 %0, %1;" : "=h"(bits) : "h"(a.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __habs2(__half2 a) {
  unsigned int bits;
  asm("abs.f16x2 %0, %1;" : "=r"(bits) : "r"(__heddle_bits(a)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hadd_sat(__half a, __half b) {
  unsigned short bits;
  asm("add.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hadd2_sat(__half2 a, __half2 b) {
  unsigned int bits;
  asm("add.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hsub_sat(__half a, __half b) {
  unsigned short bits;
  asm("sub.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hsub2_sat(__half2 a, __half2 b) {
  unsigned int bits;
  asm("sub.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmul_sat(__half a, __half b) {
  unsigned short bits;
  asm("mul.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmul2_sat(__half2 a, __half2 b) {
  unsigned int bits;
  asm("mul.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hfma_sat(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.sat.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  unsigned int bits;
  asm("fma.rn.sat.f16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)), "r"(__heddle_bits(c)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hadd_rn(__half a, __half b) {
  unsigned short bits;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hadd2_rn(__half2 a, __half2 b) {
  unsigned int bits;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hsub_rn(__half a, __half b) {
  unsigned short bits;
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hsub2_rn(__half2 a, __half2 b) {
  unsigned int bits;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmul_rn(__half a, __half b) {
  unsigned short bits;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmul2_rn(__half2 a, __half2 b) {
  unsigned int bits;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HEDDLE_DEVICE __half __hmax(__half a, __half b) {
  unsigned short bits;
  asm("max.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmax2(__half2 a, __half2 b) {
  unsigned int bits;
  asm("max.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmin(__half a, __half b) {
  unsigned short bits;
  asm("min.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmin2(__half2 a, __half2 b) {
  unsigned int bits;
  asm("min.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmax_nan(__half a, __half b) {
  unsigned short bits;
  asm("max.NaN.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmax2_nan(__half2 a, __half2 b) {
  unsigned int bits;
  asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
HEDDLE_DEVICE __half __hmin_nan(__half a, __half b) {
  unsigned short bits;
  asm("min.NaN.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));
  return __heddle_half(bits);
}
HEDDLE_DEVICE __half2 __hmin2_nan(__half2 a, __half2 b) {
  unsigned int bits;
  asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));
  return __heddle_half2(bits);
}
#else
HEDDLE_DEVICE __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
HEDDLE_DEVICE __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
HEDDLE_DEVICE __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
HEDDLE_DEVICE __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
#endif

HEDDLE_DEVICE __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
HEDDLE_DEVICE __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HEDDLE_BOTH bool __heq(__half a, __half b) { return (float)a == (float)b; }
HEDDLE_BOTH bool __hequ(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __heq(a, b); }
HEDDLE_BOTH bool __hbeq2(__half2 a, __half2 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
HEDDLE_BOTH __half2 __heq2(__half2 a, __half2 b) { return __half2(__half(__heq(a.x, b.x) ? 1.0f : 0.0f), __half(__heq(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hne(__half a, __half b) { return (float)a < (float)b || (float)a > (float)b; }
HEDDLE_BOTH bool __hneu(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __hne(a, b); }
HEDDLE_BOTH bool __hbne2(__half2 a, __half2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
HEDDLE_BOTH __half2 __hne2(__half2 a, __half2 b) { return __half2(__half(__hne(a.x, b.x) ? 1.0f : 0.0f), __half(__hne(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hlt(__half a, __half b) { return (float)a < (float)b; }
HEDDLE_BOTH bool __hltu(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __hlt(a, b); }
HEDDLE_BOTH bool __hblt2(__half2 a, __half2 b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
HEDDLE_BOTH __half2 __hlt2(__half2 a, __half2 b) { return __half2(__half(__hlt(a.x, b.x) ? 1.0f : 0.0f), __half(__hlt(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hle(__half a, __half b) { return (float)a <= (float)b; }
HEDDLE_BOTH bool __hleu(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __hle(a, b); }
HEDDLE_BOTH bool __hble2(__half2 a, __half2 b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
HEDDLE_BOTH __half2 __hle2(__half2 a, __half2 b) { return __half2(__half(__hle(a.x, b.x) ? 1.0f : 0.0f), __half(__hle(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hgt(__half a, __half b) { return (float)a > (float)b; }
HEDDLE_BOTH bool __hgtu(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __hgt(a, b); }
HEDDLE_BOTH bool __hbgt2(__half2 a, __half2 b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
HEDDLE_BOTH __half2 __hgt2(__half2 a, __half2 b) { return __half2(__half(__hgt(a.x, b.x) ? 1.0f : 0.0f), __half(__hgt(a.y, b.y) ? 1.0f : 0.0f)); }
HEDDLE_BOTH bool __hge(__half a, __half b) { return (float)a >= (float)b; }
HEDDLE_BOTH bool __hgeu(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __hge(a, b); }
HEDDLE_BOTH bool __hbge2(__half2 a, __half2 b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
HEDDLE_BOTH __half2 __hge2(__half2 a, __half2 b) { return __half2(__half(__hge(a.x, b.x) ? 1.0f : 0.0f), __half(__hge(a.y, b.y) ? 1.0f : 0.0f)); }

HEDDLE_DEVICE __half hsin(__half a) { return __half(::sinf((float)a)); }
HEDDLE_DEVICE __half2 h2sin(__half2 a) { return __half2(hsin(a.x), hsin(a.y)); }
HEDDLE_DEVICE __half hcos(__half a) { return __half(::cosf((float)a)); }
HEDDLE_DEVICE __half2 h2cos(__half2 a) { return __half2(hcos(a.x), hcos(a.y)); }
HEDDLE_DEVICE __half hexp(__half a) { return __half(::expf((float)a)); }
HEDDLE_DEVICE __half2 h2exp(__half2 a) { return __half2(hexp(a.x), hexp(a.y)); }
HEDDLE_DEVICE __half hexp2(__half a) { return __half(::exp2f((float)a)); }
HEDDLE_DEVICE __half2 h2exp2(__half2 a) { return __half2(hexp2(a.x), hexp2(a.y)); }
HEDDLE_DEVICE __half hexp10(__half a) { return __half(::exp10f((float)a)); }
HEDDLE_DEVICE __half2 h2exp10(__half2 a) { return __half2(hexp10(a.x), hexp10(a.y)); }
HEDDLE_DEVICE __half hlog(__half a) { return __half(::logf((float)a)); }
HEDDLE_DEVICE __half2 h2log(__half2 a) { return __half2(hlog(a.x), hlog(a.y)); }
HEDDLE_DEVICE __half hlog2(__half a) { return __half(::log2f((float)a)); }
HEDDLE_DEVICE __half2 h2log2(__half2 a) { return __half2(hlog2(a.x), hlog2(a.y)); }
HEDDLE_DEVICE __half hlog10(__half a) { return __half(::log10f((float)a)); }
HEDDLE_DEVICE __half2 h2log10(__half2 a) { return __half2(hlog10(a.x), hlog10(a.y)); }
HEDDLE_DEVICE __half hsqrt(__half a) { return __half(::sqrtf((float)a)); }
HEDDLE_DEVICE __half2 h2sqrt(__half2 a) { return __half2(hsqrt(a.x), hsqrt(a.y)); }
HEDDLE_DEVICE __half hrsqrt(__half a) { return __half(::rsqrtf((float)a)); }
HEDDLE_DEVICE __half2 h2rsqrt(__half2 a) { return __half2(hrsqrt(a.x), hrsqrt(a.y)); }
HEDDLE_DEVICE __half hrcp(__half a) { return __half(1.0f / (float)a); }
HEDDLE_DEVICE __half2 h2rcp(__half2 a) { return __half2(hrcp(a.x), hrcp(a.y)); }
HEDDLE_DEVICE __half hfloor(__half a) { return __half(::floorf((float)a)); }
HEDDLE_DEVICE __half2 h2floor(__half2 a) { return __half2(hfloor(a.x), hfloor(a.y)); }
HEDDLE_DEVICE __half hceil(__half a) { return __half(::ceilf((float)a)); }
HEDDLE_DEVICE __half2 h2ceil(__half2 a) { return __half2(hceil(a.x), hceil(a.y)); }
HEDDLE_DEVICE __half htrunc(__half a) { return __half(::truncf((float)a)); }
HEDDLE_DEVICE __half2 h2trunc(__half2 a) { return __half2(htrunc(a.x), htrunc(a.y)); }
HEDDLE_DEVICE __half hrint(__half a) { return __half(::rintf((float)a)); }
HEDDLE_DEVICE __half2 h2rint(__half2 a) { return __half2(hrint(a.x), hrint(a.y)); }
HEDDLE_DEVICE __half htanh(__half a) { return __half(::tanhf((float)a)); }
HEDDLE_DEVICE __half2 h2tanh(__half2 a) { return __half2(htanh(a.x), htanh(a.y)); }

HEDDLE_HALF_OPERATORS(__half, __half2)

HEDDLE_DEVICE __half __shfl_sync(unsigned int mask, __half a, int lane, int width = 32) {
  return __heddle_half((unsigned short)__shfl_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __half2 __shfl_sync(unsigned int mask, __half2 a, int lane, int width = 32) {
  return __heddle_half2(__shfl_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __half __shfl_up_sync(unsigned int mask, __half a, unsigned int lane, int width = 32) {
  return __heddle_half((unsigned short)__shfl_up_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __half2 __shfl_up_sync(unsigned int mask, __half2 a, unsigned int lane, int width = 32) {
  return __heddle_half2(__shfl_up_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __half __shfl_down_sync(unsigned int mask, __half a, unsigned int lane, int width = 32) {
  return __heddle_half((unsigned short)__shfl_down_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __half2 __shfl_down_sync(unsigned int mask, __half2 a, unsigned int lane, int width = 32) {
  return __heddle_half2(__shfl_down_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __half __shfl_xor_sync(unsigned int mask, __half a, int lane, int width = 32) {
  return __heddle_half((unsigned short)__shfl_xor_sync(mask, (unsigned int)a.__x, lane, width));
}
HEDDLE_DEVICE __half2 __shfl_xor_sync(unsigned int mask, __half2 a, int lane, int width = 32) {
  return __heddle_half2(__shfl_xor_sync(mask, __heddle_bits(a), lane, width));
}
HEDDLE_DEVICE __half __ldg(const __half* p) { return __heddle_half(__ldg((const unsigned short*)p)); }
HEDDLE_DEVICE __half2 __ldg(const __half2* p) { return __heddle_half2(__ldg((const unsigned int*)p)); }
HEDDLE_DEVICE __half __ldcg(const __half* p) { return __heddle_half(__ldcg((const unsigned short*)p)); }
HEDDLE_DEVICE __half2 __ldcg(const __half2* p) { return __heddle_half2(__ldcg((const unsigned int*)p)); }
HEDDLE_DEVICE __half __ldca(const __half* p) { return __heddle_half(__ldca((const unsigned short*)p)); }
HEDDLE_DEVICE __half2 __ldca(const __half2* p) { return __heddle_half2(__ldca((const unsigned int*)p)); }
HEDDLE_DEVICE __half __ldcs(const __half* p) { return __heddle_half(__ldcs((const unsigned short*)p)); }
HEDDLE_DEVICE __half2 __ldcs(const __half2* p) { return __heddle_half2(__ldcs((const unsigned int*)p)); }
HEDDLE_DEVICE void __stcg(__half* p, __half a) { __stcg((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stcg(__half2* p, __half2 a) { __stcg((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stcs(__half* p, __half a) { __stcs((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stcs(__half2* p, __half2 a) { __stcs((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stwb(__half* p, __half a) { __stwb((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stwb(__half2* p, __half2 a) { __stwb((unsigned int*)p, __heddle_bits(a)); }
HEDDLE_DEVICE void __stwt(__half* p, __half a) { __stwt((unsigned short*)p, a.__x); }
HEDDLE_DEVICE void __stwt(__half2* p, __half2 a) { __stwt((unsigned int*)p, __heddle_bits(a)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HEDDLE_DEVICE __half atomicAdd(__half* p, __half a) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(a.__x) : "memory");
  return __heddle_half(old);
}
HEDDLE_DEVICE __half2 atomicAdd(__half2* p, __half2 a) {
  unsigned int old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(__heddle_bits(a)) : "memory");
  return __heddle_half2(old);
}
#else
HEDDLE_DEVICE __half2 atomicAdd(__half2* p, __half2 a) {
  unsigned int* word = (unsigned int*)p;
  unsigned int seen, old = *word;
  do {
    seen = old;
    old = atomicCAS(word, seen, __heddle_bits(__hadd2(__heddle_half2(seen), a)));
  } while (old != seen);
  return __heddle_half2(old);
}
HEDDLE_DEVICE __half atomicAdd(__half* p, __half a) {
  unsigned short* word = (unsigned short*)p;
  unsigned short seen, old = *word;
  do {
    seen = old;
    old = atomicCAS(word, seen, __hadd(__heddle_half(seen), a).__x);
  } while (old != seen);
  return __heddle_half(old);
}
#endif

#undef HEDDLE_BOTH
#undef HEDDLE_DEVICE

#endif
