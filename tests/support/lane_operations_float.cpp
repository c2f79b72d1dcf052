#include <fmt/format.h>

#include <type_traits>

#include "tests/support/lane_operations.h"

namespace heddle::test {

namespace {

using reference::Direction;
using reference::FloatMode;
using reference::Rounding;
using U32 = std::uint32_t;

constexpr std::pair<const char*, Direction> kDirections[] = {
    {"", Direction::Nearest}, {".RM", Direction::Down}, {".RP", Direction::Up}, {".RZ", Direction::Zero}};
constexpr std::pair<const char*, Rounding> kRoundings[] = {
    {"", Rounding::Nearest}, {".TRUNC", Rounding::Trunc}, {".FLOOR", Rounding::Floor}, {".CEIL", Rounding::Ceil}};

void add_mode(std::vector<LaneOperation>& all, const std::string& suffix, const FloatMode& mode) {
  all.push_back({"FADD" + suffix, 2, Signs::Float, false, "",
                 [=](U32 a, U32 b, U32) { return reference::fadd_as(a, b, mode); }});
  all.push_back({"FMUL" + suffix, 2, Signs::Float, false, "",
                 [=](U32 a, U32 b, U32) { return reference::fmul_as(a, b, mode); }});
  all.push_back({"FFMA" + suffix, 3, Signs::Float, false, "",
                 [=](U32 a, U32 b, U32 c) { return reference::ffma_as(a, b, c, mode); }});
}

void add_modes(std::vector<LaneOperation>& all) {
  for (const auto& [token, direction] : kDirections) {
    for (const bool flush : {false, true}) {
      for (const bool saturate : {false, true}) {
        add_mode(all, fmt::format("{}{}{}", flush ? ".FTZ" : "", token, saturate ? ".SAT" : ""),
                 {direction, flush, saturate});
      }
    }
  }
}

void add_roundings(std::vector<LaneOperation>& all) {
  for (const bool flush : {false, true}) {
    const std::string ftz = flush ? ".FTZ" : "";
    for (const auto& [token, rounding] : kRoundings) {
      all.push_back({"FRND" + ftz + token, 1, Signs::Float, true, "",
                     [how = rounding, flush](U32 a, U32, U32) { return reference::whole_float(a, how, flush); }});
    }
    all.push_back({"FMNMX" + ftz, 2, Signs::Float, false, ", PT",
                   [=](U32 a, U32 b, U32) { return reference::fmnmx(a, b, true, flush); }});
    all.push_back({"FMNMX" + ftz, 2, Signs::Float, false, ", !PT",
                   [=](U32 a, U32 b, U32) { return reference::fmnmx(a, b, false, flush); }});
    for (const bool is_least : {true, false}) {
      const auto or_nan = [=](U32 a, U32 b) {
        const bool has_nan = (a & 0x7fffffff) > 0x7f800000 || (b & 0x7fffffff) > 0x7f800000;
        return has_nan ? 0x7fffffff : reference::fmnmx(a, b, is_least, flush);
      };
      const char* tail = is_least ? ", PT" : ", !PT";
      all.push_back({"FMNMX" + ftz + ".NAN", 2, Signs::Float, false, tail,
                     [=](U32 a, U32 b, U32) { return or_nan(a, b); }});
      all.push_back({"FMNMX3" + ftz + ".NAN", 3, Signs::Float, false, tail,
                     [=](U32 a, U32 b, U32 c) { return or_nan(a, or_nan(b, c)); }});
      all.push_back({"FMNMX3" + ftz, 3, Signs::Float, false, tail, [=](U32 a, U32 b, U32 c) {
                       return reference::fmnmx(a, reference::fmnmx(b, c, is_least, flush), is_least, flush);
                     }});
    }
  }
  for (const auto& [token, rounding] : kRoundings) {
    all.push_back({fmt::format("F2I.FTZ.U32{}.NTZ", token), 1, Signs::Float, true, "", [how = rounding](U32 a, U32, U32) {
                     return reference::float_to_integer(reference::flushed(a), how, false);
                   }});
    all.push_back({fmt::format("F2I.FTZ{}", token), 1, Signs::Float, true, "", [how = rounding](U32 a, U32, U32) {
                     return reference::float_to_integer(reference::flushed(a), how, true);
                   }});
  }
}

template <typename Integer>
void add_source(std::vector<LaneOperation>& all, const std::string& type) {
  for (const auto& [token, direction] : kDirections) {
    all.push_back({"I2F" + type + token, 1, Signs::None, true, "", [towards = direction](U32 a, U32, U32) {
                     return reference::float_of_integer(static_cast<Integer>(a), towards);
                   }});
    if (sizeof(Integer) < sizeof(U32)) continue;
    const std::string compiled = std::is_signed_v<Integer> ? "I2FP.F32.S32" : "I2FP.F32.U32";
    all.push_back({compiled + token, 1, Signs::None, true, "", [towards = direction](U32 a, U32, U32) {
                     return reference::float_of_integer(static_cast<Integer>(a), towards);
                   }});
  }
  all.push_back({"I2F.F16" + type, 1, Signs::None, true, "", [](U32 a, U32, U32) {
                   return reference::narrow_from_double(static_cast<Integer>(a), reference::kHalfFormat);
                 }});
  all.push_back({"I2F.BF16" + type, 1, Signs::None, true, "", [](U32 a, U32, U32) {
                   return reference::narrow_from_double(static_cast<Integer>(a), reference::kBfloatFormat);
                 }});
}

void add_from_halves(std::vector<LaneOperation>& all) {
  for (const auto& [token, rounding] : kRoundings) {
    for (const bool is_signed : {true, false}) {
      const std::string name =
          fmt::format("F2I{}.F16{}{}", is_signed ? "" : ".U32", token, is_signed ? "" : ".NTZ");
      all.push_back({name, 1, Signs::None, true, "", [how = rounding, is_signed](U32 a, U32, U32) {
                       return reference::float_to_integer(reference::float_from_half(a), how, is_signed);
                     }});
    }
    all.push_back(
        {fmt::format("FRND.F16{}", token), 1, Signs::None, true, "", [how = rounding](U32 a, U32, U32) {
           const U32 whole = reference::whole_float(reference::float_from_half(a), how, false);
           return reference::narrow_from_float(whole, reference::kHalfFormat);
         }});
  }
}

/// What .FTZ and .SAT do to each half.
U32 in_halves(U32 a, U32 (*of)(U32)) { return of(a >> 16) << 16 | of(a & 0xffff); }
U32 half_flushed(U32 half) { return (half & 0x7c00) == 0 ? half & 0x8000 : half; }
U32 half_saturated(U32 half) {
  if ((half & 0x7fff) > 0x7c00 || (half & 0x8000) != 0) return 0;  // NaN, or below zero
  return half > 0x3c00 ? 0x3c00 : half;
}

void add_half_mode(std::vector<LaneOperation>& all, bool flush, bool saturate) {
  const auto in = [=](U32 a) { return flush ? in_halves(a, half_flushed) : a; };
  const auto out = [=](U32 a) {
    if (saturate) a = in_halves(a, half_saturated);
    return flush ? in_halves(a, half_flushed) : a;
  };
  const std::string suffix = fmt::format("{}{}", flush ? ".FTZ" : "", saturate ? ".SAT" : "");
  const reference::NarrowFormat format = reference::kHalfFormat;
  all.push_back({"HADD2" + suffix, 2, Signs::Halves, false, "",
                 [=](U32 a, U32 b, U32) { return out(reference::hadd2(in(a), in(b), format)); }});
  all.push_back({"HMUL2" + suffix, 2, Signs::Halves, false, "",
                 [=](U32 a, U32 b, U32) { return out(reference::hmul2(in(a), in(b), format)); }});
  all.push_back({"HFMA2" + suffix, 3, Signs::Halves, false, "",
                 [=](U32 a, U32 b, U32 c) { return out(reference::hfma2(in(a), in(b), in(c), format)); }});
}

void add_half_modes(std::vector<LaneOperation>& all) {
  add_half_mode(all, true, false);
  add_half_mode(all, false, true);
  add_half_mode(all, true, true);
}

void add_halves(std::vector<LaneOperation>& all) {
  for (const bool is_half : {true, false}) {
    const reference::NarrowFormat format = is_half ? reference::kHalfFormat : reference::kBfloatFormat;
    const std::string suffix = is_half ? "" : ".BF16_V2";
    const std::string name = is_half ? "F16" : "BF16";
    all.push_back({"HADD2" + suffix, 2, Signs::Halves, false, "",
                   [=](U32 a, U32 b, U32) { return reference::hadd2(a, b, format); }});
    all.push_back({"HMUL2" + suffix, 2, Signs::Halves, false, "",
                   [=](U32 a, U32 b, U32) { return reference::hmul2(a, b, format); }});
    all.push_back({"HFMA2" + suffix, 3, Signs::Halves, false, "",
                   [=](U32 a, U32 b, U32 c) { return reference::hfma2(a, b, c, format); }});
    all.push_back({"F2F." + name + ".F32", 1, Signs::Float, true, "",
                   [=](U32 a, U32, U32) { return reference::narrow_from_float(a, format); }});
    const std::string short_name = name == "F16" ? "F2FP.PACK_AB" : "F2FP.BF16.PACK_AB";
    for (const std::string& pack : {"F2FP." + name + ".F32.PACK_AB", short_name}) {
      all.push_back({pack, 2, Signs::Float, false, "", [=](U32 a, U32 b, U32) {
                       return reference::narrow_from_float(a, format) << 16 | reference::narrow_from_float(b, format);
                     }});
    }
  }
  add_half_modes(all);
  all.push_back({"HADD2.F32", 2, Signs::Halves, false, "", [](U32 a, U32 b, U32) {
                   return reference::fadd(reference::float_from_half(a), reference::float_from_half(b));
                 }});
  all.push_back({"F2F.F32.F16", 1, Signs::None, true, "", [](U32 a, U32, U32) { return reference::float_from_half(a); }});
}

}  // namespace

void add_float_operations(std::vector<LaneOperation>& all) {
  add_modes(all);
  add_roundings(all);
  add_source<std::int32_t>(all, "");
  add_source<std::uint32_t>(all, ".U32");
  add_source<std::int16_t>(all, ".S16");
  add_source<std::uint16_t>(all, ".U16");
  add_source<std::int8_t>(all, ".S8");
  add_source<std::uint8_t>(all, ".U8");
  add_halves(all);
  add_from_halves(all);
}

}  // namespace heddle::test
