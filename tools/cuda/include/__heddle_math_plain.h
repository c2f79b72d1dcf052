// Functions that round, compare, take apart or put together: exact, and mostly one instruction of the machine.
#ifndef HEDDLE_MATH_PLAIN_H
#define HEDDLE_MATH_PLAIN_H

#include "__heddle_math_base.h"

#define HM_BOTH(name, builtin)                                                \
  HM_FUNCTION double __nv_##name(double x) { return __builtin_##builtin(x); } \
  HM_FUNCTION float __nv_##name##f(float x) { return __builtin_##builtin##f(x); }
HM_BOTH(fabs, fabs)
HM_BOTH(floor, floor)
HM_BOTH(ceil, ceil)
HM_BOTH(trunc, trunc)
HM_BOTH(rint, rint)
HM_BOTH(nearbyint, rint)
#undef HM_BOTH
#define HM_BOTH(name)                                                                             \
  HM_FUNCTION double __nv_##name(double x, double y) { return __builtin_##name(x, y); }           \
  HM_FUNCTION float __nv_##name##f(float x, float y) { return __builtin_##name##f(x, y); }
HM_BOTH(fmin)
HM_BOTH(fmax)
#undef HM_BOTH
HM_FUNCTION double __nv_copysign(double x, double y) { return hm_signed64(x, y); }
HM_FUNCTION float __nv_copysignf(float x, float y) { return hm_signed(x, y); }
HM_FUNCTION double __nv_fma(double x, double y, double z) { return HM_FMA(x, y, z); }
HM_FUNCTION float __nv_fmaf(float x, float y, float z) { return HM_FMAF(x, y, z); }
HM_FUNCTION double __nv_fdim(double x, double y) { return x != x || y != y ? x + y : (x > y ? HM_ADD(x, -y) : 0.0); }
HM_FUNCTION float __nv_fdimf(float x, float y) { return x != x || y != y ? x + y : (x > y ? HM_ADDF(x, -y) : 0.0f); }

// Halves go away from zero.
HM_FUNCTION double __nv_round(double x) {
  const double t = __builtin_trunc(x);
  const double rounded = hm_abs(HM_ADD(x, -t)) >= 0.5 ? HM_ADD(t, hm_signed64(1.0, x)) : t;
  return hm_abs(x) < hm_inf() ? hm_signed64(rounded, x) : x;
}
HM_FUNCTION float __nv_roundf(float x) {
  const float t = __builtin_truncf(x);
  const float rounded = hm_absf(HM_ADDF(x, -t)) >= 0.5f ? HM_ADDF(t, hm_signed(1.0f, x)) : t;
  return hm_absf(x) < hm_inff() ? hm_signed(rounded, x) : x;
}
HM_FUNCTION long long __nv_llrint(double x) { return (long long)__builtin_rint(x); }
HM_FUNCTION long long __nv_llrintf(float x) { return (long long)__builtin_rintf(x); }
HM_FUNCTION long long __nv_llround(double x) { return (long long)__nv_round(x); }
HM_FUNCTION long long __nv_llroundf(float x) { return (long long)__nv_roundf(x); }

HM_FUNCTION int __nv_isnanf(float x) { return x != x; }
HM_FUNCTION int __nv_isnand(double x) { return x != x; }
HM_FUNCTION int __nv_isinff(float x) { return hm_absf(x) == hm_inff(); }
HM_FUNCTION int __nv_isinfd(double x) { return hm_abs(x) == hm_inf(); }
HM_FUNCTION int __nv_finitef(float x) { return hm_absf(x) < hm_inff(); }
HM_FUNCTION int __nv_isfinited(double x) { return hm_abs(x) < hm_inf(); }
HM_FUNCTION int __nv_signbitf(float x) { return (int)(hm_bits(x) >> 31); }
HM_FUNCTION int __nv_signbitd(double x) { return (int)(hm_bits64(x) >> 63); }
HM_FUNCTION float __nv_nanf(const signed char*) { return hm_nanf(); }
HM_FUNCTION double __nv_nan(const signed char*) { return hm_nan(); }

HM_FUNCTION float __nv_ldexpf(float x, int n) { return hm_scalef(x, n < -300 ? -300 : (n > 300 ? 300 : n)); }
HM_FUNCTION double __nv_ldexp(double x, int n) {
  const int bounded = n < -2200 ? -2200 : (n > 2200 ? 2200 : n);
  // Three factors, since the first two span only 2046 binades; the smallest result is rounded once.
  if (bounded > 2000) return HM_MUL(HM_MUL(HM_MUL(x, hm_pow2(1023)), hm_pow2(900)), hm_pow2(bounded - 1923));
  if (bounded < -1900) return HM_MUL(HM_MUL(HM_MUL(x, hm_pow2(-900)), hm_pow2(-900)), hm_pow2(bounded + 1800));
  return bounded < -1000 ? HM_MUL(HM_MUL(x, hm_pow2(-900)), hm_pow2(bounded + 900))
                         : HM_MUL(HM_MUL(x, hm_pow2(bounded / 2)), hm_pow2(bounded - bounded / 2));
}
HM_FUNCTION float __nv_scalbnf(float x, int n) { return __nv_ldexpf(x, n); }
HM_FUNCTION double __nv_scalbn(double x, int n) { return __nv_ldexp(x, n); }
HM_FUNCTION int __nv_ilogbf(float x) {
  if (x == 0.0f || x != x) return -2147483647 - 1;
  return hm_absf(x) == hm_inff() ? 2147483647 : hm_splitf(hm_absf(x), 0x3f800000u).e;
}
HM_FUNCTION int __nv_ilogb(double x) {
  if (x == 0.0 || x != x) return -2147483647 - 1;
  return hm_abs(x) == hm_inf() ? 2147483647 : hm_split(hm_abs(x), 0x3ff00000u).e;
}
HM_FUNCTION float __nv_logbf(float x) {
  if (x == 0.0f) return -hm_inff();
  return hm_absf(x) < hm_inff() ? (float)__nv_ilogbf(x) : HM_MULF(x, x);
}
HM_FUNCTION double __nv_logb(double x) {
  if (x == 0.0) return -hm_inf();
  return hm_abs(x) < hm_inf() ? (double)__nv_ilogb(x) : HM_MUL(x, x);
}
HM_FUNCTION float __nv_frexpf(float x, int* e) {
  *e = 0;
  if (x == 0.0f || !(hm_absf(x) < hm_inff())) return x;
  const hm_split32 s = hm_splitf(hm_absf(x), 0x3f000000u);
  *e = s.e;
  return hm_signed(s.m, x);
}
HM_FUNCTION double __nv_frexp(double x, int* e) {
  *e = 0;
  if (x == 0.0 || !(hm_abs(x) < hm_inf())) return x;
  const hm_split64 s = hm_split(hm_abs(x), 0x3fe00000u);
  *e = s.e;
  return hm_signed64(s.m, x);
}
HM_FUNCTION float __nv_modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return hm_signed(hm_absf(x) == hm_inff() ? 0.0f : HM_ADDF(x, -*whole), x);
}
HM_FUNCTION double __nv_modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return hm_signed64(hm_abs(x) == hm_inf() ? 0.0 : HM_ADD(x, -*whole), x);
}
HM_FUNCTION float __nv_nextafterf(float x, float y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0.0f) return hm_signed(hm_float(1u), y);
  return hm_float(hm_bits(x) + ((x < y) == (x > 0.0f) ? 1u : ~0u));
}
HM_FUNCTION double __nv_nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0.0) return hm_signed64(hm_double(1u), y);
  return hm_double(hm_bits64(x) + ((x < y) == (x > 0.0) ? 1ull : ~0ull));
}

// |x| mod |y| by long division of the mantissas, for finite x and y other than 0; the last bits of the quotient too.
HM_HELPER float hm_modf(float a, float b, unsigned int* quotient) {
  *quotient = 0;
  if (a < b) return a;
  const hm_split32 x = hm_splitf(a, 0x3f800000u), y = hm_splitf(b, 0x3f800000u);
  unsigned int m = (hm_bits(x.m) & 0x7fffffu) | 0x800000u;
  const unsigned int d = (hm_bits(y.m) & 0x7fffffu) | 0x800000u;
  unsigned int q = 0;
  for (int n = x.e - y.e;; --n) {
    q <<= 1;
    if (m >= d) {
      m -= d;
      q |= 1u;
    }
    if (n == 0) break;
    m <<= 1;
  }
  *quotient = q;
  return HM_MULF(hm_scalef((float)m, y.e < -100 ? -100 : y.e - 23), y.e < -100 ? hm_pow2f(y.e - 23 + 100) : 1.0f);
}
HM_HELPER double hm_mod(double a, double b, unsigned int* quotient) {
  *quotient = 0;
  if (a < b) return a;
  const hm_split64 x = hm_split(a, 0x3ff00000u), y = hm_split(b, 0x3ff00000u);
  hm_u64 m = (hm_bits64(x.m) & 0xfffffffffffffull) | 0x10000000000000ull;
  const hm_u64 d = (hm_bits64(y.m) & 0xfffffffffffffull) | 0x10000000000000ull;
  unsigned int q = 0;
  for (int n = x.e - y.e;; --n) {
    q <<= 1;
    if (m >= d) {
      m -= d;
      q |= 1u;
    }
    if (n == 0) break;
    m <<= 1;
  }
  *quotient = q;
  const int e = y.e - 52;
  return e < -1000 ? HM_MUL(HM_MUL((double)m, hm_pow2(-900)), hm_pow2(e + 900)) : HM_MUL((double)m, hm_pow2(e));
}
HM_FUNCTION float __nv_fmodf(float x, float y) {
  unsigned int q;
  if (x != x || y != y || y == 0.0f || hm_absf(x) == hm_inff()) return hm_nanf();
  return hm_signed(hm_modf(hm_absf(x), hm_absf(y), &q), x);
}
HM_FUNCTION double __nv_fmod(double x, double y) {
  unsigned int q;
  if (x != x || y != y || y == 0.0 || hm_abs(x) == hm_inf()) return hm_nan();
  return hm_signed64(hm_mod(hm_abs(x), hm_abs(y), &q), x);
}
// The quotient is rounded to nearest, halves to even.
HM_FUNCTION float __nv_remquof(float x, float y, int* quotient) {
  *quotient = 0;
  if (x != x || y != y || y == 0.0f || hm_absf(x) == hm_inff()) return hm_nanf();
  const float b = hm_absf(y);
  if (b == hm_inff()) return x;
  unsigned int q;
  float r = hm_modf(hm_absf(x), b, &q);
  const float left = HM_ADDF(b, -r);
  if (r > left || (r == left && (q & 1u) != 0)) {
    r = -left;
    ++q;
  }
  const int last = (int)(q & 0x7fffffffu);
  *quotient = ((hm_bits(x) ^ hm_bits(y)) >> 31) != 0 ? -last : last;
  return r == 0.0f ? hm_signed(0.0f, x) : ((hm_bits(x) >> 31) != 0 ? -r : r);
}
HM_FUNCTION double __nv_remquo(double x, double y, int* quotient) {
  *quotient = 0;
  if (x != x || y != y || y == 0.0 || hm_abs(x) == hm_inf()) return hm_nan();
  const double b = hm_abs(y);
  if (b == hm_inf()) return x;
  unsigned int q;
  double r = hm_mod(hm_abs(x), b, &q);
  const double left = HM_ADD(b, -r);
  if (r > left || (r == left && (q & 1u) != 0)) {
    r = -left;
    ++q;
  }
  const int last = (int)(q & 0x7fffffffu);
  *quotient = ((hm_bits64(x) ^ hm_bits64(y)) >> 63) != 0 ? -last : last;
  return r == 0.0 ? hm_signed64(0.0, x) : ((hm_bits64(x) >> 63) != 0 ? -r : r);
}
HM_FUNCTION float __nv_remainderf(float x, float y) {
  int q;
  return __nv_remquof(x, y, &q);
}
HM_FUNCTION double __nv_remainder(double x, double y) {
  int q;
  return __nv_remquo(x, y, &q);
}

HM_FUNCTION int __nv_abs(int x) { return x < 0 ? -x : x; }
HM_FUNCTION long long __nv_llabs(long long x) { return x < 0 ? -x : x; }
HM_FUNCTION int __nv_min(int x, int y) { return x < y ? x : y; }
HM_FUNCTION int __nv_max(int x, int y) { return x > y ? x : y; }
HM_FUNCTION unsigned int __nv_umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
HM_FUNCTION unsigned int __nv_umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
HM_FUNCTION long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
HM_FUNCTION long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
HM_FUNCTION hm_u64 __nv_ullmin(hm_u64 x, hm_u64 y) { return x < y ? x : y; }
HM_FUNCTION hm_u64 __nv_ullmax(hm_u64 x, hm_u64 y) { return x > y ? x : y; }
HM_FUNCTION int __nv_clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
HM_FUNCTION int __nv_clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((hm_u64)x); }
HM_FUNCTION int __nv_popc(int x) { return __builtin_popcount((unsigned int)x); }
HM_FUNCTION int __nv_popcll(long long x) { return __builtin_popcountll((hm_u64)x); }
HM_FUNCTION int __nv_ffs(int x) { return x == 0 ? 0 : 1 + __builtin_ctz((unsigned int)x); }
HM_FUNCTION int __nv_ffsll(long long x) { return x == 0 ? 0 : 1 + __builtin_ctzll((hm_u64)x); }
HM_FUNCTION int __nv_mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
HM_FUNCTION unsigned int __nv_umulhi(unsigned int x, unsigned int y) { return (unsigned int)(((hm_u64)x * y) >> 32); }
HM_FUNCTION long long __nv_mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }
HM_FUNCTION hm_u64 __nv_umul64hi(hm_u64 x, hm_u64 y) { return (hm_u64)(((hm_u128)x * y) >> 64); }
HM_FUNCTION int __nv_mul24(int x, int y) {
  return (int)((unsigned int)((int)((unsigned int)x << 8) >> 8) * (unsigned int)((int)((unsigned int)y << 8) >> 8));
}
HM_FUNCTION unsigned int __nv_umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
HM_FUNCTION int __nv_hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
HM_FUNCTION int __nv_rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
HM_FUNCTION int __nv_uhadd(unsigned int x, unsigned int y) { return (int)(((hm_u64)x + y) >> 1); }
HM_FUNCTION unsigned int __nv_urhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((hm_u64)x + y + 1) >> 1);
}
HM_FUNCTION int __nv_sad(int x, int y, int z) {
  return (int)((x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + (unsigned int)z);
}
HM_FUNCTION unsigned int __nv_usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
HM_FUNCTION int __nv_float_as_int(float x) { return (int)hm_bits(x); }
HM_FUNCTION unsigned int __nv_float_as_uint(float x) { return hm_bits(x); }
HM_FUNCTION float __nv_int_as_float(int x) { return hm_float((unsigned int)x); }
HM_FUNCTION float __nv_uint_as_float(unsigned int x) { return hm_float(x); }
HM_FUNCTION hm_u64 __nv_double_as_longlong(double x) { return hm_bits64(x); }
HM_FUNCTION double __nv_longlong_as_double(long long x) { return hm_double((hm_u64)x); }
HM_FUNCTION int __nv_double2hiint(double x) { return (int)(hm_bits64(x) >> 32); }
HM_FUNCTION int __nv_double2loint(double x) { return (int)hm_bits64(x); }
HM_FUNCTION double __nv_hiloint2double(int high, int low) {
  return hm_double(((hm_u64)(unsigned int)high << 32) | (unsigned int)low);
}
HM_FUNCTION float __nv_saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#endif
