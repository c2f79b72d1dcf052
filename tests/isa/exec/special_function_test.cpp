// MUFU against long-double results, within the errors that the CUDA and PTX documents allow the hardware.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::uint32_t kNan = 0x7fffffff;
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kMinusZero = 0x80000000;
constexpr std::uint32_t kOne = 0x3f800000;

Row run_function(const std::string& function, const Row& arguments, unsigned warp_size) {
  const LaneInputs inputs{{arguments}, Row(arguments.size()), {}};
  return run_lanes("MUFU." + function + " R16, R0\n", inputs, 1, warp_size).registers[0];
}

/// One value a thread, from all of them; the special ones are tested apart.
Row arguments_where(LaneValues& values, bool (*accepts)(float)) {
  Row row;
  while (row.size() < 10'240) {
    const std::uint32_t word = values.one_in(2) ? values.any_bits() : values.word();
    const float value = std::bit_cast<float>(word);
    if (std::isnormal(value) && accepts(value)) row.push_back(word);  // denormals are tested apart
  }
  return row;
}

/// The error of a result in units of the last place that the exact value has as a float.
long double error_in_ulps(float found, long double exact) {
  constexpr long double kLeast = std::numeric_limits<float>::denorm_min();
  const long double magnitude = std::abs(exact);
  if (magnitude > static_cast<long double>(std::numeric_limits<float>::max())) {
    return std::isinf(found) || std::abs(found) == std::numeric_limits<float>::max() ? 0 : 1e30L;
  }
  const long double ulp =
      magnitude == 0 ? kLeast : std::max(kLeast, std::ldexp(1.0L, std::ilogb(magnitude) - 23));
  return std::abs(static_cast<long double>(found) - exact) / ulp;
}

template <typename Exact>
void check_ulps(const char* function, bool (*accepts)(float), long double allowed, Exact exact) {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x3fu + warp_size;
  CAPTURE(function, warp_size, seed);
  LaneValues values(seed);
  const Row arguments = arguments_where(values, accepts);
  const Row results = run_function(function, arguments, warp_size);
  long double worst = 0;
  float worst_argument = 0;
  for (std::size_t t = 0; t < arguments.size(); ++t) {
    const float argument = std::bit_cast<float>(arguments[t]);
    long double expected = exact(static_cast<long double>(argument));
    if (std::abs(expected) < static_cast<long double>(std::numeric_limits<float>::min())) expected = 0;  // flushed
    const long double error = error_in_ulps(std::bit_cast<float>(results[t]), expected);
    if (!(error <= worst)) {
      worst = error;
      worst_argument = argument;
    }
  }
  CAPTURE(worst_argument);
  CHECK(static_cast<double>(worst) <= static_cast<double>(allowed));
}

bool any(float) { return true; }
bool positive(float value) { return value > 0; }
bool around_zero(float value) { return std::abs(value) < 200; }
bool far_from_one(float value) { return value > 0 && (value < 0.5F || value > 2); }

TEST_CASE("MUFU.RCP is within one unit in the last place") {
  check_ulps("RCP", any, 1, [](long double x) { return 1 / x; });
}

TEST_CASE("MUFU.RSQ and MUFU.SQRT are within two units in the last place") {
  check_ulps("RSQ", positive, 2, [](long double x) { return 1 / std::sqrt(x); });
  check_ulps("SQRT", positive, 2, [](long double x) { return std::sqrt(x); });
}

TEST_CASE("MUFU.EX2 is within two units in the last place") {
  check_ulps("EX2", around_zero, 2, [](long double x) { return std::exp2(x); });
}

TEST_CASE("MUFU takes denormals as zero of their sign, and gives zero for them") {
  const auto gives = [](const char* function, std::uint32_t argument, std::uint32_t result) {
    CAPTURE(function, argument);
    CHECK(run_function(function, Row(64, argument), 32) == Row(64, result));
  };
  for (const std::uint32_t denormal : {0x1U, 0x7fffffU, 0x400000U}) {
    for (const std::uint32_t sign : {0U, kMinusZero}) {
      gives("RCP", denormal | sign, kInfinity | sign);
      gives("SQRT", denormal | sign, sign);
      gives("EX2", denormal | sign, kOne);
      gives("LG2", denormal | sign, 0xff800000);
      gives("SIN", denormal | sign, sign);
    }
  }
  for (const std::uint32_t below : {0xc2fe0000U, 0xc3000000U, 0xc3150000U}) gives("EX2", below, 0);  // -127 and less
  gives("RCP", 0x7f000000, 0);  // 2^127
  gives("RCP", 0xff000000, kMinusZero);
}

TEST_CASE("MUFU.TANH is within two units in the last place") {
  check_ulps("TANH", any, 2, [](long double x) { return std::tanh(x); });
}

TEST_CASE("MUFU.LG2 is within two units in the last place away from one") {
  check_ulps("LG2", far_from_one, 2, [](long double x) { return std::log2(x); });
}

template <typename Exact>
void check_absolute(const char* function, float least, float most, double allowed, Exact exact) {
  CAPTURE(function);
  constexpr std::size_t kThreads = 10'240;
  Row arguments(kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const float part = static_cast<float>(t) / static_cast<float>(kThreads - 1);
    arguments[t] = std::bit_cast<std::uint32_t>(least + part * (most - least));
  }
  const Row results = run_function(function, arguments, 32);
  double worst = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto argument = static_cast<long double>(std::bit_cast<float>(arguments[t]));
    const long double error = static_cast<long double>(std::bit_cast<float>(results[t])) - exact(argument);
    worst = std::max(worst, static_cast<double>(std::abs(error)));
  }
  CHECK(worst <= allowed);
}

TEST_CASE("MUFU.LG2 is within 2^-22 around one") {
  check_absolute("LG2", 0.5F, 2.0F, std::exp2(-22.0), [](long double x) { return std::log2(x); });
}

TEST_CASE("MUFU.SIN and MUFU.COS take turns and are within 2^-20.9 for half a turn either way") {
  constexpr long double kTurn = 6.283185307179586476925286766559L;
  check_absolute("SIN", -0.5F, 0.5F, std::exp2(-20.9), [](long double x) { return std::sin(x * kTurn); });
  check_absolute("COS", -0.5F, 0.5F, std::exp2(-20.9), [](long double x) { return std::cos(x * kTurn); });
}

struct SpecialCase {
  const char* function;
  std::uint32_t argument;
  std::uint32_t result;
};

TEST_CASE("MUFU treats zeros, infinities and NaNs as the tables of the PTX document say") {
  constexpr std::uint32_t kMinus = 0x80000000;
  const SpecialCase cases[] = {
      {"RCP", 0, kInfinity},
      {"RCP", kMinusZero, kMinus | kInfinity},
      {"RCP", kInfinity, 0},
      {"RCP", kMinus | kInfinity, kMinusZero},
      {"SQRT", 0, 0},
      {"SQRT", kMinusZero, kMinusZero},
      {"SQRT", kInfinity, kInfinity},
      {"SQRT", kMinus | kInfinity, kNan},
      {"SQRT", kMinus | kOne, kNan},
      {"RSQ", 0, kInfinity},
      {"RSQ", kMinusZero, kMinus | kInfinity},
      {"RSQ", kInfinity, 0},
      {"RSQ", kMinus | kInfinity, kNan},
      {"RSQ", kMinus | kOne, kNan},
      {"EX2", 0, kOne},
      {"EX2", kMinusZero, kOne},
      {"EX2", kInfinity, kInfinity},
      {"EX2", kMinus | kInfinity, 0},
      {"LG2", 0, kMinus | kInfinity},
      {"LG2", kMinusZero, kMinus | kInfinity},
      {"LG2", kInfinity, kInfinity},
      {"LG2", kMinus | kOne, kNan},
      {"LG2", kMinus | kInfinity, kNan},
      {"LG2", kOne, 0},
      {"SIN", 0, 0},
      {"SIN", kMinusZero, kMinusZero},
      {"SIN", kInfinity, kNan},
      {"SIN", kMinus | kInfinity, kNan},
      {"COS", 0, kOne},
      {"COS", kMinusZero, kOne},
      {"COS", kInfinity, kNan},
      {"COS", kMinus | kInfinity, kNan},
  };
  for (const SpecialCase& one : cases) {
    CAPTURE(one.function, one.argument);
    CHECK(run_function(one.function, Row(64, one.argument), 32) == Row(64, one.result));
  }
  for (const char* function : {"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS"}) {
    for (const std::uint32_t nan : {0x7f800001U, 0x7fc00000U, 0xffffffffU}) {
      CAPTURE(function, nan);
      CHECK(run_function(function, Row(64, nan), 32) == Row(64, kNan));
    }
  }
}

}  // namespace
}  // namespace heddle::exec
