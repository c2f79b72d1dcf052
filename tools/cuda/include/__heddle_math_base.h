// What the device mathematics is written in. It is compiled for GPUs, and as C++ by the test that measures errors.
//
// Compilers may contract a*b + c to one rounding. Where an algorithm lives from the rounding of a product or a sum,
// it says HM_MUL, HM_ADD or HM_FMA; elsewhere either is right.
#ifndef HEDDLE_MATH_BASE_H
#define HEDDLE_MATH_BASE_H

#if defined(__CUDA__)
#define HM_FUNCTION extern "C" __device__ inline __attribute__((always_inline))
#define HM_HELPER static inline __device__ __attribute__((always_inline))
#define HM_SLOW static __device__ __attribute__((noinline))
#define HM_TABLE static __device__ const
#define HM_FMAF(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define HM_MULF(a, b) __nvvm_mul_rn_f(a, b)
#define HM_ADDF(a, b) __nvvm_add_rn_f(a, b)
#define HM_FMA(a, b, c) __nvvm_fma_rn_d(a, b, c)
#define HM_MUL(a, b) __nvvm_mul_rn_d(a, b)
#define HM_ADD(a, b) __nvvm_add_rn_d(a, b)
#define HM_SQRTF(a) __nvvm_sqrt_rn_f(a)
#define HM_SQRT(a) __nvvm_sqrt_rn_d(a)
#define HM_EX2F(a) __nvvm_ex2_approx_ftz_f(a)
#define HM_LG2F(a) __nvvm_lg2_approx_ftz_f(a)
#define HM_RSQRTF(a) __nvvm_rsqrt_approx_f(a)
#define HM_RSQRT(a) __nvvm_rsqrt_approx_d(a)
#else
#include <math.h>
#define HM_FUNCTION extern "C" inline
#define HM_HELPER static inline
#define HM_SLOW static inline
#define HM_TABLE static const
#define HM_FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define HM_MULF(a, b) ((a) * (b))
#define HM_ADDF(a, b) ((a) + (b))
#define HM_FMA(a, b, c) __builtin_fma(a, b, c)
#define HM_MUL(a, b) ((a) * (b))
#define HM_ADD(a, b) ((a) + (b))
#define HM_SQRTF(a) sqrtf(a)
#define HM_SQRT(a) sqrt(a)
#define HM_EX2F(a) exp2f(a)
#define HM_LG2F(a) log2f(a)
#define HM_RSQRTF(a) (float)(1.0 / sqrt((double)(a)))
#define HM_RSQRT(a) (1.0 / sqrt(a))
#endif

#include "__heddle_polynomials.h"

typedef unsigned long long hm_u64;
typedef unsigned __int128 hm_u128;

HM_HELPER unsigned int hm_bits(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
HM_HELPER float hm_float(unsigned int bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}
HM_HELPER hm_u64 hm_bits64(double x) {
  hm_u64 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
HM_HELPER double hm_double(hm_u64 bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}

HM_HELPER float hm_inff() { return __builtin_inff(); }
HM_HELPER float hm_nanf() { return hm_float(0x7fffffffu); }
HM_HELPER double hm_inf() { return __builtin_inf(); }
HM_HELPER double hm_nan() { return hm_double(0xfff8000000000000ull); }
HM_HELPER float hm_absf(float x) { return __builtin_fabsf(x); }
HM_HELPER double hm_abs(double x) { return __builtin_fabs(x); }
HM_HELPER float hm_signed(float magnitude, float sign) {
  return hm_float((hm_bits(magnitude) & 0x7fffffffu) | (hm_bits(sign) & 0x80000000u));
}
HM_HELPER double hm_signed64(double magnitude, double sign) {
  return hm_double((hm_bits64(magnitude) & ~(1ull << 63)) | (hm_bits64(sign) & (1ull << 63)));
}
HM_HELPER float hm_pow2f(int n) { return hm_float((unsigned int)(n + 127) << 23); }        // n in -126 to 127
HM_HELPER double hm_pow2(int n) { return hm_double((hm_u64)(unsigned int)(n + 1023) << 52); }  // n in -1022 to 1023

// x * 2^n with one rounding, for n from -300 to 300, and from -2200 to 2200.
HM_HELPER float hm_scalef(float x, int n) {
  const int half = n / 2;
  const int bounded = half < -126 ? -126 : (half > 127 ? 127 : half);
  const int rest = n - bounded;
  const int last = rest < -126 ? -126 : (rest > 127 ? 127 : rest);
  return HM_MULF(HM_MULF(x, hm_pow2f(bounded)), hm_pow2f(last));
}
HM_HELPER double hm_scale(double x, int n) {
  const int half = n / 2;
  const int bounded = half < -1022 ? -1022 : (half > 1023 ? 1023 : half);
  const int rest = n - bounded;
  const int last = rest < -1022 ? -1022 : (rest > 1023 ? 1023 : rest);
  return HM_MUL(HM_MUL(x, hm_pow2(bounded)), hm_pow2(last));
}

// x = m * 2^e with m from 2/3 or the like: the exponent is counted from `low`, whose bits are those of 1.0's binade or
// the one below.
struct hm_split32 {
  float m;
  int e;
};
HM_HELPER hm_split32 hm_splitf(float x, unsigned int low) {
  int scale = 0;
  if (x < 1.17549435e-38f) {
    x = HM_MULF(x, 8388608.0f);
    scale = -23;
  }
  const unsigned int bits = hm_bits(x);
  const int e = (int)(bits - low) >> 23;
  return {hm_float(bits - ((unsigned int)e << 23)), e + scale};
}
struct hm_split64 {
  double m;
  int e;
};
HM_HELPER hm_split64 hm_split(double x, unsigned int low) {
  int scale = 0;
  if (x < 2.2250738585072014e-308) {
    x = HM_MUL(x, 18014398509481984.0);
    scale = -54;
  }
  const hm_u64 bits = hm_bits64(x);
  const int e = (int)((unsigned int)(bits >> 32) - low) >> 20;
  return {hm_double(bits - ((hm_u64)(unsigned int)e << 52)), e + scale};
}

#endif
