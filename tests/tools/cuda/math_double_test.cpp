// The device mathematics in double precision, compiled for the host, against the C library's in extended
// precision. The bounds are those of CUDA's programming guide, in units in the last place.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tests/support/catch.h"
#include "tests/tools/cuda/ulps.h"
#include "tools/cuda/include/__heddle_math.h"

namespace heddle::cuda {

namespace {

using Long = long double;
constexpr Long kPi = 3.14159265358979323846264338327950288L;

struct Case {
  const char* name;
  double (*function)(double);
  Long (*reference)(Long);
  double bound;
};

Long sine_of_turn(Long x) {
  if (std::isinf(x)) return std::numeric_limits<Long>::quiet_NaN();
  const Long y = std::remainder(x, 2.0L);  // mirrored to a quarter turn, so that no bits are lost at zeros
  return std::sin(kPi * (y > 0.5L ? 1 - y : y < -0.5L ? -1 - y : y));
}
Long power_of_ten(Long x) { return std::pow(10.0L, x); }
Long inverse_root(Long x) { return 1.0L / std::sqrt(x); }
Long inverse_cube_root(Long x) { return 1.0L / std::cbrt(x); }
Long normal(Long x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }
Long gamma_function(Long x) { return std::tgamma(x); }

const Case kCases[] = {
    {"sin", __nv_sin, std::sin, 2},
    {"cos", __nv_cos, std::cos, 2},
    {"tan", __nv_tan, std::tan, 2},
    {"sinpi", __nv_sinpi, sine_of_turn, 2},
    {"exp", __nv_exp, std::exp, 1},
    {"exp2", __nv_exp2, std::exp2, 1},
    {"exp10", __nv_exp10, power_of_ten, 1},
    {"expm1", __nv_expm1, std::expm1, 1},
    {"log", __nv_log, std::log, 1},
    {"log2", __nv_log2, std::log2, 1},
    {"log10", __nv_log10, std::log10, 1},
    {"log1p", __nv_log1p, std::log1p, 1},
    {"rsqrt", __nv_rsqrt, inverse_root, 1},
    {"cbrt", __nv_cbrt, std::cbrt, 1},
    {"rcbrt", __nv_rcbrt, inverse_cube_root, 1},
    {"atan", __nv_atan, std::atan, 2},
    {"asin", __nv_asin, std::asin, 2},
    {"acos", __nv_acos, std::acos, 2},
    {"sinh", __nv_sinh, std::sinh, 2},
    {"cosh", __nv_cosh, std::cosh, 1},
    {"tanh", __nv_tanh, std::tanh, 1},
    {"asinh", __nv_asinh, std::asinh, 3},
    {"acosh", __nv_acosh, std::acosh, 3},
    {"atanh", __nv_atanh, std::atanh, 2},
    {"erf", __nv_erf, std::erf, 2},
    {"erfc", __nv_erfc, std::erfc, 5},
    {"normcdf", __nv_normcdf, normal, 5},
    {"tgamma", __nv_tgamma, gamma_function, 10},
    {"floor", __nv_floor, std::floor, 0},
    {"ceil", __nv_ceil, std::ceil, 0},
    {"trunc", __nv_trunc, std::trunc, 0},
    {"round", __nv_round, std::round, 0},
    {"rint", __nv_rint, std::rint, 0},
    {"sqrt", __nv_sqrt, std::sqrt, 0.51},
};

/// Every third value is any double at all, the others are of the sizes that programs have.
class Values {
 public:
  double next() {
    ++count_;
    if (count_ % 3 == 0) return any();
    return std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random_),
                      static_cast<int>(count_ % 12) - 2);
  }
  double any() { return std::bit_cast<double>(static_cast<std::uint64_t>(random_())); }

 private:
  std::mt19937_64 random_{11};
  std::uint64_t count_ = 0;
};

}  // namespace

TEST_CASE("Device mathematics in double precision keeps CUDA's errors") {
  for (const Case& each : kCases) {
    Values values;
    double worst = 0, at = 0;
    for (int i = 0; i < 60000; ++i) {
      const double x = values.next();
      const double error = ulps_of_double(each.function(x), each.reference(static_cast<Long>(x)));
      if (error > worst) {
        worst = error;
        at = x;
      }
    }
    INFO(each.name << " at " << at << ": " << each.function(at));
    CHECK(worst <= each.bound + 0.01);  // the reference's own
  }
}

TEST_CASE("lgamma keeps CUDA's error where the guide promises one") {
  Values values;
  double worst = 0;
  for (int i = 0; i < 60000; ++i) {
    const double x = values.next();
    if (x > -23.001 && x < -2.2637) continue;
    worst = std::max(worst, ulps_of_double(__nv_lgamma(x), std::lgamma(static_cast<Long>(x))));
  }
  CHECK(worst <= 4);
}

TEST_CASE("Device mathematics of two doubles keeps CUDA's errors") {
  Values values;
  double pow = 0, atan2 = 0, hypot = 0;
  bool same = true;
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 == 0 ? std::fabs(values.next()) : values.any(), y = values.next();
    const auto a = static_cast<Long>(x), b = static_cast<Long>(y);
    pow = std::max(pow, ulps_of_double(__nv_pow(x, y), std::pow(a, b)));
    atan2 = std::max(atan2, ulps_of_double(__nv_atan2(x, y), std::atan2(a, b)));
    hypot = std::max(hypot, ulps_of_double(__nv_hypot(x, y), std::hypot(a, b)));
    const double rest = std::fmod(x, y), got = __nv_fmod(x, y);
    same = same && (std::isnan(rest) ? std::isnan(got) : got == rest);
  }
  CHECK(pow <= 2);
  CHECK(atan2 <= 2);
  CHECK(hypot <= 2);
  CHECK(same);
}

TEST_CASE("Inverse error functions lead back to their argument") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  double erfinv = 0, erfcinv = 0;
  for (int i = 0; i < 20000; ++i) {
    double p = unit(random);
    if (i % 3 == 0) p = std::ldexp(p, -static_cast<int>(i % 900));
    // the error of y is that of f(y) by f's slope, without the slope's factor where it would be 0
    const auto error = [](double y, Long residue) {
      const Long slope = 2 / std::sqrt(kPi) * std::exp(-static_cast<Long>(y) * static_cast<Long>(y));
      return ulps_of_double(y, static_cast<Long>(y) - residue / slope);
    };
    const double y = __nv_erfinv(p);
    const Long residue = p < 0.5 ? std::erf(static_cast<Long>(y)) - static_cast<Long>(p)
                                 : (1 - static_cast<Long>(p)) - std::erfc(static_cast<Long>(y));
    erfinv = std::max(erfinv, error(y, residue));
    const double z = __nv_erfcinv(p);
    erfcinv = std::max(erfcinv, error(z, static_cast<Long>(p) - std::erfc(static_cast<Long>(z))));
  }
  CHECK(erfinv <= 5);
  CHECK(erfcinv <= 6);
}

TEST_CASE("Parts and neighbours of numbers are exact") {
  Values values;
  for (int i = 0; i < 20000; ++i) {
    const double x = values.next();
    if (std::isnan(x)) continue;
    INFO(x);
    int e = 0, f = 0, q = 0, r = 0;
    double whole = 0, part = 0;
    CHECK(__nv_frexp(x, &e) == std::frexp(x, &f));
    if (std::isfinite(x)) CHECK(e == f);
    CHECK(__nv_modf(x, &whole) == std::modf(x, &part));
    CHECK(whole == part);
    CHECK(__nv_ldexp(x, i % 4000 - 2000) == std::ldexp(x, i % 4000 - 2000));
    CHECK(__nv_nextafter(x, 1.0) == std::nextafter(x, 1.0));
    CHECK(__nv_logb(x) == std::logb(x));
    const double y = values.next();
    const double rest = std::remquo(x, y, &q), got = __nv_remquo(x, y, &r);
    CHECK((std::isnan(rest) ? std::isnan(got) : got == rest));
    if (std::isfinite(rest)) CHECK((q & 7) == (r & 7));
  }
}

}  // namespace heddle::cuda
