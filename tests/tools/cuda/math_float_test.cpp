// The device mathematics in single precision, compiled for the host, against the C library's in higher
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

constexpr long double kPi = 3.14159265358979323846264338327950288L;

struct Case {
  const char* name;
  float (*function)(float);
  double (*reference)(double);
  double bound;
};

/// sin(pi x) and cos(pi x), with the zeros where they are.
double sine_of_turn(double x) {
  if (std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  const double y = std::remainder(x, 2.0);
  return static_cast<double>(std::sin(kPi * (y > 0.5 ? 1 - y : y < -0.5 ? -1 - y : y)));
}
double cosine_of_turn(double x) {
  if (std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  return sine_of_turn(0.5 - std::fmod(std::fabs(x), 2.0));
}
double inverse_cube_root(double x) { return 1.0 / std::cbrt(x); }
double power_of_ten(double x) { return static_cast<double>(std::pow(10.0L, static_cast<long double>(x))); }
double normal(double x) {
  return static_cast<double>(0.5L * std::erfc(-static_cast<long double>(x) / std::sqrt(2.0L)));
}

const Case kCases[] = {
    {"sin", __nv_sinf, std::sin, 2},
    {"cos", __nv_cosf, std::cos, 2},
    {"tan", __nv_tanf, std::tan, 4},
    {"sinpi", __nv_sinpif, sine_of_turn, 1},
    {"cospi", __nv_cospif, cosine_of_turn, 1},
    {"exp", __nv_expf, std::exp, 2},
    {"exp2", __nv_exp2f, std::exp2, 2},
    {"exp10", __nv_exp10f, power_of_ten, 2},
    {"expm1", __nv_expm1f, std::expm1, 1},
    {"log", __nv_logf, std::log, 1},
    {"log2", __nv_log2f, std::log2, 1},
    {"log10", __nv_log10f, std::log10, 2},
    {"log1p", __nv_log1pf, std::log1p, 1},
    {"cbrt", __nv_cbrtf, std::cbrt, 1},
    {"rcbrt", __nv_rcbrtf, inverse_cube_root, 1},
    {"atan", __nv_atanf, std::atan, 2},
    {"asin", __nv_asinf, std::asin, 2},
    {"acos", __nv_acosf, std::acos, 2},
    {"sinh", __nv_sinhf, std::sinh, 3},
    {"cosh", __nv_coshf, std::cosh, 2},
    {"tanh", __nv_tanhf, std::tanh, 2},
    {"asinh", __nv_asinhf, std::asinh, 3},
    {"acosh", __nv_acoshf, std::acosh, 4},
    {"atanh", __nv_atanhf, std::atanh, 3},
    {"erf", __nv_erff, std::erf, 2},
    {"erfc", __nv_erfcf, std::erfc, 4},
    {"normcdf", __nv_normcdff, normal, 5},
    {"tgamma", __nv_tgammaf, std::tgamma, 5},
    {"floor", __nv_floorf, std::floor, 0},
    {"ceil", __nv_ceilf, std::ceil, 0},
    {"trunc", __nv_truncf, std::trunc, 0},
    {"round", __nv_roundf, std::round, 0},
    {"rint", __nv_rintf, std::rint, 0},
    {"sqrt", __nv_sqrtf, std::sqrt, 0.5},
};

}  // namespace

TEST_CASE("Device mathematics in single precision keeps CUDA's errors over all floats") {
  constexpr std::uint64_t kStep = 40009;
  for (const Case& each : kCases) {
    double worst = 0;
    float at = 0;
    for (std::uint64_t bits = 0; bits <= 0xffffffffULL; bits += kStep) {
      const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      const double error = ulps_of_float(each.function(x), each.reference(static_cast<double>(x)));
      if (error > worst) {
        worst = error;
        at = x;
      }
    }
    INFO(each.name << " at " << at << ": " << each.function(at));
    CHECK(worst <= each.bound);
  }
}

TEST_CASE("lgammaf keeps CUDA's error where the guide promises one") {
  double worst = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffffULL; bits += 160001) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (x > -10.001F && x < -2.264F) continue;
    worst = std::max(worst, ulps_of_float(__nv_lgammaf(x), std::lgamma(static_cast<double>(x))));
  }
  CHECK(worst <= 6);
}

TEST_CASE("Device mathematics of two floats keeps CUDA's errors") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> near(0.0F, 20.0F), power(-40.0F, 40.0F);
  double pow = 0, atan2 = 0, hypot = 0, fmod = 0;
  for (int i = 0; i < 400000; ++i) {
    float x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    float y = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (i % 2 == 0) {
      x = near(random);
      y = power(random);
    }
    const auto a = static_cast<double>(x), b = static_cast<double>(y);
    pow = std::max(pow, ulps_of_float(__nv_powf(x, y), std::pow(a, b)));
    atan2 = std::max(atan2, ulps_of_float(__nv_atan2f(x, y), std::atan2(a, b)));
    hypot = std::max(hypot, ulps_of_float(__nv_hypotf(x, y), std::hypot(a, b)));
    fmod = std::max(fmod, ulps_of_float(__nv_fmodf(x, y), std::fmod(a, b)));
  }
  CHECK(pow <= 4);
  CHECK(atan2 <= 3);
  CHECK(hypot <= 3);
  CHECK(fmod == 0);
}

TEST_CASE("Powers of floats follow C's table of special values") {
  const float values[] = {0.0F,
                          -0.0F,
                          1.0F,
                          -1.0F,
                          2.0F,
                          -2.0F,
                          3.0F,
                          -3.0F,
                          0.5F,
                          -0.5F,
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()};
  for (const float x : values) {
    for (const float y : values) {
      INFO(x << " to the " << y);
      const double want = std::pow(static_cast<double>(x), static_cast<double>(y));
      const float got = __nv_powf(x, y);
      const double got2 = __nv_pow(static_cast<double>(x), static_cast<double>(y));
      CHECK(ulps_of_float(got, want) <= 4);
      CHECK(ulps_of_double(got2, static_cast<long double>(want)) <= 2);
      if (std::isnan(want)) continue;
      CHECK(std::signbit(got) == std::signbit(want));
      CHECK(std::signbit(got2) == std::signbit(want));
    }
  }
}

}  // namespace heddle::cuda
