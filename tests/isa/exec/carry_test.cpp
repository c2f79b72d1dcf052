// Sums with carries, predicates out of tables, and instructions that choose by a predicate.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr std::size_t kThreads = 10'240;

U64 join(U32 low, U32 high) { return U64{high} << 32 | low; }

/// What an operand adds: as the hardware subtracts, minus b is the opposite bits of b and 1.
U64 addend(U32 word, bool negated) { return negated ? U64{0xffffffffU - word} + 1 : word; }

struct Expected {
  std::vector<Row> registers;
  Row predicates;
};

void check(const LaneOutputs& outputs, const Expected& expected, const LaneInputs& inputs) {
  for (std::size_t i = 0; i < expected.registers.size(); ++i) {
    CAPTURE(i);
    CHECK(first_difference(outputs.registers[i], expected.registers[i], inputs) == "");
  }
  CHECK(first_difference(outputs.predicates, expected.predicates, inputs) == "");
}

/// Bit 0 and bit 1 of the predicates become the two carries.
U32 with_carries(U32 predicates, U64 sum) {
  return (predicates & ~3U) | (sum >> 32 >= 1 ? 1U : 0) | (sum >> 32 >= 2 ? 2U : 0);
}

TEST_CASE("IADD3 carries out of its sum, whatever the signs of its operands") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const unsigned signs = GENERATE(range(0U, 8U));
  const std::string guard = GENERATE("", "@P3 ");
  CAPTURE(warp_size, signs, guard);
  LaneValues values(0xca44 + signs);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const auto sign = [&](unsigned i) { return (signs >> i & 1) != 0; };
  const std::string body = fmt::format("MOV R16, R3\n{}IADD3 R16, P0, P1, {}R0, {}R1, {}R2\n", guard, sign(0) ? "-" : "",
                                       sign(1) ? "-" : "", sign(2) ? "-" : "");
  Expected expected{{inputs.registers[3]}, inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (!guard.empty() && !inputs.predicate(3, t)) continue;
    U64 sum = 0;
    for (unsigned i = 0; i < 3; ++i) sum += addend(inputs.registers[i][t], sign(i));
    expected.registers[0][t] = static_cast<U32>(sum);
    expected.predicates[t] = with_carries(inputs.predicates[t], sum);
  }
  check(run_lanes(body, inputs, 1, warp_size), expected, inputs);
}

TEST_CASE("numbers of 64 bits are added and subtracted in two steps") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x64);
  const LaneInputs inputs = values.inputs(6, kThreads);
  const std::string body =
      "IADD3 R16, P0, R0, R2, RZ\nIADD3.X R17, R1, R3, RZ, P0, !PT\n"
      "IADD3 R18, P0, R0, -R2, RZ\nIADD3.X R19, R1, ~R3, RZ, P0\n"
      "IADD3 R20, P0, P1, R0, R2, R4\nIADD3.X R21, R1, R3, R5, P0, P1\n"
      "MOV R22, R0\nIADD3 R22, P0, R22, " + constant_at(2) + ", RZ\n"
      "IADD3.X R23, P1, P2, R1, " + constant_at(3) + ", RZ, P0\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 8, warp_size);
  Expected expected{std::vector<Row>(8, Row(kThreads)), inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto pair = [&](unsigned i) { return join(inputs.registers[i][t], inputs.registers[i + 1][t]); };
    const U64 constant = join(inputs.constants[2], inputs.constants[3]);
    const U64 results[4] = {pair(0) + pair(2), pair(0) - pair(2), pair(0) + pair(2) + pair(4), pair(0) + constant};
    for (unsigned i = 0; i < 8; ++i) expected.registers[i][t] = static_cast<U32>(results[i / 2] >> (i % 2 * 32));
    const U64 low = U64{inputs.registers[0][t]} + inputs.constants[2];
    const U64 high = U64{inputs.registers[1][t]} + inputs.constants[3] + (low >> 32);
    const U32 carries = (low >> 32 != 0 ? 1U : 0) | (high >> 32 != 0 ? 2U : 0);
    expected.predicates[t] = (inputs.predicates[t] & ~7U) | carries;
  }
  check(outputs, expected, inputs);
}

TEST_CASE("LEA and LEA.HI.X add a shifted index of 64 bits to an address") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const unsigned shift = GENERATE(0U, 3U, 31U);
  CAPTURE(warp_size, shift);
  LaneValues values(0x1ea + shift);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const std::string body = fmt::format(
      "LEA R16, P0, R0, R2, {0:#x}\nLEA.HI.X R17, P1, R0, R3, R1, {0:#x}, P0\n"
      "LEA.HI.X.SX32 R18, P2, R0, R3, {0:#x}, P0\nLEA.HI R19, R0, {1}, R1, {0:#x}\nLEA R20, R0, 0x80000001, {0:#x}\n",
      shift, constant_at(1));
  Expected expected{std::vector<Row>(5, Row(kThreads)), inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 r[4] = {inputs.registers[0][t], inputs.registers[1][t], inputs.registers[2][t], inputs.registers[3][t]};
    const U64 low = reference::lea(r[0], r[2], shift);
    const U64 high = reference::lea_high(r[0], r[3], r[1], shift, low >> 32 != 0);
    const U64 extended = reference::lea_high(r[0], r[3], r[0] >> 31 != 0 ? ~0U : 0U, shift, low >> 32 != 0);
    expected.registers[0][t] = static_cast<U32>(low);
    expected.registers[1][t] = static_cast<U32>(high);
    expected.registers[2][t] = static_cast<U32>(extended);
    expected.registers[3][t] = static_cast<U32>(reference::lea_high(r[0], inputs.constants[1], r[1], shift, false));
    expected.registers[4][t] = static_cast<U32>(reference::lea(r[0], 0x80000001, shift));
    expected.predicates[t] = (inputs.predicates[t] & ~7U) | (low >> 32 != 0 ? 1U : 0) | (high >> 32 != 0 ? 2U : 0) |
                             (extended >> 32 != 0 ? 4U : 0);
    CHECK((join(static_cast<U32>(low), static_cast<U32>(high)) == (join(r[0], r[1]) << shift) + join(r[2], r[3])));
  }
  check(run_lanes(body, inputs, 5, warp_size), expected, inputs);
}

TEST_CASE("PLOP3 computes each of its 256 tables, twice in one instruction") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x9109);
  const LaneInputs inputs = values.inputs(2, 1'280);
  for (unsigned first = 0; first < 256; first += 64) {
    std::string body;
    for (unsigned table = first; table < first + 64; ++table) {
      body += fmt::format("PLOP3.LUT P5, P6, P0, !P1, P2, {:#x}, {:#x}\nSEL {}, R0, R1, P5\nSEL {}, R0, R1, P6\n", table,
                          255 - table, result_register(2 * (table - first)), result_register(2 * (table - first) + 1));
    }
    const LaneOutputs outputs = run_lanes(body, inputs, 128, warp_size);
    for (unsigned table = first; table < first + 64; ++table) {
      Row expected[2] = {Row(inputs.threads()), Row(inputs.threads())};
      for (std::size_t t = 0; t < inputs.threads(); ++t) {
        const unsigned place = (inputs.predicate(0, t) ? 4U : 0) + (inputs.predicate(1, t) ? 0 : 2U) +
                               (inputs.predicate(2, t) ? 1U : 0);
        const bool holds = (table >> place & 1) != 0;
        expected[0][t] = inputs.registers[holds ? 0 : 1][t];
        expected[1][t] = inputs.registers[holds ? 1 : 0][t];
      }
      CAPTURE(table);
      for (unsigned i = 0; i < 2; ++i) {
        CHECK(first_difference(outputs.registers[2 * (table - first) + i], expected[i], inputs) == "");
      }
    }
  }
}

TEST_CASE("LOP3 says by a predicate whether any bit is left") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::string guard = GENERATE("", "@P4 ");
  LaneValues values(0x1093);
  LaneInputs inputs = values.inputs(3, kThreads);
  for (Row& row : inputs.registers) {
    for (U32& word : row) word &= 1U << values.below(4);
  }
  const std::string body = "MOV R16, R2\n" + guard + "LOP3.LUT P5, R16, R0, R1, RZ, 0xc0, !PT\n" + guard +
                           "LOP3.LUT P6, RZ, R0, R1, RZ, 0xc0, P3\n";
  Expected expected{{inputs.registers[2]}, inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (!guard.empty() && !inputs.predicate(4, t)) continue;
    const U32 both = inputs.registers[0][t] & inputs.registers[1][t];
    expected.registers[0][t] = both;
    const bool second = both != 0 || inputs.predicate(3, t);
    expected.predicates[t] = (inputs.predicates[t] & 0x1fU) | (both != 0 ? 0x20U : 0) | (second ? 0x40U : 0);
  }
  check(run_lanes(body, inputs, 1, warp_size), expected, inputs);
}

TEST_CASE("the lesser or the greater is taken lane by lane, as the predicate says") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x3a4 + warp_size);
  const LaneInputs inputs = values.inputs(2, kThreads);
  const LaneOutputs outputs = run_lanes(
      "IMNMX R16, R0, R1, P2\nIMNMX.U32 R17, R0, R1, !P2\nFMNMX R18, R0, -R1, P2\nFMNMX.FTZ R19, |R0|, R1, !P2\n",
      inputs, 4, warp_size);
  Expected expected{std::vector<Row>(4, Row(kThreads)), inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 a = inputs.registers[0][t];
    const U32 b = inputs.registers[1][t];
    const bool holds = inputs.predicate(2, t);
    expected.registers[0][t] = holds ? reference::lesser(a, b, true) : reference::greater(a, b, true);
    expected.registers[1][t] = holds ? reference::greater(a, b, false) : reference::lesser(a, b, false);
    expected.registers[2][t] = reference::fmnmx(a, b ^ 0x80000000U, holds, false);
    expected.registers[3][t] = reference::fmnmx(a & 0x7fffffffU, b, !holds, true);
  }
  check(outputs, expected, inputs);
}

TEST_CASE("IMAD.HI adds a 64-bit operand to the whole product and keeps the high word") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x41 + warp_size);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const LaneOutputs outputs =
      run_lanes("IMAD.HI R16, R0, R1, R2\nIMAD.HI.U32 R17, R0, R1, R2\nIMAD.HI.U32 R18, R0, 0xcccccccd, RZ\n", inputs, 3,
                warp_size);
  Expected expected{std::vector<Row>(3, Row(kThreads)), inputs.predicates};
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 a = inputs.registers[0][t];
    const U64 c = join(inputs.registers[2][t], inputs.registers[3][t]);
    expected.registers[0][t] = reference::imad_high(a, inputs.registers[1][t], c, true);
    expected.registers[1][t] = reference::imad_high(a, inputs.registers[1][t], c, false);
    expected.registers[2][t] = reference::imad_high(a, 0xcccccccd, 0, false);
  }
  check(outputs, expected, inputs);
}

}  // namespace
}  // namespace heddle::exec
