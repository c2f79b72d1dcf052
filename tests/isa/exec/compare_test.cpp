// Comparisons into predicates, and the selections that read them.
#include <fmt/format.h>

#include <functional>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_operations.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::size_t kThreads = 10'240;

/// Pairs that are equal, one apart or of opposite sign are frequent.
LaneInputs comparable_inputs(LaneValues& values) {
  LaneInputs inputs = values.inputs(2, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(3)) inputs.registers[1][t] = inputs.registers[0][t] + values.below(3) - 1;
  }
  return inputs;
}

using Combine = std::function<bool(bool, bool)>;

struct BoolModifier {
  const char* token;
  Combine combine;
};

const std::vector<BoolModifier>& bool_modifiers() {
  static const std::vector<BoolModifier> kAll = {{"AND", [](bool a, bool b) { return a && b; }},
                                                 {"OR", [](bool a, bool b) { return a || b; }},
                                                 {"XOR", [](bool a, bool b) { return a != b; }}};
  return kAll;
}

/// P1 becomes compare(R0, R1) combined with P3, P2 its opposite combined with P3 (or both with !P3).
std::uint32_t expected_predicates(const LaneComparison& comparison, const Combine& combine, bool negated,
                                  const LaneInputs& inputs, std::size_t t) {
  const bool holds = comparison.reference(inputs.registers[0][t], inputs.registers[1][t]);
  const bool operand = inputs.predicate(3, t) != negated;
  const std::uint32_t kept = inputs.predicates[t] & ~6U;
  return kept | (combine(holds, operand) ? 2U : 0) | (combine(!holds, operand) ? 4U : 0);
}

TEST_CASE("every comparison sets both predicates as PTX setp does") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const bool negated = GENERATE(false, true);
  const std::uint64_t seed = 0xc0de'0000 + warp_size;
  CAPTURE(warp_size, seed, negated);
  LaneValues values(seed);
  const LaneInputs inputs = comparable_inputs(values);
  for (const LaneComparison& comparison : lane_comparisons()) {
    for (const BoolModifier& modifier : bool_modifiers()) {
      const std::string text =
          fmt::format("{}.{} P1, P2, R0, R1, {}P3", comparison.mnemonic, modifier.token, negated ? "!" : "");
      Row expected(kThreads);
      for (std::size_t t = 0; t < kThreads; ++t) {
        expected[t] = expected_predicates(comparison, modifier.combine, negated, inputs, t);
      }
      CAPTURE(text);
      CHECK(first_difference(run_lanes(text, inputs, 0, warp_size).predicates, expected, inputs) == "");
    }
  }
}

TEST_CASE("FSET.BF gives 1.0 where FSETP of the same operands holds, else 0.0") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const bool negated = GENERATE(false, true);
  const std::uint64_t seed = 0xf5e7'0000 + warp_size;
  CAPTURE(warp_size, seed, negated);
  LaneValues values(seed);
  const LaneInputs inputs = comparable_inputs(values);
  for (const LaneComparison& comparison : lane_comparisons()) {
    if (!comparison.is_float) continue;
    for (const BoolModifier& modifier : bool_modifiers()) {
      const std::string relation = comparison.mnemonic.substr(std::string("FSETP").size());
      const std::string text =
          fmt::format("FSET.BF{}.{} R16, R0, R1, {}P3\nMOV R17, R0\n@P5 FSET.BF{}.{} R17, R17, -R1, PT",
                      relation, modifier.token, negated ? "!" : "", relation, modifier.token);
      std::vector<Row> expected(2, Row(kThreads));
      for (std::size_t t = 0; t < kThreads; ++t) {
        const std::uint32_t a = inputs.registers[0][t];
        const std::uint32_t b = inputs.registers[1][t];
        const bool holds = modifier.combine(comparison.reference(a, b), inputs.predicate(3, t) != negated);
        const bool guarded = modifier.combine(comparison.reference(a, b ^ 0x80000000), true);
        expected[0][t] = holds ? 0x3f800000 : 0;
        expected[1][t] = !inputs.predicate(5, t) ? a : guarded ? 0x3f800000 : 0;
      }
      CAPTURE(text);
      const LaneOutputs found = run_lanes(text, inputs, 2, warp_size);
      CHECK(first_difference(found.registers[0], expected[0], inputs) == "");
      CHECK(first_difference(found.registers[1], expected[1], inputs) == "");
    }
  }
}

TEST_CASE("a comparison under a guard leaves the predicates of the other lanes") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x9a4d'0000 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = comparable_inputs(values);
  for (const LaneComparison& comparison : lane_comparisons()) {
    const std::string text = fmt::format("@!P5 {}.OR P1, P2, R0, R1, P3", comparison.mnemonic);
    Row expected = inputs.predicates;
    for (std::size_t t = 0; t < kThreads; ++t) {
      if (inputs.predicate(5, t)) continue;
      expected[t] = expected_predicates(comparison, bool_modifiers()[1].combine, false, inputs, t);
    }
    CAPTURE(text);
    CHECK(first_difference(run_lanes(text, inputs, 0, warp_size).predicates, expected, inputs) == "");
  }
}

TEST_CASE("a comparison may write its own operand and guard, and PT loses what is written to it") {
  LaneValues values(7);
  const LaneInputs inputs = comparable_inputs(values);
  const LaneOutputs outputs = run_lanes(
      "@P4 ISETP.LT.XOR P3, P4, R0, R1, !P3\nISETP.GE.U32.AND PT, PT, R0, R1, PT\n"
      "SEL R16, R0, R1, PT\nSEL R17, R0, R1, !PT\n",
      inputs, 2, 32);
  Row expected = inputs.predicates;
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (!inputs.predicate(4, t)) continue;
    const bool less = reference::compare_integers(inputs.registers[0][t], inputs.registers[1][t],
                                                  reference::Relation::Less, true);
    const bool operand = !inputs.predicate(3, t);
    expected[t] &= ~0x18U;
    expected[t] |= (less != operand ? 0x8U : 0) | (!less != operand ? 0x10U : 0);
  }
  CHECK(first_difference(outputs.predicates, expected, inputs) == "");
  CHECK(outputs.registers[0] == inputs.registers[0]);
  CHECK(outputs.registers[1] == inputs.registers[1]);
}

TEST_CASE("SEL and FSEL take the first operand where the predicate holds") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x5e1'0000 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(3, kThreads);
  const std::string body =
      "SEL R16, R0, R1, P0\nSEL R17, R0, R1, !P1\nFSEL R18, R0, R1, P2\nFSEL R19, -R0, |R1|, !P2\n"
      "MOV R20, R2\n@P3 SEL R20, R20, 0x7, P4\nMOV R21, R2\n@!P3 FSEL R21, -|R0|, -R21, P4\n"
      "SEL R22, RZ, " +
      constant_at(2) + ", P5\nFSEL R23, -RZ, -" + constant_at(3) + ", P5\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 8, warp_size);
  constexpr std::uint32_t kSign = 0x80000000U;
  std::vector<Row> expected(8, Row(kThreads));
  for (std::size_t t = 0; t < kThreads; ++t) {
    const std::uint32_t a = inputs.registers[0][t];
    const std::uint32_t b = inputs.registers[1][t];
    const std::uint32_t old = inputs.registers[2][t];
    const auto p = [&](unsigned index) { return inputs.predicate(index, t); };
    expected[0][t] = p(0) ? a : b;
    expected[1][t] = p(1) ? b : a;
    expected[2][t] = p(2) ? a : b;
    expected[3][t] = p(2) ? b & ~kSign : a ^ kSign;
    expected[4][t] = !p(3) || p(4) ? old : 7;
    expected[5][t] = p(3) ? old : p(4) ? a | kSign : old ^ kSign;
    expected[6][t] = p(5) ? 0 : inputs.constants[2];
    expected[7][t] = p(5) ? kSign : inputs.constants[3] ^ kSign;
  }
  for (unsigned i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
  }
}

}  // namespace
}  // namespace heddle::exec
