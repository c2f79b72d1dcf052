// Where operands come from and where results go: every form of operand, guards, and destinations that are
// sources.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_operations.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::size_t kThreads = 1'280;
constexpr unsigned kRounds = 12;  // kThreads each: more than 10,000 operands for every instruction

struct SignForm {
  bool negated = false;
  bool absolute = false;

  [[nodiscard]] std::uint32_t apply(std::uint32_t word, Signs signs) const {
    if (signs == Signs::Integer) return negated ? ~word + 1 : word;
    if (signs == Signs::Inverse) return negated ? ~word : word;
    const std::uint32_t sign = signs == Signs::Halves ? 0x80008000U : 0x80000000U;
    if (absolute) word &= ~sign;
    return negated ? word ^ sign : word;
  }
  [[nodiscard]] std::string around(const std::string& text, Signs signs) const {
    const char* sign = !negated ? "" : signs == Signs::Inverse ? "~" : "-";
    return sign + (absolute ? "|" + text + "|" : text);
  }
};

/// An operand as written, and what it is worth in each thread.
struct OperandForm {
  std::string text;
  Row values;
};

class FormMaker {
 public:
  FormMaker(LaneValues& values, const LaneInputs& inputs) : values_(values), inputs_(inputs) {}

  OperandForm make(Signs signs, bool register_only) {
    switch (values_.below(register_only ? 4 : 8)) {
      case 0:
        return signed_form("RZ", Row(inputs_.threads()), signs);
      case 4:
        return immediate();
      case 5:
      case 6:
        return constant(signs);
      default: {
        const unsigned index = values_.below(4);
        return signed_form(fmt::format("R{}", index), inputs_.registers[index], signs);
      }
    }
  }

 private:
  OperandForm immediate() {
    const std::uint32_t word = values_.word();
    return {fmt::format("{:#010x}", word), Row(inputs_.threads(), word)};
  }
  OperandForm constant(Signs signs) {
    const unsigned index = values_.below(static_cast<unsigned>(inputs_.constants.size()));
    return signed_form(constant_at(index), Row(inputs_.threads(), inputs_.constants[index]), signs);
  }
  OperandForm signed_form(const std::string& text, const Row& row, Signs signs) {
    SignForm form;
    if (signs != Signs::None) form.negated = values_.one_in(2);
    if (signs == Signs::Float || signs == Signs::Halves) form.absolute = values_.one_in(3);
    OperandForm made{form.around(text, signs), row};
    for (std::uint32_t& word : made.values) word = form.apply(word, signs);
    return made;
  }

  LaneValues& values_;
  const LaneInputs& inputs_;
};

/// One instruction with its operands, as text and as what it should leave.
struct Expectation {
  std::string text;
  Row row;
};

Expectation with_random_forms(const LaneOperation& operation, FormMaker& maker, unsigned result) {
  std::vector<OperandForm> forms;
  Expectation made{fmt::format("{} {}", operation.mnemonic, result_register(result)), {}};
  for (unsigned i = 0; i < operation.sources; ++i) {
    forms.push_back(maker.make(operation.signs, i == 0 && !operation.first_takes_all));
    made.text += ", " + forms.back().text;
  }
  made.text += operation.tail + "\n";
  while (forms.size() < 3) forms.push_back({"", Row(forms[0].values.size())});
  for (std::size_t t = 0; t < forms[0].values.size(); ++t) {
    made.row.push_back(operation.reference(forms[0].values[t], forms[1].values[t], forms[2].values[t]));
  }
  return made;
}

void check(const std::vector<Expectation>& expectations, const LaneInputs& inputs, unsigned warp_size) {
  std::string body;
  for (const Expectation& expectation : expectations) body += expectation.text;
  const auto count = static_cast<unsigned>(expectations.size());
  const LaneOutputs outputs = run_lanes(body, inputs, count, warp_size);
  for (unsigned i = 0; i < count; ++i) {
    CAPTURE(expectations[i].text);
    CHECK(first_difference(outputs.registers[i], expectations[i].row, inputs) == "");
  }
}

/// A body has results for so many.
void check_when_full(std::vector<Expectation>& expectations, const LaneInputs& inputs, unsigned warp_size) {
  if (expectations.size() < kMostResults) return;
  check(expectations, inputs, warp_size);
  expectations.clear();
}

TEST_CASE("operands may be registers, numbers and constants, negated and absolute") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0xf0'4335 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(4, kThreads);
  FormMaker maker(values, inputs);
  for (unsigned round = 0; round < kRounds; ++round) {
    std::vector<Expectation> expectations;
    for (const LaneOperation& operation : lane_operations()) {
      check_when_full(expectations, inputs, warp_size);
      expectations.push_back(with_random_forms(operation, maker, static_cast<unsigned>(expectations.size())));
    }
    check(expectations, inputs, warp_size);
  }
}

TEST_CASE("comparisons take the same forms of operands") {
  const std::uint64_t seed = 0xf04c;
  CAPTURE(seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(4, kThreads);
  FormMaker maker(values, inputs);
  for (const LaneComparison& comparison : lane_comparisons()) {
    for (unsigned round = 0; round < 8; ++round) {
      const Signs signs = comparison.is_float ? Signs::Float : Signs::None;
      const OperandForm a = maker.make(signs, true);
      const OperandForm b = maker.make(signs, false);
      const std::string text = fmt::format("{}.AND P6, PT, {}, {}, PT", comparison.mnemonic, a.text, b.text);
      Row expected = inputs.predicates;
      for (std::size_t t = 0; t < kThreads; ++t) {
        expected[t] = (expected[t] & 0x3fU) | (comparison.reference(a.values[t], b.values[t]) ? 0x40U : 0);
      }
      CAPTURE(text);
      CHECK(first_difference(run_lanes(text, inputs, 0, 32).predicates, expected, inputs) == "");
    }
  }
}

/// The destination holds R3 before, and only lanes whose guard holds may change it.
Expectation guarded(const LaneOperation& operation, const LaneInputs& inputs, unsigned result,
                    LaneValues& values) {
  const unsigned predicate = values.below(7);
  const bool negated = values.one_in(2);
  const std::string out = result_register(result);
  Expectation made{
      fmt::format("MOV {}, R3\n@{}P{} {} {}", out, negated ? "!" : "", predicate, operation.mnemonic, out),
      inputs.registers[3]};
  for (unsigned i = 0; i < operation.sources; ++i) made.text += fmt::format(", R{}", i);
  made.text += operation.tail + "\n";
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    if (inputs.predicate(predicate, t) == negated) continue;
    made.row[t] = operation.reference(inputs.registers[0][t], inputs.registers[1][t], inputs.registers[2][t]);
  }
  return made;
}

TEST_CASE("lanes whose guard does not hold keep their destination") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x94a4d + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  for (unsigned round = 0; round < kRounds; ++round) {
    const LaneInputs inputs = values.inputs(4, kThreads);
    std::vector<Expectation> expectations;
    for (const LaneOperation& operation : lane_operations()) {
      check_when_full(expectations, inputs, warp_size);
      expectations.push_back(guarded(operation, inputs, static_cast<unsigned>(expectations.size()), values));
    }
    check(expectations, inputs, warp_size);
  }
}

/// Some of the sources, at least one, are the destination itself, which holds R3 before; sometimes under a
/// guard.
Expectation in_place(const LaneOperation& operation, const LaneInputs& inputs, unsigned result,
                     LaneValues& values) {
  const std::string out = result_register(result);
  const bool is_guarded = values.one_in(2);
  const unsigned own = 1 + values.below((1U << operation.sources) - 1);  // bit i: source i is the destination
  Expectation made{fmt::format("MOV {}, R3\n{}{} {}", out, is_guarded ? "@P2 " : "", operation.mnemonic, out),
                   inputs.registers[3]};
  std::array<const Row*, 3> sources{};
  for (unsigned i = 0; i < 3; ++i) sources[i] = &inputs.registers[(own >> i & 1) != 0 ? 3 : i];
  for (unsigned i = 0; i < operation.sources; ++i) {
    made.text += ", " + ((own >> i & 1) != 0 ? out : fmt::format("R{}", i));
  }
  made.text += operation.tail + "\n";
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    if (is_guarded && !inputs.predicate(2, t)) continue;
    made.row[t] = operation.reference((*sources[0])[t], (*sources[1])[t], (*sources[2])[t]);
  }
  return made;
}

TEST_CASE("a destination may be any of the sources") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x1391ace + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  for (unsigned round = 0; round < kRounds; ++round) {
    const LaneInputs inputs = values.inputs(4, kThreads);
    std::vector<Expectation> expectations;
    for (const LaneOperation& operation : lane_operations()) {
      check_when_full(expectations, inputs, warp_size);
      expectations.push_back(in_place(operation, inputs, static_cast<unsigned>(expectations.size()), values));
    }
    check(expectations, inputs, warp_size);
  }
}

TEST_CASE("what is written to RZ is lost, and RZ stays zero") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(warp_size);
  const LaneInputs inputs = values.inputs(4, kThreads);
  std::string body;
  for (const LaneOperation& operation : lane_operations()) {
    body += operation.mnemonic + " RZ";
    for (unsigned i = 0; i < operation.sources; ++i) body += fmt::format(", R{}", i);
    body += operation.tail + "\n";
  }
  body += "IMAD.WIDE RZ, R0, R1, R2\n@P1 IMAD.WIDE RZ, R0, R1, R2\nLDC.64 RZ, " + constant_at(0) + "\n";
  body += "MOV R16, RZ\nIMAD.WIDE R18, RZ, RZ, RZ\nMOV R17, R18\nMOV R18, R19\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 3, warp_size);
  for (const Row& row : outputs.registers) CHECK(row == Row(kThreads));
}

}  // namespace
}  // namespace heddle::exec
