// DMMA of 16 rows: where elements lie, and what comes of them.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 128;
constexpr unsigned kLanes = 32;
constexpr unsigned kPairs = 8;  // doubles of each thread among the inputs

// Which of a thread's inputs element i of a matrix is. Registers of inputs are too few for all of them.
unsigned input_of_a(unsigned i) { return i; }
unsigned input_of_b(unsigned i) { return (i + 3) % kPairs; }
unsigned input_of_c(unsigned i) { return (5 * i + 1) % kPairs; }

constexpr unsigned kFirstOfA = 32;
constexpr unsigned kFirstOfB = 64;
constexpr unsigned kFirstOfC = 80;

std::string moves(unsigned first, unsigned count, unsigned (*input)(unsigned)) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned half = 0; half < 2; ++half)
      text += fmt::format("MOV R{}, R{}\n", first + 2 * i + half, 2 * input(i) + half);
  }
  return text;
}

double double_of(const LaneInputs& inputs, std::size_t thread, unsigned pair) {
  const std::uint64_t high = inputs.registers[2 * pair + 1][thread];
  return std::bit_cast<double>(high << 32 | inputs.registers[2 * pair][thread]);
}

/// Halves between -8 and 8, and of each eighth thread numbers whose products are rounded.
LaneInputs random_inputs(LaneValues& values) {
  LaneInputs inputs;
  inputs.registers.assign(2 * kPairs, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (unsigned pair = 0; pair < kPairs; ++pair) {
      const double whole = (static_cast<double>(values.below(33)) - 16) / 2;
      const auto bits = std::bit_cast<std::uint64_t>(t % 8 == 0 ? std::ldexp(whole, 3) + 1.0 / 3 : whole);
      inputs.registers[2 * pair][t] = static_cast<U32>(bits);
      inputs.registers[2 * pair + 1][t] = static_cast<U32>(bits >> 32);
    }
  }
  return inputs;
}

/// PTX ISA, fragments of mma.m16n8k4, k8 and k16 with .f64: lane 4 g + t has of A rows g and g + 8 in columns t, t + 4 and
/// so on, of B rows t, t + 4 and so on in column g, of C columns 2 t and 2 t + 1 of rows g and g + 8.
double sum_of(const LaneInputs& inputs, std::size_t first, unsigned lane, unsigned i, unsigned depth, bool adds) {
  const unsigned row = lane / 4 + 8 * (i / 2);
  const unsigned column = lane % 4 * 2 + i % 2;
  double sum = adds ? double_of(inputs, first + lane, input_of_c(i)) : 0;
  for (unsigned k = 0; k < depth; ++k) {
    const double a = double_of(inputs, first + row % 8 * 4 + k % 4, input_of_a(k / 4 * 2 + row / 8));
    const double b = double_of(inputs, first + column * 4 + k % 4, input_of_b(k / 4));
    sum = std::fma(a, b, sum);
  }
  return sum;
}

void check(unsigned depth, bool adds, std::uint64_t seed) {
  CAPTURE(depth, adds, seed);
  LaneValues values(seed);
  const LaneInputs inputs = random_inputs(values);
  const std::string body = moves(kFirstOfA, depth / 2, input_of_a) + moves(kFirstOfB, depth / 4, input_of_b) +
                           moves(kFirstOfC, 4, input_of_c) +
                           fmt::format("DMMA.16x8x{} R{}, R{}, R{}, {}", depth, kFirstResult, kFirstOfA, kFirstOfB,
                                       adds ? fmt::format("R{}", kFirstOfC) : "RZ");
  const LaneOutputs outputs = run_lanes(body, inputs, 8, kLanes);
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (unsigned i = 0; i < 4; ++i) {
      const auto lane = static_cast<unsigned>(t % kLanes);
      const auto expected = std::bit_cast<std::uint64_t>(sum_of(inputs, t - lane, lane, i, depth, adds));
      CAPTURE(t, i);
      CHECK((std::uint64_t{outputs.registers[2 * i + 1][t]} << 32 | outputs.registers[2 * i][t]) == expected);
    }
  }
}

TEST_CASE("DMMA of 16 rows adds products of doubles in the order of k, each rounded once") {
  for (const unsigned depth : {4U, 8U, 16U}) {
    check(depth, true, 0xd0 + depth);
    check(depth, false, 0xe0 + depth);
  }
}

}  // namespace
}  // namespace heddle::exec
