// Elementary functions in single precision. Errors are within those that CUDA's programming guide documents.
#ifndef HEDDLE_MATH_FLOAT_H
#define HEDDLE_MATH_FLOAT_H

#include "__heddle_math_base.h"

// 2/pi in binary, behind 32 zeros.
HM_TABLE unsigned int hm_two_over_pi32[7] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                             0xf534ddc0u, 0xdb629599u, 0x3c439041u};

struct hm_angle {
  float r;  // |r| <= pi/4
  int quadrant;
};

// Payne and Hanek's reduction: only those bits of 2/pi are multiplied that leave a fraction of a turn.
HM_SLOW hm_angle hm_reduce_largef(float x) {
  const unsigned int bits = hm_bits(x);
  const int e = (int)((bits >> 23) & 255u) - 127;
  const hm_u64 m = ((bits & 0x7fffffu) | 0x800000u) << 8;
  const int first = e - 32 + 31;  // of the bits from 2/pi that count
  const int word = first >> 5;
  const int shift = first & 31;
  unsigned int h[3];
  for (int i = 0; i < 3; ++i) {
    const hm_u64 two = ((hm_u64)hm_two_over_pi32[word + i] << 32) | hm_two_over_pi32[word + i + 1];
    h[i] = (unsigned int)((two << shift) >> 32);
  }
  const hm_u64 low = m * h[2];
  const hm_u64 middle = m * h[1] + (low >> 32);
  const unsigned int high = (unsigned int)(m * h[0] + (middle >> 32));
  const hm_u64 whole = ((hm_u64)high << 32) | (unsigned int)middle;
  const long long fraction = (long long)((whole << 2) | ((unsigned int)low >> 30));
  const int quadrant = (int)(high >> 30) + (fraction < 0 ? 1 : 0);
  // times pi/2 * 2^-63, in two floats, since GPUs have few units for doubles
  const long long half = fraction >> 1;
  const float top = (float)half, rest = (float)(half - (long long)top);
  const float r = HM_FMAF(top, 1.70306084e-19f, HM_FMAF(top, -4.73919821e-27f, HM_MULF(rest, 1.70306084e-19f)));
  return hm_angle{(bits >> 31) != 0 ? -r : r, (bits >> 31) != 0 ? -quadrant : quadrant};
}

HM_HELPER hm_angle hm_reducef(float x) {
  if (hm_absf(x) > 105615.0f) {
    if (hm_absf(x) == hm_inff()) return hm_angle{hm_nanf(), 0};
    return hm_reduce_largef(x);
  }
  const float q = __builtin_rintf(HM_MULF(x, 0.636619747f));
  float r = HM_FMAF(q, -1.57079601f, x);  // pi/2 in three parts, of which two have zeros at their ends
  r = HM_FMAF(q, -3.13916473e-07f, r);
  r = HM_FMAF(q, -5.39030253e-15f, r);
  return hm_angle{r, (int)q};
}

HM_HELPER float hm_sin_kernelf(float r) {
  const float z = HM_MULF(r, r);
  return HM_FMAF(HM_MULF(HM_P_SINF(z), z), r, r);
}
HM_HELPER float hm_cos_kernelf(float r) {
  const float z = HM_MULF(r, r);
  return HM_FMAF(HM_P_COSF(z), z, 1.0f);
}
HM_HELPER float hm_sin_of(hm_angle a) {
  const float v = (a.quadrant & 1) != 0 ? hm_cos_kernelf(a.r) : hm_sin_kernelf(a.r);
  return (a.quadrant & 2) != 0 ? -v : v;
}

HM_FUNCTION float __nv_sinf(float x) { return x == 0.0f ? x : hm_sin_of(hm_reducef(x)); }
HM_FUNCTION float __nv_cosf(float x) {
  hm_angle a = hm_reducef(x);
  ++a.quadrant;
  return hm_sin_of(a);
}
HM_FUNCTION void __nv_sincosf(float x, float* s, float* c) {
  hm_angle a = hm_reducef(x);
  *s = x == 0.0f ? x : hm_sin_of(a);
  ++a.quadrant;
  *c = hm_sin_of(a);
}
HM_FUNCTION float __nv_tanf(float x) {
  const hm_angle a = hm_reducef(x);
  const float z = HM_MULF(a.r, a.r);
  const float t = HM_FMAF(HM_MULF(HM_P_TANF(z), z), a.r, a.r);
  if (x == 0.0f) return x;
  return (a.quadrant & 1) != 0 ? -1.0f / t : t;
}

// sin or cos of pi * x, of which whole half turns go exactly and the rest in two floats.
HM_HELPER float hm_sin_pif(float x, int quarter) {
  if (!(hm_absf(x) < hm_inff())) return hm_nanf();
  float t = x;
  int q = quarter;
  if (hm_absf(x) > 0.25f) {
    const float turns = HM_MULF(x, 0.5f);
    const float f = HM_MULF(HM_ADDF(turns, -__builtin_truncf(turns)), 2.0f);  // x modulo 2, exactly
    const float halves = __builtin_rintf(HM_MULF(f, 2.0f));
    t = HM_FMAF(halves, -0.5f, f);
    q += (int)halves;
  }
  const float r = HM_FMAF(t, 3.14159274f, HM_MULF(t, -8.74227766e-08f));
  const float low = HM_FMAF(t, -8.74227766e-08f, HM_FMAF(t, 3.14159274f, -r));
  const float z = HM_MULF(r, r);
  const float sine = HM_ADDF(r, HM_FMAF(HM_MULF(HM_P_SINF(z), z), r, low));
  const float half = HM_MULF(0.5f, z), first = HM_ADDF(1.0f, -half);
  const float rest = HM_FMAF(HM_MULF(z, z), HM_P_COS4F(z), HM_MULF(-r, low));
  const float cosine = HM_ADDF(first, HM_ADDF(HM_ADDF(HM_ADDF(1.0f, -first), -half), rest));
  const float v = (q & 1) != 0 ? cosine : sine;
  return (q & 2) != 0 ? -v : v;
}
HM_FUNCTION float __nv_sinpif(float x) {
  return x == __builtin_truncf(x) && hm_absf(x) < hm_inff() ? HM_MULF(x, 0.0f) : hm_sin_pif(x, 0);
}
HM_FUNCTION float __nv_cospif(float x) { return HM_ADDF(hm_sin_pif(x, 1), 0.0f); }
HM_FUNCTION void __nv_sincospif(float x, float* s, float* c) {
  *s = __nv_sinpif(x);
  *c = __nv_cospif(x);
}

// e^(x + low) by the hardware's 2^x, whose argument is split so that its rounding does not grow with it.
HM_HELPER float hm_expf(float x, float low) {
  const float bounded = x > 90.0f ? 90.0f : (x < -104.0f ? -104.0f : x);
  const float n = __builtin_rintf(HM_MULF(bounded, 1.44269502f));
  float r = HM_FMAF(bounded, 1.44269502f, -n);
  r = HM_FMAF(bounded, 1.92596303e-08f, r);
  r = HM_FMAF(low, 1.44269502f, r);
  return hm_scalef(HM_EX2F(r), (int)n);
}
HM_FUNCTION float __nv_expf(float x) { return x != x ? x : hm_expf(x, 0.0f); }
HM_FUNCTION float __nv_exp2f(float x) {
  if (x != x) return x;
  const float bounded = x > 129.0f ? 129.0f : (x < -151.0f ? -151.0f : x);
  const float n = __builtin_rintf(bounded);
  return hm_scalef(HM_EX2F(HM_ADDF(bounded, -n)), (int)n);
}
HM_FUNCTION float __nv_exp10f(float x) {
  if (x != x) return x;
  const float bounded = x > 39.0f ? 39.0f : (x < -46.0f ? -46.0f : x);
  const float n = __builtin_rintf(HM_MULF(bounded, 3.32192802f));
  float r = HM_FMAF(bounded, 3.32192802f, -n);
  r = HM_FMAF(bounded, 7.05953696e-08f, r);
  return hm_scalef(HM_EX2F(r), (int)n);
}
HM_FUNCTION float __nv_expm1f(float x) {
  if (x != x || x == 0.0f) return x;
  const float bounded = x > 89.0f ? 89.0f : (x < -20.0f ? -20.0f : x);
  // Near 0 the whole argument goes to the polynomial, so that nothing cancels.
  const float n = x > -0.3f && x < 0.56f ? 0.0f : __builtin_rintf(HM_MULF(bounded, 1.44269502f));
  float r = HM_FMAF(n, -0.693147182f, bounded);
  r = HM_FMAF(n, 1.90465421e-09f, r);
  // 2^n (1 + p) - 1 = (2^n - 1) + 2^n p; at n = 128 one factor 2 is left for the end.
  const float p = HM_FMAF(HM_P_EXPM1F(r), HM_MULF(r, r), r);
  const int whole = (int)n;
  const float scale = hm_pow2f(whole > 127 ? 127 : whole);
  const float one = whole > 127 ? -0.5f : -1.0f;
  const float result =
      whole > 12 ? HM_ADDF(scale, HM_FMAF(p, scale, one)) : HM_FMAF(p, scale, HM_ADDF(scale, one));
  return whole > 127 ? HM_MULF(result, 2.0f) : result;
}

// log(1 + f) - f for f from -1/3 to 1/3.
HM_HELPER float hm_log1p_restf(float f) { return HM_MULF(HM_MULF(f, f), HM_P_LOGF(f)); }

HM_HELPER bool hm_log_is_special(float x) { return !(x > 0.0f && x < hm_inff()); }
HM_HELPER float hm_log_special(float x) {
  if (x != x) return x;
  if (x == 0.0f) return -hm_inff();
  return x < 0.0f ? hm_nanf() : x;
}

HM_FUNCTION float __nv_logf(float x) {
  if (hm_log_is_special(x)) return hm_log_special(x);
  const hm_split32 s = hm_splitf(x, 0x3f2aaaabu);
  const float f = HM_ADDF(s.m, -1.0f);
  const float rest = hm_log1p_restf(f);
  const float e = (float)s.e;
  return HM_FMAF(e, 0.693147182f, HM_ADDF(f, HM_FMAF(e, -1.90465421e-09f, rest)));
}
// log(x) * (high + low) + e * unit, for logarithms of another base.
HM_HELPER float hm_log_base(float x, float high, float low, float unit_high, float unit_low) {
  const hm_split32 s = hm_splitf(x, 0x3f2aaaabu);
  const float f = HM_ADDF(s.m, -1.0f);
  const float rest = hm_log1p_restf(f);
  const float e = (float)s.e;
  const float a = HM_MULF(f, high);
  const float b = HM_FMAF(rest, high, HM_FMAF(f, low, HM_FMAF(f, high, -a)));
  const float sum = HM_FMAF(e, unit_high, a);
  const float lost = s.e == 0 ? 0.0f : HM_ADDF(a, -HM_FMAF(-e, unit_high, sum));
  return HM_ADDF(sum, HM_ADDF(HM_FMAF(e, unit_low, b), lost));
}
HM_FUNCTION float __nv_log2f(float x) {
  if (hm_log_is_special(x)) return hm_log_special(x);
  return hm_log_base(x, 1.44269502f, 1.92596303e-08f, 1.0f, 0.0f);
}
HM_FUNCTION float __nv_log10f(float x) {
  if (hm_log_is_special(x)) return hm_log_special(x);
  return hm_log_base(x, 0.434294492f, -1.010305e-08f, 0.30103001f, -1.43209888e-08f);
}
HM_FUNCTION float __nv_log1pf(float x) {
  if (!(x > -1.0f && x < hm_inff())) return x == -1.0f ? -hm_inff() : (x < -1.0f ? hm_nanf() : x);
  if (hm_absf(x) < 2.98023224e-08f) return x;
  const float u = HM_ADDF(1.0f, x);
  const int e = (int)(hm_bits(u) - 0x3f2aaaabu) >> 23;
  // (1 + x) 2^-e - 1 without the rounding of 1 + x.
  const float scale = hm_pow2f(-(e > 126 ? 126 : e));
  const float last = e > 126 ? hm_pow2f(126 - e) : 1.0f;
  const float f = HM_FMAF(HM_MULF(x, scale), last, HM_FMAF(scale, last, -1.0f));
  const float lost = HM_FMAF(HM_MULF(x, scale), last, -HM_ADDF(f, -HM_FMAF(scale, last, -1.0f)));
  const float rest = HM_FMAF(lost, HM_ADDF(1.0f, -f), hm_log1p_restf(f));
  const float n = (float)e;
  return HM_FMAF(n, 0.693147182f, HM_ADDF(f, HM_FMAF(n, -1.90465421e-09f, rest)));
}

struct hm_pair32 {
  float high, low;
};

// log2(x) in two floats, for x > 0.
HM_HELPER hm_pair32 hm_log2_pairf(float x) {
  const hm_split32 s = hm_splitf(x, 0x3f3504f3u);
  const float below = HM_ADDF(s.m, -1.0f), above = HM_ADDF(s.m, 1.0f);
  const float above_low = HM_ADDF(s.m, -HM_ADDF(above, -1.0f));
  const float inverse = 1.0f / above;
  const float q = HM_MULF(below, inverse);
  const float left = HM_FMAF(-q, above_low, HM_FMAF(-q, above, below));
  const float q_low = HM_MULF(left, inverse);
  // log(m) = 2q + q^3 (2/3 + ...)
  const float z = HM_MULF(q, q);
  const float high = 2.0f * q;
  const float low = HM_FMAF(HM_MULF(z, q), HM_P_ATANHF(z), HM_FMAF(2.0f * q_low, z, 2.0f * q_low));
  const float a = HM_MULF(high, 1.44269502f);
  const float b = HM_FMAF(low, 1.44269502f, HM_FMAF(high, 1.92596303e-08f, HM_FMAF(high, 1.44269502f, -a)));
  const float e = (float)s.e;
  const float sum = HM_ADDF(e, a);
  const float rest = HM_ADDF(b, s.e == 0 ? 0.0f : HM_ADDF(a, -HM_ADDF(sum, -e)));
  const float top = HM_ADDF(sum, rest);
  return hm_pair32{top, HM_ADDF(rest, -HM_ADDF(top, -sum))};
}
// |x|^y for finite, positive |x|.
HM_HELPER float hm_powf(float x, float y) {
  const hm_pair32 log2 = hm_log2_pairf(x);
  const float high = HM_MULF(y, log2.high);
  float low = HM_FMAF(y, log2.low, HM_FMAF(y, log2.high, -high));
  if (high > 129.0f) return hm_inff();
  if (high < -152.0f) return 0.0f;
  const float n = __builtin_rintf(high);
  const float r = HM_ADDF(HM_ADDF(high, -n), low);
  return hm_scalef(HM_FMAF(HM_P_EXP2F(r), r, 1.0f), (int)n);
}
HM_HELPER bool hm_is_odd(float y) {
  const float a = hm_absf(y);
  return a < 16777216.0f && __builtin_truncf(a) == a && ((int)a & 1) != 0;
}
HM_FUNCTION float __nv_powf(float x, float y) {
  if (x == 1.0f || y == 0.0f) return 1.0f;
  if (x != x || y != y) return x + y;
  const float a = hm_absf(x);
  const bool negates = (hm_bits(x) >> 31) != 0 && hm_is_odd(y);
  if (hm_absf(y) == hm_inff()) {
    if (a == 1.0f) return 1.0f;
    return (a > 1.0f) == (y > 0.0f) ? hm_inff() : 0.0f;
  }
  float result;
  if (a == 0.0f || a == hm_inff()) {
    result = (a == 0.0f) == (y > 0.0f) ? 0.0f : hm_inff();
  } else {
    if (x < 0.0f && __builtin_truncf(y) != y) return hm_nanf();
    result = hm_powf(a, y);
  }
  return negates ? -result : result;
}
HM_FUNCTION float __nv_powif(float x, int n) { return __nv_powf(x, (float)n); }

HM_FUNCTION float __nv_sqrtf(float x) { return HM_SQRTF(x); }
HM_FUNCTION float __nv_rsqrtf(float x) { return HM_RSQRTF(x); }
HM_FUNCTION float __nv_cbrtf(float x) {
  if (x == 0.0f || !(hm_absf(x) < hm_inff())) return x;
  const bool is_tiny = hm_absf(x) < 1.17549435e-38f;
  const float a = is_tiny ? HM_MULF(hm_absf(x), 16777216.0f) : hm_absf(x);
  float r = HM_EX2F(HM_MULF(HM_LG2F(a), 0.333333343f));
  // Newton's step, with the residue in two floats
  for (int i = 0; i < 2; ++i) {
    const float square = HM_MULF(r, r);
    const float square_low = HM_FMAF(r, r, -square);
    const float residue = HM_FMAF(-square_low, r, HM_FMAF(-square, r, a));
    r = HM_FMAF(residue, 0.333333343f / square, r);
  }
  return hm_signed(is_tiny ? HM_MULF(r, 0.00390625f) : r, x);
}
HM_FUNCTION float __nv_rcbrtf(float x) {
  const double y = (double)__nv_cbrtf(x);
  if (x == 0.0f || !(hm_absf(x) < hm_inff())) return (float)(1.0 / y);
  const double residue = HM_FMA(-y * y, y, (double)x);
  return (float)(1.0 / (y + residue / (3.0 * y * y)));
}
HM_FUNCTION float __nv_hypotf(float x, float y) {
  const float a = hm_absf(x), b = hm_absf(y);
  if (a == hm_inff() || b == hm_inff()) return hm_inff();
  const float large = a > b ? a : b, small = a > b ? b : a;
  if (x != x || y != y) return x + y;
  if (large == 0.0f) return 0.0f;
  const int e = (int)(hm_bits(large) >> 23) - 127;
  const int n = e < -100 ? -100 : (e > 126 ? 126 : e);
  const float u = HM_MULF(large, hm_pow2f(-n)), v = HM_MULF(small, hm_pow2f(-n));
  return HM_MULF(HM_SQRTF(HM_FMAF(u, u, HM_MULF(v, v))), hm_pow2f(n));
}

// atan of t in 0 to 1
HM_HELPER float hm_atan_kernelf(float t) {
  const float z = HM_MULF(t, t);
  return HM_FMAF(HM_MULF(HM_P_ATANF(z), z), t, t);
}
HM_FUNCTION float __nv_atanf(float x) {
  const float a = hm_absf(x);
  const bool is_large = a > 1.0f;
  const float v = hm_atan_kernelf(is_large ? 1.0f / a : a);
  const float result = is_large ? HM_ADDF(1.57079637f, HM_ADDF(-v, -4.37113883e-08f)) : v;
  return x != x ? x : hm_signed(result, x);
}
HM_FUNCTION float __nv_atan2f(float y, float x) {
  if (x != x || y != y) return x + y;
  const float a = hm_absf(x), b = hm_absf(y);
  const float large = a > b ? a : b, small = a > b ? b : a;
  float v;
  if (large == 0.0f) {
    v = 0.0f;
  } else if (small == hm_inff()) {
    v = 0.785398185f;
  } else {
    v = hm_atan_kernelf(small / large);
    if (b > a) v = HM_ADDF(1.57079637f, HM_ADDF(-v, -4.37113883e-08f));
  }
  if (b > a && (large == hm_inff())) v = small == hm_inff() ? 0.785398185f : 1.57079637f;
  if ((hm_bits(x) >> 31) != 0) v = HM_ADDF(3.14159274f, HM_ADDF(-v, -8.74227766e-08f));
  return hm_signed(v, y);
}
HM_HELPER float hm_asin_kernelf(float t, float z) { return HM_FMAF(HM_MULF(HM_P_ASINF(z), z), t, t); }
HM_FUNCTION float __nv_asinf(float x) {
  const float a = hm_absf(x);
  if (!(a <= 1.0f)) return x != x ? x : hm_nanf();
  if (a <= 0.575f) return x == 0.0f ? x : hm_asin_kernelf(x, HM_MULF(x, x));
  const float z = HM_FMAF(a, -0.5f, 0.5f);
  const float v = hm_asin_kernelf(HM_SQRTF(z), z);
  return hm_signed(HM_ADDF(1.57079637f, HM_FMAF(v, -2.0f, -4.37113883e-08f)), x);
}
HM_FUNCTION float __nv_acosf(float x) {
  const float a = hm_absf(x);
  if (!(a <= 1.0f)) return x != x ? x : hm_nanf();
  if (a <= 0.5f) {
    const float v = hm_asin_kernelf(x, HM_MULF(x, x));
    return HM_ADDF(1.57079637f, HM_ADDF(-v, -4.37113883e-08f));
  }
  const float z = HM_FMAF(a, -0.5f, 0.5f);
  const float v = 2.0f * hm_asin_kernelf(HM_SQRTF(z), z);
  return x < 0.0f ? HM_ADDF(3.14159274f, HM_ADDF(-v, -8.74227766e-08f)) : v;
}

HM_FUNCTION float __nv_sinhf(float x) {
  const float a = hm_absf(x);
  if (!(a < hm_inff()) || x == 0.0f) return x;
  if (a < 1.0f) {
    const float z = HM_MULF(x, x);
    return HM_FMAF(HM_MULF(HM_P_SINHF(z), z), x, x);
  }
  const float e = hm_expf(a, -0.693147182f);  // half of e^a
  return hm_signed(a > 20.0f ? e : HM_ADDF(e, -0.25f / e), x);
}
HM_FUNCTION float __nv_coshf(float x) {
  const float a = hm_absf(x);
  if (x != x) return x;
  const float e = hm_expf(a, -0.693147182f);
  return a > 20.0f ? e : HM_ADDF(e, 0.25f / e);
}
HM_FUNCTION float __nv_tanhf(float x) {
  const float a = hm_absf(x);
  if (x != x) return x;
  if (a < 0.55f) {
    const float z = HM_MULF(x, x);
    return x == 0.0f ? x : HM_FMAF(HM_MULF(HM_P_TANHF(z), z), x, x);
  }
  const float e = hm_expf(a > 10.0f ? 20.0f : 2.0f * a, 0.0f);
  return hm_signed(HM_FMAF(-2.0f, 1.0f / HM_ADDF(e, 1.0f), 1.0f), x);
}
HM_FUNCTION float __nv_asinhf(float x) {
  const float a = hm_absf(x);
  if (!(a < hm_inff()) || x == 0.0f) return x;
  if (a > 8388608.0f) return hm_signed(HM_ADDF(__nv_logf(a), 0.693147182f), x);
  const float square = HM_MULF(a, a);
  return hm_signed(__nv_log1pf(HM_ADDF(a, square / HM_ADDF(1.0f, HM_SQRTF(HM_ADDF(1.0f, square))))), x);
}
HM_FUNCTION float __nv_acoshf(float x) {
  if (!(x >= 1.0f)) return x != x ? x : hm_nanf();
  if (x > 8388608.0f) return HM_ADDF(__nv_logf(x), x == hm_inff() ? 0.0f : 0.693147182f);
  const float t = HM_ADDF(x, -1.0f);
  return __nv_log1pf(HM_ADDF(t, HM_SQRTF(HM_FMAF(t, t, 2.0f * t))));
}
HM_FUNCTION float __nv_atanhf(float x) {
  const float a = hm_absf(x);
  if (!(a <= 1.0f)) return x != x ? x : hm_nanf();
  if (x == 0.0f) return x;
  return hm_signed(0.5f * __nv_log1pf(2.0f * a / HM_ADDF(1.0f, -a)), x);
}

HM_FUNCTION float __nv_erff(float x) {
  const float a = hm_absf(x);
  if (x != x) return x;
  if (a < 1.0f) {
    const float z = HM_MULF(x, x);
    return HM_FMAF(HM_P_ERFF(z), x, x);
  }
  const float t = HM_ADDF(a > 4.0f ? 4.0f : a, -2.5f);
  return hm_signed(HM_ADDF(1.0f, -hm_expf(-(HM_P_ERFTAILF(t)), 0.0f)), x);
}
// e^(x^2) erfc(x) for x >= 0
HM_HELPER float hm_erfcxf(float x) {
  const float t = HM_ADDF(x, -4.0f) / HM_ADDF(x, 4.0f);
  const float p = x > 1e30f ? 1.12837917f : HM_P_ERFCXF(t);
  return p / HM_FMAF(2.0f, x, 1.0f);
}
HM_FUNCTION float __nv_erfcf(float x) {
  if (x != x) return x;
  const float a = hm_absf(x);
  if (a < 0.5f) return HM_ADDF(1.0f, -__nv_erff(x));
  const float bounded = a > 10.5f ? 10.5f : a;
  const float square = HM_MULF(bounded, bounded);
  const float e = hm_expf(-square, -HM_FMAF(bounded, bounded, -square));
  const float v = HM_MULF(e, hm_erfcxf(bounded));
  return x < 0.0f ? HM_ADDF(2.0f, -v) : v;
}

#endif
