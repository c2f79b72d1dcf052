// Conversions of one byte or half of a register: I2F.U8 R0, R4.B1.
#include <fmt/format.h>

#include <bit>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr std::size_t kThreads = 10'240;
constexpr unsigned kWarp = 32;

struct Part {
  const char* type;
  const char* text;  ///< Behind the register.
  unsigned bits;
  unsigned place;
};

constexpr Part kParts[] = {{"U8", "", 8, 0},       {"U8", ".B1", 8, 8},  {"U8", ".B2", 8, 16},
                           {"U8", ".B3", 8, 24},   {"S8", "", 8, 0},     {"S8", ".B1", 8, 8},
                           {"S8", ".B2", 8, 16},   {"S8", ".B3", 8, 24}, {"U16", "", 16, 0},
                           {"U16", ".H1", 16, 16}, {"S16", "", 16, 0},   {"S16", ".H1", 16, 16}};

int value_of(U32 word, const Part& part) {
  return static_cast<int>(
      reference::extend(word >> part.place, part.bits, std::string_view(part.type).starts_with('S'), true));
}

TEST_CASE("I2F takes the byte or half of the register that is named") {
  LaneValues values(0x9a27);
  const LaneInputs inputs = values.inputs(1, kThreads);
  for (const Part& part : kParts) {
    const LaneOutputs outputs = run_lanes(
        fmt::format(
            "R2UR UR4, R0\nMOV R17, RZ\nI2F.{0} R16, R0{1}\nI2F.F64.{0} R18, R0{1}.reuse\nI2F.F16.{0} R20, R0{1}\n"
            "I2F.{0} R21, UR4{1}\nUI2F.{0} UR5, UR4{1}\nMOV R22, UR5\nI2F.{0} R23, RZ{1}\n",
            part.type, part.text),
        inputs, 8, kWarp);
    Row rows[8] = {Row(kThreads), Row(kThreads), Row(kThreads), Row(kThreads),
                   Row(kThreads), Row(kThreads), Row(kThreads), Row(kThreads)};
    for (std::size_t t = 0; t < kThreads; ++t) {
      const int value = value_of(inputs.registers[0][t], part);
      const int of_warp = value_of(inputs.registers[0][t / kWarp * kWarp], part);
      const auto as_double = std::bit_cast<std::uint64_t>(static_cast<double>(value));
      rows[0][t] = std::bit_cast<U32>(static_cast<float>(value));
      rows[2][t] = static_cast<U32>(as_double);
      rows[3][t] = static_cast<U32>(as_double >> 32);
      rows[4][t] = reference::narrow_from_double(value, reference::kHalfFormat);
      rows[5][t] = rows[6][t] = std::bit_cast<U32>(static_cast<float>(of_warp));
    }
    CAPTURE(part.type, part.text);
    for (const unsigned i : {0U, 2U, 3U, 4U, 5U, 6U, 7U})
      CHECK(first_difference(outputs.registers[i], rows[i], inputs) == "");
  }
}

}  // namespace
}  // namespace heddle::exec
