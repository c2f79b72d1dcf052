// Every instruction that computes a word or a predicate in each lane, against the references.
#include <fmt/format.h>

#include <span>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_operations.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::size_t kThreads = 10'240;  // a multiple of two warps of any size

Row expected_row(const LaneOperation& operation, const LaneInputs& inputs) {
  Row row(inputs.threads());
  for (std::size_t t = 0; t < row.size(); ++t) {
    row[t] = operation.reference(inputs.registers[0][t], inputs.registers[1][t], inputs.registers[2][t]);
  }
  return row;
}

std::string plain_text(const LaneOperation& operation, unsigned result) {
  std::string text = fmt::format("{} {}", operation.mnemonic, result_register(result));
  for (unsigned i = 0; i < operation.sources; ++i) text += fmt::format(", R{}", i);
  return text + operation.tail + "\n";
}

void check_operations(std::span<const LaneOperation> operations, const LaneInputs& inputs, unsigned warp_size) {
  if (operations.size() > kMostResults) {
    check_operations(operations.subspan(kMostResults), inputs, warp_size);
    operations = operations.first(kMostResults);
  }
  std::string body;
  const auto count = static_cast<unsigned>(operations.size());
  for (unsigned i = 0; i < count; ++i) body += plain_text(operations[i], i);
  const LaneOutputs outputs = run_lanes(body, inputs, count, warp_size);
  for (unsigned i = 0; i < count; ++i) {
    CAPTURE(operations[i].mnemonic, operations[i].tail);
    CHECK(first_difference(outputs.registers[i], expected_row(operations[i], inputs), inputs) == "");
  }
  CHECK(outputs.predicates == inputs.predicates);
}

/// Two inputs that are equal, or nearly so, for comparisons and cancellation.
void bring_together(LaneValues& values, LaneInputs& inputs) {
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    if (values.one_in(4)) inputs.registers[1][t] = inputs.registers[0][t] + values.below(3) - 1;
  }
}

/// The shift amount is what is rarely drawn: most of its bits do not matter.
void set_shift_amounts(LaneValues& values, LaneInputs& inputs) {
  for (std::uint32_t& amount : inputs.registers[1]) {
    if (!values.one_in(8)) amount = values.below(80);
  }
}

TEST_CASE("every instruction of one word gives the bits of its reference") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x1a9e'0000 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  LaneInputs inputs = values.inputs(3, kThreads);
  SECTION("with independent operands") {}
  SECTION("with operands near one another") { bring_together(values, inputs); }
  SECTION("with small shift amounts") { set_shift_amounts(values, inputs); }
  check_operations(lane_operations(), inputs, warp_size);
}

TEST_CASE(
    "SHF moves by no more than its type has bits, or by what is left of the amount with them taken off") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x5bf0'0000 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  LaneInputs inputs = values.inputs(3, kThreads);
  set_shift_amounts(values, inputs);
  check_operations(lane_shifts(), inputs, warp_size);
}

TEST_CASE("LOP3 computes each of its 256 tables") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x10b3'0000 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  LaneInputs inputs = values.inputs(3, kThreads);
  for (Row& row : inputs.registers) {
    for (std::uint32_t& word : row) word = values.any_bits();
  }
  // One thread's words hold all eight combinations of three bits, so that no table can hide.
  inputs.registers[0][0] = 0xf0f0f0f0;
  inputs.registers[1][0] = 0xcccccccc;
  inputs.registers[2][0] = 0xaaaaaaaa;
  for (unsigned first = 0; first < 256; first += 64) {
    std::vector<LaneOperation> operations;
    for (unsigned table = first; table < first + 64; ++table) operations.push_back(lop3_operation(table));
    check_operations(operations, inputs, warp_size);
  }
}

}  // namespace
}  // namespace heddle::exec
