// Elementary functions in double precision. Errors are within those that CUDA's programming guide documents.
#ifndef HEDDLE_MATH_DOUBLE_H
#define HEDDLE_MATH_DOUBLE_H

#include "__heddle_math_base.h"

// 2/pi in binary, behind 64 zeros.
HM_TABLE hm_u64 hm_two_over_pi64[20] = {
    0ull,
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};

struct hm_pair {
  double high, low;
};
struct hm_angle64 {
  double r, low;  // |r + low| <= pi/4
  int quadrant;
};

HM_HELPER hm_pair hm_fast_sum(double a, double b) {  // |a| >= |b|
  const double s = HM_ADD(a, b);
  return hm_pair{s, HM_ADD(b, -HM_ADD(s, -a))};
}
HM_HELPER hm_pair hm_sum(double a, double b) {
  const double s = HM_ADD(a, b);
  const double bb = HM_ADD(s, -a);
  return hm_pair{s, HM_ADD(HM_ADD(a, -HM_ADD(s, -bb)), HM_ADD(b, -bb))};
}
HM_HELPER hm_pair hm_product(double a, double b) {
  const double p = HM_MUL(a, b);
  return hm_pair{p, HM_FMA(a, b, -p)};
}

// Payne and Hanek's reduction: only those bits of 2/pi are multiplied that leave a fraction of a turn.
HM_SLOW hm_angle64 hm_reduce_large(double x) {
  const hm_u64 bits = hm_bits64(x);
  const int e = (int)((bits >> 52) & 2047u) - 1023;
  const hm_u64 m = ((bits & 0xfffffffffffffull) | 0x10000000000000ull) << 11;
  const int first = e - 64 + 63;
  const int word = first >> 6;
  const int shift = first & 63;
  hm_u64 h[3];
  for (int i = 0; i < 3; ++i) {
    const hm_u64 left = hm_two_over_pi64[word + i], right = hm_two_over_pi64[word + i + 1];
    h[i] = shift == 0 ? left : (left << shift) | (right >> (64 - shift));
  }
  const hm_u128 low = (hm_u128)m * h[2];
  const hm_u128 middle = (hm_u128)m * h[1] + (hm_u64)(low >> 64);
  const hm_u64 high = m * h[0] + (hm_u64)(middle >> 64);
  int quadrant = (int)(high >> 62);
  hm_u64 top = (high << 2) | ((hm_u64)middle >> 62);
  hm_u64 rest = ((hm_u64)middle << 2) | ((hm_u64)low >> 62);
  const bool is_negative = (top >> 63) != 0;
  if (is_negative) {
    ++quadrant;
    rest = ~rest + 1;
    top = ~top + (rest == 0 ? 1 : 0);
  }
  const int zeros = top == 0 ? 64 : __builtin_clzll(top);
  const hm_u64 left = zeros == 0 ? top : (zeros == 64 ? rest : (top << zeros) | (rest >> (64 - zeros)));
  const hm_u64 right = zeros == 64 ? 0 : rest << zeros;
  const double scale = hm_pow2(-64 - zeros);
  const double a = (double)(left >> 11 << 11) * scale;
  const double b = ((double)(left & 2047u) + (double)(right >> 11) * 1.1102230246251565e-16) * scale;
  // times pi/2
  const hm_pair p = hm_product(a, 1.5707963267948966);
  const double p_low = HM_FMA(b, 1.5707963267948966, HM_FMA(a, 6.123233995736766e-17, p.low));
  hm_pair r = hm_fast_sum(p.high, p_low);
  if (is_negative != ((bits >> 63) != 0)) r = hm_pair{-r.high, -r.low};
  return hm_angle64{r.high, r.low, (bits >> 63) != 0 ? -quadrant : quadrant};
}

HM_HELPER hm_angle64 hm_reduce(double x) {
  if (hm_abs(x) > 105615.0) {
    if (hm_abs(x) == hm_inf()) return hm_angle64{hm_nan(), 0.0, 0};
    return hm_reduce_large(x);
  }
  // pi/2 in parts of 33 bits, of which the products with q are exact
  const double q = __builtin_rint(HM_MUL(x, 0.63661977236758134));
  const double r1 = HM_FMA(q, -1.57079632673412561417e+00, x);
  const double w = HM_MUL(q, 6.07710050630396597660e-11);
  const hm_pair s = hm_sum(r1, -w);
  const double low = HM_FMA(q, -2.02226624879595063154e-21, s.low);
  const hm_pair r = hm_fast_sum(s.high, low);
  return hm_angle64{r.high, r.low, (int)q};
}

HM_HELPER double hm_sin_kernel(double r, double low) {
  const double z = HM_MUL(r, r);
  return HM_ADD(r, HM_FMA(HM_MUL(HM_P_SIN(z), z), r, HM_FMA(low, HM_MUL(-0.5, z), low)));
}
HM_HELPER double hm_cos_kernel(double r, double low) {
  const double z = HM_MUL(r, r);
  const double half = HM_MUL(0.5, z), first = HM_ADD(1.0, -half);
  const double rest = HM_FMA(HM_MUL(z, z), HM_P_COS4(z), HM_MUL(-r, low));
  return HM_ADD(first, HM_ADD(HM_ADD(HM_ADD(1.0, -first), -half), rest));
}
HM_HELPER double hm_sin_of64(hm_angle64 a) {
  const double v = (a.quadrant & 1) != 0 ? hm_cos_kernel(a.r, a.low) : hm_sin_kernel(a.r, a.low);
  return (a.quadrant & 2) != 0 ? -v : v;
}
HM_FUNCTION double __nv_sin(double x) { return x == 0.0 ? x : hm_sin_of64(hm_reduce(x)); }
HM_FUNCTION double __nv_cos(double x) {
  hm_angle64 a = hm_reduce(x);
  ++a.quadrant;
  return hm_sin_of64(a);
}
HM_FUNCTION void __nv_sincos(double x, double* s, double* c) {
  hm_angle64 a = hm_reduce(x);
  *s = x == 0.0 ? x : hm_sin_of64(a);
  ++a.quadrant;
  *c = hm_sin_of64(a);
}
HM_FUNCTION double __nv_tan(double x) {
  if (x == 0.0) return x;
  const hm_angle64 a = hm_reduce(x);
  const double z = HM_MUL(a.r, a.r);
  // tan(r + low) = tan r + low (1 + tan^2 r), in two doubles, since the quotient needs more than one
  const double rest = HM_MUL(HM_MUL(HM_P_TAN(z), z), a.r);
  const double t = HM_ADD(a.r, rest);
  const hm_pair sum = hm_fast_sum(a.r, HM_ADD(rest, HM_FMA(HM_MUL(t, t), a.low, a.low)));
  if ((a.quadrant & 1) == 0) return sum.high;
  const double q = -1.0 / sum.high;
  const double left = HM_FMA(q, sum.high, 1.0);  // of -1 - q * sum, negated
  return HM_FMA(HM_FMA(q, sum.low, left), q, q);
}

HM_HELPER double hm_sin_pi(double x, int quarter) {
  if (!(hm_abs(x) < hm_inf())) return hm_nan();
  double t = x;
  int q = quarter;
  if (hm_abs(x) > 0.25) {
    const double turns = HM_MUL(x, 0.5);
    const double f = HM_MUL(HM_ADD(turns, -__builtin_trunc(turns)), 2.0);
    const double halves = __builtin_rint(HM_MUL(f, 2.0));
    t = HM_FMA(halves, -0.5, f);
    q += (int)halves;
  }
  const double r = HM_FMA(t, 3.1415926535897931, HM_MUL(t, 1.2246467991473532e-16));
  const double low = HM_FMA(t, 1.2246467991473532e-16, HM_FMA(t, 3.1415926535897931, -r));
  return hm_sin_of64(hm_angle64{r, low, q});
}
HM_FUNCTION double __nv_sinpi(double x) {
  return x == __builtin_trunc(x) && hm_abs(x) < hm_inf() ? HM_MUL(x, 0.0) : hm_sin_pi(x, 0);
}
HM_FUNCTION double __nv_cospi(double x) { return HM_ADD(hm_sin_pi(x, 1), 0.0); }
HM_FUNCTION void __nv_sincospi(double x, double* s, double* c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}

// e^(r + low) * 2^n for |r| up to ln2 / 2
HM_HELPER double hm_exp_kernel(double r, double low, int n) {
  const double p = HM_ADD(1.0, HM_ADD(r, HM_FMA(HM_P_EXP(r), HM_MUL(r, r), low)));
  return hm_scale(p, n);
}
// x - n ln2, with ln2 in parts of which the product with the first is exact
HM_HELPER hm_pair hm_less_ln2(double x, double n) {
  const double first = HM_FMA(n, -6.93147180369123816490e-01, x);
  return hm_fast_sum(first, HM_MUL(n, -1.90821492927058770002e-10));
}
HM_HELPER double hm_exp_pair(double x, double low) {
  const double bounded = x > 711.0 ? 711.0 : (x < -746.0 ? -746.0 : x);
  const double n = __builtin_rint(HM_MUL(bounded, 1.4426950408889634));
  const hm_pair less = hm_less_ln2(bounded, n);
  const hm_pair r = hm_sum(less.high, HM_ADD(less.low, low));
  return hm_exp_kernel(r.high, r.low, (int)n);
}
HM_FUNCTION double __nv_exp(double x) { return x != x ? x : hm_exp_pair(x, 0.0); }
HM_FUNCTION double __nv_exp2(double x) {
  if (x != x) return x;
  const double bounded = x > 1025.0 ? 1025.0 : (x < -1076.0 ? -1076.0 : x);
  const double n = __builtin_rint(bounded);
  const hm_pair r = hm_product(HM_ADD(bounded, -n), 0.69314718055994529);
  return hm_exp_kernel(r.high, HM_FMA(HM_ADD(bounded, -n), 2.3190468138462996e-17, r.low), (int)n);
}
HM_FUNCTION double __nv_exp10(double x) {
  if (x != x) return x;
  const double bounded = x > 310.0 ? 310.0 : (x < -325.0 ? -325.0 : x);
  const double n = __builtin_rint(HM_MUL(bounded, 3.3219280948873622));
  // in powers of ten, with log10(2) in parts of which the product with the first is exact
  const hm_pair t = hm_fast_sum(HM_FMA(n, -0.30102999566406652, bounded), HM_MUL(n, 8.5323443170571066e-14));
  const hm_pair r = hm_product(t.high, 2.3025850929940459);
  const double low = HM_FMA(t.high, -2.1707562233822494e-16, HM_FMA(t.low, 2.3025850929940459, r.low));
  return hm_exp_kernel(r.high, low, (int)n);
}
HM_FUNCTION double __nv_expm1(double x) {
  if (x != x || x == 0.0) return x;
  const double bounded = x > 711.0 ? 711.0 : (x < -50.0 ? -50.0 : x);
  const double n = x > -0.3 && x < 0.56 ? 0.0 : __builtin_rint(HM_MUL(bounded, 1.4426950408889634));
  const hm_pair r = hm_less_ln2(bounded, n);
  const double p = HM_ADD(r.high, HM_FMA(HM_P_EXPM1(r.high), HM_MUL(r.high, r.high), r.low));
  const int whole = (int)n;
  const double scale = hm_pow2(whole > 1023 ? 1023 : whole);
  const double one = whole > 1023 ? -hm_pow2(1023 - whole) : -1.0;
  const double result = whole > 12 ? HM_ADD(scale, HM_FMA(p, scale, one)) : HM_FMA(p, scale, HM_ADD(scale, one));
  return whole > 1023 ? HM_MUL(result, hm_pow2(whole - 1023)) : result;
}

HM_HELPER bool hm_log_is_special64(double x) { return !(x > 0.0 && x < hm_inf()); }
HM_HELPER double hm_log_special64(double x) {
  if (x != x) return x;
  if (x == 0.0) return -hm_inf();
  return x < 0.0 ? hm_nan() : x;
}
// log(1 + f) - f, for 1 + f about 1: with s = f / (2 + f) it is s (f^2/2 + s^2 R(s^2)) - f^2/2.
HM_HELPER double hm_log1p_rest(double f) {
  const double s = f / HM_ADD(2.0, f);
  const double z = HM_MUL(s, s);
  const double half = HM_MUL(HM_MUL(0.5, f), f);
  return HM_FMA(s, HM_FMA(z, HM_P_ATANH(z), half), -half);
}
HM_FUNCTION double __nv_log(double x) {
  if (hm_log_is_special64(x)) return hm_log_special64(x);
  const hm_split64 s = hm_split(x, 0x3fe6a09eu);
  const double f = HM_ADD(s.m, -1.0);
  const double e = (double)s.e;
  return HM_FMA(e, 0.69314718055994529, HM_ADD(f, HM_FMA(e, 2.3190468138462996e-17, hm_log1p_rest(f))));
}

// log(x) in two doubles, for x > 0, for powers and logarithms of other bases.
HM_HELPER hm_pair hm_log_mantissa(double m) {
  const double below = HM_ADD(m, -1.0);
  const hm_pair above = hm_fast_sum(1.0 > m ? 1.0 : m, 1.0 > m ? m : 1.0);
  const double inverse = 1.0 / above.high;
  const double q = HM_MUL(below, inverse);
  const double q_low = HM_MUL(HM_FMA(-q, above.low, HM_FMA(-q, above.high, below)), inverse);
  // log(m) = 2q + 2/3 q^3 + q^5 R(q^2)
  const hm_pair z = hm_product(q, q);
  const double z_low = HM_FMA(2.0 * q, q_low, z.low);
  const hm_pair cube = hm_product(z.high, q);
  const double cube_low = HM_FMA(z_low, q, HM_FMA(z.high, q_low, cube.low));
  const hm_pair term = hm_product(cube.high, 0.66666666666666663);
  const double term_low = HM_FMA(cube_low, 0.66666666666666663, HM_FMA(cube.high, 3.7007434154171883e-17, term.low));
  const double rest = HM_MUL(HM_MUL(cube.high, z.high), HM_P_ATANH5(z.high));
  const hm_pair tail = hm_fast_sum(term.high, HM_ADD(term_low, rest));
  const hm_pair sum = hm_fast_sum(2.0 * q, tail.high);
  return hm_fast_sum(sum.high, HM_ADD(sum.low, HM_FMA(2.0, q_low, tail.low)));
}
HM_HELPER hm_pair hm_times(hm_pair a, double high, double low) {
  const hm_pair p = hm_product(a.high, high);
  return hm_fast_sum(p.high, HM_FMA(a.low, high, HM_FMA(a.high, low, p.low)));
}
HM_HELPER hm_pair hm_log2_pair(double x) {
  const hm_split64 s = hm_split(x, 0x3fe6a09eu);
  const hm_pair l = hm_times(hm_log_mantissa(s.m), 1.4426950408889634, 2.0355273740931033e-17);
  const hm_pair sum = hm_sum((double)s.e, l.high);
  return hm_fast_sum(sum.high, HM_ADD(sum.low, l.low));
}
HM_FUNCTION double __nv_log2(double x) {
  if (hm_log_is_special64(x)) return hm_log_special64(x);
  return hm_log2_pair(x).high;
}
HM_FUNCTION double __nv_log10(double x) {
  if (hm_log_is_special64(x)) return hm_log_special64(x);
  return hm_times(hm_log2_pair(x), 0.3010299956639812, -2.8037281277851704e-18).high;
}
HM_FUNCTION double __nv_log1p(double x) {
  if (!(x > -1.0 && x < hm_inf())) return x == -1.0 ? -hm_inf() : (x < -1.0 ? hm_nan() : x);
  if (hm_abs(x) < 5.5511151231257827e-17) return x;
  const double u = HM_ADD(1.0, x);
  const int e = (int)((unsigned int)(hm_bits64(u) >> 32) - 0x3fe6a09eu) >> 20;
  const double scale = hm_pow2(-(e > 1022 ? 1022 : e));
  const double last = e > 1022 ? hm_pow2(1022 - e) : 1.0;
  const double one = HM_FMA(scale, last, -1.0);
  const double part = HM_MUL(HM_MUL(x, scale), last);
  const hm_pair f = hm_sum(part, one);
  const double rest = HM_FMA(f.low, HM_ADD(1.0, -f.high), hm_log1p_rest(f.high));
  const double n = (double)e;
  return HM_FMA(n, 0.69314718055994529, HM_ADD(f.high, HM_FMA(n, 2.3190468138462996e-17, rest)));
}

HM_HELPER double hm_pow_positive(double x, double y) {
  const hm_pair l = hm_log2_pair(x);
  const double high = HM_MUL(y, l.high);
  if (high > 1025.0) return hm_inf();
  if (high < -1080.0) return 0.0;
  if (hm_abs(high) < 1e-300) return 1.0;
  const double low = HM_FMA(y, l.low, HM_FMA(y, l.high, -high));
  const double n = __builtin_rint(high);
  const hm_pair t = hm_sum(HM_ADD(high, -n), low);
  const hm_pair r = hm_product(t.high, 0.69314718055994529);
  return hm_exp_kernel(r.high, HM_FMA(t.low, 0.69314718055994529, HM_FMA(t.high, 2.3190468138462996e-17, r.low)),
                       (int)n);
}
HM_HELPER bool hm_is_odd64(double y) {
  const double a = hm_abs(y);
  return a < 9007199254740992.0 && __builtin_trunc(a) == a && ((hm_u64)a & 1u) != 0;
}
HM_FUNCTION double __nv_pow(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (x != x || y != y) return x + y;
  const double a = hm_abs(x);
  if (hm_abs(y) == hm_inf()) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == (y > 0.0) ? hm_inf() : 0.0;
  }
  const bool negates = (hm_bits64(x) >> 63) != 0 && hm_is_odd64(y);
  double result;
  if (a == 0.0 || a == hm_inf()) {
    result = (a == 0.0) == (y > 0.0) ? 0.0 : hm_inf();
  } else {
    if (x < 0.0 && __builtin_trunc(y) != y) return hm_nan();
    result = hm_pow_positive(a, y);
  }
  return negates ? -result : result;
}
HM_FUNCTION double __nv_powi(double x, int n) { return __nv_pow(x, (double)n); }

HM_FUNCTION double __nv_sqrt(double x) { return HM_SQRT(x); }
HM_FUNCTION double __nv_rsqrt(double x) {
  if (!(x > 0.0 && x < hm_inf())) return x == hm_inf() ? 0.0 : (x == 0.0 ? hm_signed64(hm_inf(), x) : hm_nan());
  const bool is_tiny = x < 2.2250738585072014e-308;
  const double a = is_tiny ? HM_MUL(x, 18014398509481984.0) : x;
  double r = HM_RSQRT(a);
  for (int i = 0; i < 2; ++i) {  // 1/sqrt(1 - e) = 1 + e/2 + 3/8 e^2
    const hm_pair h = hm_product(a, r);
    const double e = HM_FMA(-h.low, r, HM_FMA(-h.high, r, 1.0));
    r = HM_FMA(HM_MUL(r, e), HM_FMA(e, 0.375, 0.5), r);
  }
  return is_tiny ? HM_MUL(r, 134217728.0) : r;
}
HM_FUNCTION double __nv_cbrt(double x) {
  if (x == 0.0 || !(hm_abs(x) < hm_inf())) return x;
  const hm_split64 s = hm_split(hm_abs(x), 0x3ff00000u);
  const int third = (s.e + 3072) / 3 - 1024;
  const double a = HM_MUL(s.m, hm_pow2(s.e - 3 * third));  // 1 to 8
  double r = (double)HM_EX2F(HM_MULF(HM_LG2F((float)a), 0.333333343f));
  for (int i = 0; i < 2; ++i) {
    const hm_pair square = hm_product(r, r);
    const double residue = HM_FMA(-square.low, r, HM_FMA(-square.high, r, a));
    r = HM_ADD(r, residue / (3.0 * square.high));
  }
  return hm_signed64(HM_MUL(r, hm_pow2(third)), x);
}
HM_FUNCTION double __nv_rcbrt(double x) {
  if (x == 0.0 || !(hm_abs(x) < hm_inf())) return 1.0 / x;
  const hm_split64 s = hm_split(hm_abs(x), 0x3ff00000u);
  const int third = (s.e + 3072) / 3 - 1024;
  const double a = HM_MUL(s.m, hm_pow2(s.e - 3 * third));
  double q = 1.0 / __nv_cbrt(a);
  // one step for a^(-1/3), whose residue is 1 - a q^3
  const hm_pair square = hm_product(q, q);
  const hm_pair cube = hm_product(square.high, q);
  const double residue = HM_FMA(-a, HM_FMA(square.low, q, cube.low), HM_FMA(-a, cube.high, 1.0));
  q = HM_FMA(HM_MUL(q, residue), 0.33333333333333331, q);
  return hm_signed64(HM_MUL(q, hm_pow2(-third)), x);
}
HM_FUNCTION double __nv_hypot(double x, double y) {
  const double a = hm_abs(x), b = hm_abs(y);
  if (a == hm_inf() || b == hm_inf()) return hm_inf();
  if (x != x || y != y) return x + y;
  const double large = a > b ? a : b, small = a > b ? b : a;
  if (large == 0.0) return 0.0;
  const int e = (int)(hm_bits64(large) >> 52) - 1023;
  const int n = e < -900 ? -900 : (e > 1022 ? 1022 : e);
  const double u = HM_MUL(large, hm_pow2(-n)), v = HM_MUL(small, hm_pow2(-n));
  return HM_MUL(HM_SQRT(HM_FMA(u, u, HM_MUL(v, v))), hm_pow2(n));
}

HM_HELPER double hm_atan_kernel(double t) {
  const double z = HM_MUL(t, t);
  return HM_FMA(HM_MUL(HM_P_ATAN(z), z), t, t);
}
HM_FUNCTION double __nv_atan(double x) {
  const double a = hm_abs(x);
  const bool is_large = a > 1.0;
  const double v = hm_atan_kernel(is_large ? 1.0 / a : a);
  const double result = is_large ? HM_ADD(1.5707963267948966, HM_ADD(-v, 6.123233995736766e-17)) : v;
  return x != x ? x : hm_signed64(result, x);
}
HM_FUNCTION double __nv_atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  const double a = hm_abs(x), b = hm_abs(y);
  const double large = a > b ? a : b, small = a > b ? b : a;
  double v;
  if (large == 0.0) {
    v = 0.0;
  } else if (small == hm_inf()) {
    v = 0.78539816339744828;
  } else {
    v = hm_atan_kernel(small / large);
    if (b > a) v = HM_ADD(1.5707963267948966, HM_ADD(-v, 6.123233995736766e-17));
  }
  if ((hm_bits64(x) >> 63) != 0) v = HM_ADD(3.1415926535897931, HM_ADD(-v, 1.2246467991473532e-16));
  return hm_signed64(v, y);
}
HM_HELPER double hm_asin_kernel(double t, double z) { return HM_FMA(HM_MUL(HM_P_ASIN(z), z), t, t); }
HM_FUNCTION double __nv_asin(double x) {
  const double a = hm_abs(x);
  if (!(a <= 1.0)) return x != x ? x : hm_nan();
  if (a <= 0.575) return x == 0.0 ? x : hm_asin_kernel(x, HM_MUL(x, x));
  const double z = HM_FMA(a, -0.5, 0.5);
  const double v = hm_asin_kernel(HM_SQRT(z), z);
  return hm_signed64(HM_ADD(1.5707963267948966, HM_FMA(v, -2.0, 6.123233995736766e-17)), x);
}
HM_FUNCTION double __nv_acos(double x) {
  const double a = hm_abs(x);
  if (!(a <= 1.0)) return x != x ? x : hm_nan();
  if (a <= 0.5) {
    const double v = hm_asin_kernel(x, HM_MUL(x, x));
    return HM_ADD(1.5707963267948966, HM_ADD(-v, 6.123233995736766e-17));
  }
  const double z = HM_FMA(a, -0.5, 0.5);
  const double v = 2.0 * hm_asin_kernel(HM_SQRT(z), z);
  return x < 0.0 ? HM_ADD(3.1415926535897931, HM_ADD(-v, 1.2246467991473532e-16)) : v;
}

#endif
