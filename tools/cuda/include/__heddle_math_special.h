// Hyperbolic functions, error and gamma functions, norms in double precision; and single precision by way of it where
// programs rarely ask. Errors are within those that CUDA's programming guide documents.
#ifndef HEDDLE_MATH_SPECIAL_H
#define HEDDLE_MATH_SPECIAL_H

#include "__heddle_math_double.h"
#include "__heddle_math_float.h"

// e^x / 2, which does not overflow before the result does.
HM_HELPER double hm_half_exp(double x) {
  const double bounded = x > 712.0 ? 712.0 : x;
  const double n = __builtin_rint(HM_MUL(bounded, 1.4426950408889634));
  const hm_pair r = hm_less_ln2(bounded, n);
  return hm_exp_kernel(r.high, r.low, (int)n - 1);
}
// e^x in two doubles, for x from 0 to 50
HM_HELPER hm_pair hm_exp_two(double x) {
  const double n = __builtin_rint(HM_MUL(x, 1.4426950408889634));
  const hm_pair r = hm_less_ln2(x, n);
  const hm_pair p = hm_fast_sum(1.0, r.high);
  const hm_pair e = hm_fast_sum(p.high, HM_ADD(p.low, HM_FMA(HM_P_EXP(r.high), HM_MUL(r.high, r.high), r.low)));
  const double scale = hm_pow2((int)n);
  return hm_pair{HM_MUL(e.high, scale), HM_MUL(e.low, scale)};
}
HM_FUNCTION double __nv_sinh(double x) {
  const double a = hm_abs(x);
  if (!(a < hm_inf()) || x == 0.0) return x;
  if (a < 1.0) {
    const double z = HM_MUL(x, x);
    return HM_FMA(HM_MUL(HM_P_SINH(z), z), x, x);
  }
  const double e = hm_half_exp(a);
  return hm_signed64(a > 25.0 ? e : HM_ADD(e, -0.25 / e), x);
}
HM_FUNCTION double __nv_cosh(double x) {
  const double a = hm_abs(x);
  if (x != x) return x;
  if (a > 25.0) return hm_half_exp(a);
  if (a < 0.56) {  // 1 + (e^a - 1)^2 / (2 e^a)
    const double m = __nv_expm1(a);
    return HM_ADD(1.0, HM_MUL(m, m) / HM_FMA(2.0, m, 2.0));
  }
  const hm_pair e = hm_exp_two(a);
  const hm_pair sum = hm_fast_sum(0.5 * e.high, 0.5 / e.high);
  return HM_ADD(sum.high, HM_FMA(0.5, e.low, sum.low));
}
HM_FUNCTION double __nv_tanh(double x) {
  const double a = hm_abs(x);
  if (x != x || x == 0.0) return x;
  if (a < 0.55) {
    const double z = HM_MUL(x, x);
    return HM_FMA(HM_MUL(HM_P_TANH(z), z), x, x);
  }
  // 1 - 2 / (e^2a + 1), with the quotient's rest
  const hm_pair e = hm_exp_two(a > 22.0 ? 44.0 : 2.0 * a);
  const hm_pair d = hm_fast_sum(e.high, 1.0);
  const double q = 2.0 / d.high;
  const double rest = HM_MUL(HM_FMA(-q, HM_ADD(d.low, e.low), HM_FMA(-q, d.high, 2.0)), 0.5 * q);
  const hm_pair sum = hm_fast_sum(1.0, -q);
  return hm_signed64(HM_ADD(sum.high, HM_ADD(sum.low, -rest)), x);
}
HM_FUNCTION double __nv_asinh(double x) {
  const double a = hm_abs(x);
  if (!(a < hm_inf()) || x == 0.0) return x;
  if (a > 4503599627370496.0) return hm_signed64(HM_ADD(__nv_log(a), 0.69314718055994529), x);
  const double square = HM_MUL(a, a);
  return hm_signed64(__nv_log1p(HM_ADD(a, square / HM_ADD(1.0, HM_SQRT(HM_ADD(1.0, square))))), x);
}
HM_FUNCTION double __nv_acosh(double x) {
  if (!(x >= 1.0)) return x != x ? x : hm_nan();
  if (x > 4503599627370496.0) return HM_ADD(__nv_log(x), 0.69314718055994529);
  const double t = HM_ADD(x, -1.0);
  return __nv_log1p(HM_ADD(t, HM_SQRT(HM_FMA(t, t, 2.0 * t))));
}
HM_FUNCTION double __nv_atanh(double x) {
  const double a = hm_abs(x);
  if (!(a <= 1.0)) return x != x ? x : hm_nan();
  if (x == 0.0) return x;
  return hm_signed64(0.5 * __nv_log1p(2.0 * a / HM_ADD(1.0, -a)), x);
}

// e^(x^2) erfc(x) for x >= 0. The function (1 + 2x) e^(x^2) erfc(x) of (x - 4) / (x + 4) is nearly constant
// (Shepherd and Laframboise, 1981).
HM_HELPER double hm_erfcx(double x) {
  if (x > 1e150) return 0.56418958354775628 / x;
  const double above = HM_ADD(x, 4.0), t = HM_ADD(x, -4.0) / above;
  // what the rounding of t costs, by the residue of the division
  return HM_P_ERFCX(t) / HM_FMA(2.0, x, 1.0);
}
HM_HELPER double hm_exp_minus_square(double x) {
  const hm_pair square = hm_product(x, x);
  return hm_exp_pair(-square.high, -square.low);
}
HM_FUNCTION double __nv_erf(double x) {
  const double a = hm_abs(x);
  if (x != x) return x;
  if (a < 1.0) {
    const double z = HM_MUL(x, x);
    return HM_FMA(HM_P_ERF(z), x, x);
  }
  const double bounded = a > 6.5 ? 6.5 : a;
  return hm_signed64(HM_ADD(1.0, -HM_MUL(hm_exp_minus_square(bounded), hm_erfcx(bounded))), x);
}
HM_FUNCTION double __nv_erfc(double x) {
  const double a = hm_abs(x);
  if (x != x) return x;
  if (a < 0.5) return HM_ADD(1.0, -__nv_erf(x));
  const double bounded = a > 28.0 ? 28.0 : a;
  const double v = HM_MUL(hm_exp_minus_square(bounded), hm_erfcx(bounded));
  return x < 0.0 ? HM_ADD(2.0, -v) : v;
}
HM_FUNCTION double __nv_erfcx(double x) {
  if (x != x) return x;
  if (hm_abs(x) < 0.5) return HM_MUL(__nv_exp(HM_MUL(x, x)), __nv_erfc(x));
  if (x >= 0.0) return hm_erfcx(x);
  if (x < -27.0) return hm_inf();
  const hm_pair square = hm_product(x, x);
  return HM_FMA(2.0, hm_exp_pair(square.high, square.low), -hm_erfcx(-x));
}
HM_FUNCTION double __nv_normcdf(double x) {
  if (x != x) return x;
  const double bounded = x > 39.0 ? 39.0 : (x < -39.0 ? -39.0 : x);
  // -x / sqrt(2) in two doubles: erfc(a + b) = erfc(a) - 2/sqrt(pi) e^(-a^2) b
  const double a = HM_MUL(bounded, -0.70710678118654757);
  const double b = HM_FMA(bounded, 4.8336466567264567e-17, HM_FMA(bounded, -0.70710678118654757, -a));
  return 0.5 * HM_FMA(HM_MUL(-1.1283791670955126, hm_exp_minus_square(a)), b, __nv_erfc(a));
}

// The inverse of erfc for p from 0 to 1, by Newton's steps on its logarithm.
HM_HELPER double hm_erfc_inverse(double p) {
  double x;
  if (p > 0.1) {
    const double t = HM_ADD(1.0, -p), z = t * t;
    x = t * HM_FMA(z, HM_FMA(z, 0.127, 0.232), 0.886);
  } else {  // erfc(x) is about e^(-x^2) / (x sqrt(pi))
    const double l = -__nv_log(p * 1.7724538509055161);
    x = HM_SQRT(HM_ADD(l, -0.5 * __nv_log(l)));
  }
  for (int i = 0; i < 4; ++i) {
    const double error = HM_ADD(__nv_erfc(x), -p);
    const double step = error * 0.88622692545275801 / hm_exp_minus_square(x);
    x = HM_ADD(x, step / HM_FMA(-x, step, 1.0));
  }
  return x;
}
HM_FUNCTION double __nv_erfinv(double x) {
  const double a = hm_abs(x);
  if (!(a <= 1.0)) return hm_nan();
  if (a == 1.0) return hm_signed64(hm_inf(), x);
  if (a > 0.5) return hm_signed64(hm_erfc_inverse(HM_ADD(1.0, -a)), x);
  double y = HM_MUL(a, 0.88622692545275801);
  for (int i = 0; i < 4; ++i) {
    const double step = HM_ADD(a, -__nv_erf(y)) * 0.88622692545275801 / hm_exp_minus_square(y);
    y = HM_ADD(y, step / HM_FMA(-y, step, 1.0));
  }
  return hm_signed64(a < 1e-8 ? HM_MUL(a, 0.88622692545275801) : y, x);
}
HM_FUNCTION double __nv_erfcinv(double x) {
  if (!(x >= 0.0 && x <= 2.0)) return hm_nan();
  if (x == 0.0 || x == 2.0) return x == 0.0 ? hm_inf() : -hm_inf();
  if (x > 0.5 && x < 1.5) return __nv_erfinv(HM_ADD(1.0, -x));
  return x <= 1.0 ? hm_erfc_inverse(x) : -hm_erfc_inverse(HM_ADD(2.0, -x));
}
HM_FUNCTION double __nv_normcdfinv(double x) { return HM_MUL(-1.4142135623730951, __nv_erfcinv(2.0 * x)); }

// log of gamma for x from 8: (x - 1/2) log x - x + log(sqrt(2 pi)) + S(1/x^2) / x
HM_HELPER double hm_lgamma_large(double x) {
  if (x > 1e305) return x * HM_ADD(__nv_log(x), -1.0);
  const double inverse = 1.0 / x;
  const double u = HM_MUL(inverse, inverse);
  const hm_pair l = hm_times(hm_log2_pair(x), 0.69314718055994529, 2.3190468138462996e-17);
  const hm_pair p = hm_times(hm_fast_sum(l.high, HM_ADD(l.low, -1.0)), HM_ADD(x, -0.5), 0.0);
  const double rest = HM_ADD(0.41893853320467278, x > 1e9 ? 0.0 : HM_MUL(HM_P_STIRLING(u), inverse));
  return HM_ADD(p.high, HM_ADD(p.low, rest));
}
HM_HELPER double hm_lgamma_positive(double x) {
  if (x >= 8.0) return hm_lgamma_large(x);
  if (x < 0.5) {
    const double t = x;  // of 1 + x, minus log x
    return HM_ADD(HM_MUL(HM_MUL(t, HM_ADD(t, -1.0)), HM_P_LGAMMA1(t)), -__nv_log(x));
  }
  if (x < 1.5) {
    const double t = HM_ADD(x, -1.0);
    return HM_MUL(HM_MUL(t, HM_ADD(t, -1.0)), HM_P_LGAMMA1(t));
  }
  double product = 1.0;
  while (x > 3.0) {
    x = HM_ADD(x, -1.0);
    product = HM_MUL(product, x);
  }
  const double t = HM_ADD(x, -2.0);
  const double base = HM_MUL(HM_MUL(t, HM_ADD(t, 1.0)), HM_P_LGAMMA2(t));
  return product == 1.0 ? base : HM_ADD(base, __nv_log(product));
}
HM_FUNCTION double __nv_lgamma(double x) {
  if (x != x) return x;
  if (hm_abs(x) == hm_inf()) return hm_inf();
  if (x > 0.0) return hm_lgamma_positive(x);
  if (x == __builtin_trunc(x)) return hm_inf();
  const double a = -x;
  if (a < 1e-20) return -__nv_log(a);
  // gamma(x) gamma(-x) = -pi / (x sin(pi x))
  const double s = hm_abs(HM_MUL(a, __nv_sinpi(a)));
  return HM_ADD(__nv_log(3.1415926535897931 / s), -hm_lgamma_positive(a));
}
HM_HELPER double hm_tgamma_large(double x) {  // from 12 to 172
  const double inverse = 1.0 / x;
  const double u = HM_MUL(inverse, inverse);
  const double series = HM_MUL(HM_P_STIRLING(u), inverse);
  // x^(x - 1/2) e^-x as 2^((x - 1/2) log2 x - x log2 e), in two doubles
  const hm_pair a = hm_times(hm_log2_pair(x), HM_ADD(x, -0.5), 0.0);
  const hm_pair b = hm_times(hm_pair{x, 0.0}, -1.4426950408889634, -2.0355273740931033e-17);
  const hm_pair s = hm_sum(a.high, b.high);
  const double low = HM_ADD(s.low, HM_ADD(a.low, b.low));
  const double n = __builtin_rint(s.high);
  const hm_pair t = hm_sum(HM_ADD(s.high, -n), low);
  const hm_pair r = hm_product(t.high, 0.69314718055994529);
  const double power = hm_exp_kernel(
      r.high, HM_FMA(t.low, 0.69314718055994529, HM_FMA(t.high, 2.3190468138462996e-17, r.low)), (int)n - 2);
  return HM_MUL(HM_MUL(HM_MUL(power, 2.5066282746310007), __nv_exp(series)), 4.0);
}
HM_HELPER double hm_tgamma_positive(double x) {
  if (x > 172.0) return hm_inf();
  if (x >= 12.0) return hm_tgamma_large(x);
  double product = 1.0, divisor = 1.0;
  while (x > 2.0) {
    x = HM_ADD(x, -1.0);
    product = HM_MUL(product, x);
  }
  if (x < 1.0) {
    divisor = x;
    x = HM_ADD(x, 1.0);
  }
  return HM_MUL(HM_P_TGAMMA(HM_ADD(x, -1.5)), product) / divisor;
}
HM_FUNCTION double __nv_tgamma(double x) {
  if (x != x || x == hm_inf()) return x;
  if (x == 0.0) return hm_signed64(hm_inf(), x);
  if (x > 0.0) return hm_tgamma_positive(x);
  if (x == __builtin_trunc(x) || x == -hm_inf()) return hm_nan();
  const double a = -x;
  if (a > 184.0) return hm_is_odd64(__builtin_trunc(a)) ? 0.0 : -0.0;
  if (a < 1e-20) return -1.0 / a;
  const double s = HM_MUL(a, __nv_sinpi(a));
  if (a < 170.0) return -3.1415926535897931 / s / hm_tgamma_positive(a);
  // gamma(a) = (a - 1) (a - 2) ... (a - 14) gamma(a - 14), which would overflow before its inverse is lost
  double product = 1.0, rest = 1.0;
  for (int k = 1; k <= 7; ++k) {
    product = HM_MUL(product, HM_ADD(a, -(double)k));
    rest = HM_MUL(rest, HM_ADD(a, -(double)(k + 7)));
  }
  return -3.1415926535897931 / s / hm_tgamma_positive(HM_ADD(a, -14.0)) / product / rest;
}

HM_FUNCTION double __nv_rhypot(double x, double y) { return 1.0 / __nv_hypot(x, y); }
HM_FUNCTION double __nv_norm3d(double x, double y, double z) { return __nv_hypot(__nv_hypot(x, y), z); }
HM_FUNCTION double __nv_norm4d(double x, double y, double z, double w) {
  return __nv_hypot(__nv_hypot(x, y), __nv_hypot(z, w));
}
HM_FUNCTION double __nv_rnorm3d(double x, double y, double z) { return 1.0 / __nv_norm3d(x, y, z); }
HM_FUNCTION double __nv_rnorm4d(double x, double y, double z, double w) { return 1.0 / __nv_norm4d(x, y, z, w); }
HM_FUNCTION double __nv_norm(int n, const double* v) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum = __nv_hypot(sum, v[i]);
  return sum;
}
HM_FUNCTION double __nv_rnorm(int n, const double* v) { return 1.0 / __nv_norm(n, v); }

HM_FUNCTION float __nv_rhypotf(float x, float y) { return (float)__nv_rhypot((double)x, (double)y); }
HM_FUNCTION float __nv_norm3df(float x, float y, float z) {
  return (float)__nv_norm3d((double)x, (double)y, (double)z);
}
HM_FUNCTION float __nv_norm4df(float x, float y, float z, float w) {
  return (float)__nv_norm4d((double)x, (double)y, (double)z, (double)w);
}
HM_FUNCTION float __nv_rnorm3df(float x, float y, float z) {
  return (float)__nv_rnorm3d((double)x, (double)y, (double)z);
}
HM_FUNCTION float __nv_rnorm4df(float x, float y, float z, float w) {
  return (float)__nv_rnorm4d((double)x, (double)y, (double)z, (double)w);
}
HM_FUNCTION float __nv_normf(int n, const float* v) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum = HM_FMA((double)v[i], (double)v[i], sum);
  return (float)HM_SQRT(sum);
}
HM_FUNCTION float __nv_rnormf(int n, const float* v) { return (float)(1.0 / (double)__nv_normf(n, v)); }
HM_FUNCTION float __nv_erfcxf(float x) { return (float)__nv_erfcx((double)x); }
HM_FUNCTION float __nv_normcdff(float x) { return (float)__nv_normcdf((double)x); }
HM_FUNCTION float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
HM_FUNCTION float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
HM_FUNCTION float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }
HM_FUNCTION float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }
HM_FUNCTION float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }

#endif
