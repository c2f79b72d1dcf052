// IMMA, BMMA, DMMA and HMMA of tf32: where elements lie, and what comes of them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"
#include "tests/support/tensor_reference.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 640;
constexpr unsigned kLanes = 32;

/// One of the instructions. A is in R0, B in R4, C in R8; D goes to R16.
struct Form {
  const char* mnemonic;
  unsigned rows;   // of A, C and D
  unsigned depth;  // columns of A, rows of B
  unsigned bits;   // of an element of A or B

  [[nodiscard]] unsigned sums() const { return rows / 4; }
};

// -- where elements lie: PTX ISA, matrix fragments of mma.m8n8k4 to mma.m16n8k256 ---------------------------

struct Place {
  unsigned row;
  unsigned column;
};

/// Element i of A that a lane holds.
Place place_in_a(const Form& form, unsigned lane, unsigned i) {
  const unsigned group = lane >> 2;
  const unsigned in_word = 32 / std::min(form.bits, 32U);
  const unsigned column = lane % 4 * in_word + i % in_word;
  if (form.rows == 8) return {group, column};
  const bool is_upper = i < in_word || (2 * in_word <= i && i < 3 * in_word);
  return {is_upper ? group : group + 8, column + (i >= 2 * in_word ? 4 * in_word : 0)};
}

Place place_in_b(const Form& form, unsigned lane, unsigned i) {
  const unsigned in_word = 32 / std::min(form.bits, 32U);
  return {lane % 4 * in_word + i % in_word + (i >= in_word ? 4 * in_word : 0), lane >> 2};
}

Place place_in_c(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

/// Bits of element i of a lane's registers from `first` on.
U32 element(const Form& form, const LaneInputs& inputs, unsigned first, std::size_t thread, unsigned i) {
  const unsigned at = i * form.bits;
  const U32 word = inputs.registers[first + at / 32][thread] >> at % 32;
  return form.bits == 32 ? word : word & ((1U << form.bits) - 1);
}

struct Matrices {
  U32 a[16][256] = {};
  U32 b[256][8] = {};
};

Matrices matrices_of(const Form& form, const LaneInputs& inputs, std::size_t first) {
  Matrices m;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < form.rows * form.depth / kLanes; ++i) {
      const Place at = place_in_a(form, lane, i);
      m.a[at.row][at.column] = element(form, inputs, 0, first + lane, i);
    }
    for (unsigned i = 0; i < form.depth * 8 / kLanes; ++i) {
      const Place at = place_in_b(form, lane, i);
      m.b[at.row][at.column] = element(form, inputs, 4, first + lane, i);
    }
  }
  return m;
}

/// Each sum by `sum_of(row of A, column of B, C)`.
template <typename SumOf>
std::vector<Row> expected_of(const Form& form, const LaneInputs& inputs, SumOf sum_of) {
  std::vector<Row> expected(form.sums(), Row(inputs.threads()));
  for (std::size_t first = 0; first < inputs.threads(); first += kLanes) {
    const Matrices m = matrices_of(form, inputs, first);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < form.sums(); ++i) {
        const Place at = place_in_c(lane, i);
        std::vector<U32> row(m.a[at.row], m.a[at.row] + form.depth);
        std::vector<U32> column;
        for (unsigned k = 0; k < form.depth; ++k) column.push_back(m.b[k][at.column]);
        expected[i][first + lane] = sum_of(row, column, inputs.registers[8 + i][first + lane]);
      }
    }
  }
  return expected;
}

LaneInputs random_inputs(LaneValues& values) {
  LaneInputs inputs;
  inputs.registers.assign(12, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  for (Row& row : inputs.registers) {
    for (U32& word : row) word = values.any_bits();
  }
  return inputs;
}

void check(const std::string& line, const LaneInputs& inputs, const std::vector<Row>& expected,
           const TensorArithmetic& arithmetic = {}) {
  for (const unsigned warp_size : {32U, 64U}) {
    CAPTURE(line, warp_size);
    const LaneOutputs outputs =
        run_lanes(line, inputs, static_cast<unsigned>(expected.size()), warp_size, arithmetic);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
    }
  }
}

// -- whole numbers
// --------------------------------------------------------------------------------------------

constexpr Form kIntegers[] = {
    {"IMMA.8816", 8, 16, 8}, {"IMMA.16816", 16, 16, 8}, {"IMMA.16832", 16, 32, 8},
    {"IMMA.8832", 8, 32, 4}, {"IMMA.16832", 16, 32, 4}, {"IMMA.16864", 16, 64, 4},
};

std::int64_t value_of(U32 bits, unsigned width, bool has_sign) {
  const std::int64_t magnitude = bits;
  return has_sign && bits >> (width - 1) != 0 ? magnitude - (std::int64_t{1} << width) : magnitude;
}

TEST_CASE("IMMA is the product of matrices of whole numbers, modulo 2^32 or clamped") {
  LaneValues values(0x1a4a);
  for (const Form& form : kIntegers) {
    for (const unsigned signs : {0U, 1U, 2U, 3U}) {
      const bool a_signed = (signs & 1) != 0;
      const bool b_signed = (signs & 2) != 0;
      for (const bool saturates : {false, true}) {
        LaneInputs inputs = random_inputs(values);
        // Half of the sums begin near an end of their range.
        for (unsigned i = 8; i < 12; ++i) {
          for (U32& word : inputs.registers[i]) {
            if (values.one_in(2)) word = 0x7fffffffU + values.below(2) * 2 - 1000 + values.below(2000);
          }
        }
        const auto sum_of = [&](const std::vector<U32>& row, const std::vector<U32>& column, U32 c) {
          std::int64_t sum = value_of(c, 32, true);
          for (std::size_t k = 0; k < row.size(); ++k)
            sum += value_of(row[k], form.bits, a_signed) * value_of(column[k], form.bits, b_signed);
          if (saturates) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
          return static_cast<U32>(sum);
        };
        check(fmt::format("{}.{}{}.{}{}{} R16, R0.ROW, R4.reuse.COL, R8", form.mnemonic, a_signed ? 'S' : 'U',
                          form.bits, b_signed ? 'S' : 'U', form.bits, saturates ? ".SAT" : ""),
              inputs, expected_of(form, inputs, sum_of));
      }
    }
  }
}

TEST_CASE("BMMA counts the bits that A and B have in common, or that differ") {
  LaneValues values(0xb4a);
  for (const Form& form :
       {Form{"BMMA.88128", 8, 128, 1}, Form{"BMMA.168128", 16, 128, 1}, Form{"BMMA.168256", 16, 256, 1}}) {
    for (const bool combines_and : {false, true}) {
      const LaneInputs inputs = random_inputs(values);
      const auto sum_of = [&](const std::vector<U32>& row, const std::vector<U32>& column, U32 c) {
        for (std::size_t k = 0; k < row.size(); ++k)
          c += combines_and ? row[k] & column[k] : row[k] ^ column[k];
        return c;
      };
      check(fmt::format("{}.{}.POPC R16, R0.ROW, R4.COL, R8", form.mnemonic, combines_and ? "AND" : "XOR"),
            inputs, expected_of(form, inputs, sum_of));
    }
  }
}

// -- floats
// ---------------------------------------------------------------------------------------------------

TEST_CASE(
    "HMMA of tf32 adds half as many products at once as that of halves, and looks at 19 bits of a factor") {
  LaneValues values(0x7f32);
  for (const Form& form : {Form{"HMMA.1684.F32.TF32", 16, 4, 32}, Form{"HMMA.1688.F32.TF32", 16, 8, 32}}) {
    for (const TensorArithmetic arithmetic : {TensorArithmetic{8, 24}, TensorArithmetic{16, 25}}) {
      LaneInputs inputs = random_inputs(values);
      for (Row& row : inputs.registers) {
        for (std::size_t t = 0; t < kThreads; ++t)
          row[t] = single_operand(values, static_cast<unsigned>(t / kLanes % 4));
      }
      const auto sum_of = [&](const std::vector<U32>& row, const std::vector<U32>& column, U32 c) {
        TensorNumbers numbers;
        numbers.has_tf32 = true;
        return tensor_element(numbers, {arithmetic.terms / 2, arithmetic.fraction_bits}, row, column, c);
      };
      check(fmt::format("{} R16, R0, R4, R8", form.mnemonic), inputs, expected_of(form, inputs, sum_of),
            arithmetic);
    }
  }
}

TEST_CASE("DMMA adds products of doubles in the order of k, each rounded once") {
  // PTX ISA, mma.m8n8k4 of .f64: lane 4 g + t has A of row g and column t, B of row t and column g.
  LaneValues values(0xd4a);
  LaneInputs inputs = random_inputs(values);
  const auto put = [&](unsigned first, std::size_t thread, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    inputs.registers[first][thread] = static_cast<U32>(bits);
    inputs.registers[first + 1][thread] = static_cast<U32>(bits >> 32);
  };
  const auto get = [&](unsigned first, std::size_t thread) {
    return std::bit_cast<double>(std::uint64_t{inputs.registers[first + 1][thread]} << 32 |
                                 inputs.registers[first][thread]);
  };
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (const unsigned first : {0U, 4U, 8U, 10U})
      put(first, t,
          std::ldexp(static_cast<double>(values.any_bits()) - 2147483648.0,
                     static_cast<int>(values.below(60)) - 30));
  }
  std::vector<Row> expected(4, Row(kThreads));
  for (std::size_t warp = 0; warp < kThreads; warp += kLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < 2; ++i) {
        const Place at = place_in_c(lane, i);
        double sum = get(8 + 2 * i, warp + lane);
        for (unsigned k = 0; k < 4; ++k)
          sum = std::fma(get(0, warp + 4 * at.row + k), get(4, warp + 4 * at.column + k), sum);
        const auto bits = std::bit_cast<std::uint64_t>(sum);
        expected[2 * i][warp + lane] = static_cast<U32>(bits);
        expected[2 * i + 1][warp + lane] = static_cast<U32>(bits >> 32);
      }
    }
  }
  check("DMMA.884 R16, R0, R4, R8", inputs, expected);
  check("DMMA.8x8x4 R16, R0, R4, R8", inputs, expected);
}

}  // namespace
}  // namespace heddle::exec
