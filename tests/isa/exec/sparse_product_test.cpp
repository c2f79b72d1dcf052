// HMMA.SP and IMMA.SP: which elements of A the metadata give, and what comes of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"
#include "tests/support/tensor_reference.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 640;
constexpr unsigned kLanes = 32;

/// One of the instructions. A is in R0, B in R4, C in R8, the metadata in R12; D goes to R16.
struct Form {
  const char* mnemonic;
  unsigned depth;      // of B
  unsigned bits;       // of an element
  unsigned selectors;  // that it has
  bool is_bfloat = false;
  bool has_wide_sums = true;

  [[nodiscard]] unsigned given() const { return depth / 2; }
  [[nodiscard]] unsigned in_word() const { return 32 / bits; }
  [[nodiscard]] unsigned results() const { return has_wide_sums ? 4 : 2; }
  [[nodiscard]] std::string line(unsigned selector) const {
    return fmt::format("{} R16, R0, R4, R8, R12, {:#x}", mnemonic, selector);
  }
};

constexpr Form kFloats[] = {
    {"HMMA.SP.16816.F32", 16, 16, 4},
    {"HMMA.SP.16816.F32.BF16", 16, 16, 4, true},
    {"HMMA.SP.16816.F16", 16, 16, 4, false, false},
    {"HMMA.SP.16832.F32", 32, 16, 2},
    {"HMMA.SP.16832.F32.BF16", 32, 16, 2, true},
    {"HMMA.SP.16832.F16", 32, 16, 2, false, false},
    {"HMMA.SP.1688.F32.TF32", 8, 32, 4},
    {"HMMA.SP.16816.F32.TF32", 16, 32, 2},
};

/// The metadata's four bits for a group of A's row: PTX ISA, sparse matrix storage.
unsigned nibble_of(const Form& form, const Row& metadata, std::size_t first, unsigned selector, unsigned row,
                   unsigned group) {
  const std::size_t quad = first + 4 * (row % 8);
  const bool is_lower = row >= 8;
  if (form.bits == 8 && form.depth == 64) return metadata[quad + group / 8 * 2 + is_lower] >> group % 8 * 4 & 15;
  if (form.bits == 8) return metadata[quad + 2 * selector + is_lower] >> group * 4 & 15;
  const bool is_one_lane = form.selectors == 4;
  const U32 word = is_one_lane ? metadata[quad + selector] : metadata[quad + 2 * selector + group / 4];
  return (is_lower ? word >> 16 : word & 0xffff) >> group % 4 * 4 & 15;
}

/// Where the i-th given element of a row lies along k.
unsigned place_of(const Form& form, unsigned nibble, unsigned i) {
  if (form.bits == 32) return 2 * i + (nibble == 0xe ? 1 : 0);
  return i / 2 * 4 + (i % 2 == 0 ? nibble & 3 : nibble >> 2);
}

/// An element in the registers from `first_register` on of the four lanes that hold a row of A or a column of B.
/// `step`: registers from one to the next that goes on along k.
U32 element(const Form& form, const LaneInputs& inputs, unsigned first_register, unsigned step, std::size_t quad,
            unsigned k) {
  const unsigned word = k / form.in_word();
  const U32 bits = inputs.registers[first_register + word / 4 * step][quad + word % 4];
  return form.bits == 32 ? bits : bits >> k % form.in_word() * form.bits & ((1U << form.bits) - 1);
}

/// Each sum by `sum_of(what is given of a row of A, what of a column of B meets it, C)`.
template <typename SumOf>
Row expected_sum(const Form& form, const LaneInputs& inputs, unsigned selector, unsigned result, SumOf sum_of) {
  Row expected(inputs.threads());
  for (std::size_t first = 0; first < inputs.threads(); first += kLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto sum = [&](unsigned row, unsigned column, U32 c) {
        std::vector<U32> a;
        std::vector<U32> b;
        for (unsigned i = 0; i < form.given(); ++i) {
          const unsigned group = form.bits == 32 ? i : i / 2;
          const unsigned nibble = nibble_of(form, inputs.registers[12], first, selector, row, group);
          a.push_back(element(form, inputs, row / 8, 2, first + 4 * (row % 8), i));
          b.push_back(element(form, inputs, 4, 1, first + 4 * column, place_of(form, nibble, i)));
        }
        return sum_of(a, b, c);
      };
      const U32 c = inputs.registers[8 + result][first + lane];
      const unsigned column = lane % 4 * 2;
      if (form.has_wide_sums) {
        expected[first + lane] = sum(lane / 4 + (result < 2 ? 0 : 8), column + result % 2, c);
      } else {
        const unsigned row = lane / 4 + 8 * result;
        expected[first + lane] = sum(row, column + 1, c >> 16) << 16 | sum(row, column, c & 0xffff);
      }
    }
  }
  return expected;
}

/// Metadata name two places in order.
U32 metadata_word(LaneValues& values, unsigned bits) {
  constexpr unsigned kPairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
  constexpr unsigned kSingles[] = {0x4, 0xe};
  U32 word = 0;
  for (unsigned i = 0; i < 8; ++i)
    word = word << 4 | (bits == 32 ? kSingles[values.below(2)] : kPairs[values.below(6)]);
  return word;
}

LaneInputs random_inputs(LaneValues& values, const Form& form, unsigned kind) {
  LaneInputs inputs;
  inputs.registers.assign(13, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  const auto number = [&](bool is_bfloat) { return narrow_operand(values, is_bfloat, kind); };
  for (unsigned i = 0; i < 12; ++i) {
    for (U32& word : inputs.registers[i]) {
      if (form.bits == 8) {
        word = values.any_bits();
      } else if (form.bits == 32 || (i >= 8 && form.has_wide_sums)) {
        word = single_operand(values, kind);
      } else {
        word = number(form.is_bfloat) << 16 | number(form.is_bfloat);
      }
    }
  }
  for (U32& word : inputs.registers[12]) word = metadata_word(values, form.bits);
  return inputs;
}

void check(const Form& form, const LaneInputs& inputs, unsigned selector, const std::vector<Row>& expected,
           const TensorArithmetic& arithmetic) {
  for (const unsigned warp_size : {32U, 64U}) {
    CAPTURE(form.mnemonic, selector, warp_size);
    const LaneOutputs outputs = run_lanes(form.line(selector), inputs, form.results(), warp_size, arithmetic);
    for (unsigned i = 0; i < form.results(); ++i) {
      CAPTURE(i);
      CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
    }
  }
}

TEST_CASE("sparse products of floats add what the metadata give as dense ones add it") {
  LaneValues values(0x5a11);
  const TensorArithmetic arithmetic = GENERATE(TensorArithmetic{8, 24}, TensorArithmetic{16, 25});
  for (const Form& form : kFloats) {
    for (unsigned selector = 0; selector < form.selectors; ++selector) {
      const LaneInputs inputs = random_inputs(values, form, selector % 4);
      std::vector<Row> expected;
      for (unsigned result = 0; result < form.results(); ++result) {
        expected.push_back(expected_sum(form, inputs, selector, result, [&](const auto& a, const auto& b, U32 c) {
          const bool is_tf32 = form.bits == 32;
          return tensor_element({form.is_bfloat, form.has_wide_sums, is_tf32},
                                {is_tf32 ? arithmetic.terms / 2 : arithmetic.terms, arithmetic.fraction_bits}, a, b, c);
        }));
      }
      check(form, inputs, selector, expected, arithmetic);
    }
  }
}

std::int64_t as_number(U32 byte, bool has_sign) {
  return has_sign ? std::int64_t{static_cast<std::int8_t>(byte)} : std::int64_t{byte};
}

TEST_CASE("sparse products of whole numbers") {
  LaneValues values(0x5a12);
  for (const char* shape : {"IMMA.SP.16832", "IMMA.SP.16864"}) {
    for (unsigned kind = 0; kind < 8; ++kind) {
      const bool has_a_sign = (kind & 1) != 0;
      const bool has_b_sign = (kind & 2) != 0;
      const bool saturates = (kind & 4) != 0;
      const std::string mnemonic = fmt::format("{}.{}.{}{}", shape, has_a_sign ? "S8" : "U8",
                                               has_b_sign ? "S8" : "U8", saturates ? ".SAT" : "");
      const bool is_deep = mnemonic.find("16864") != std::string::npos;
      const Form form{mnemonic.c_str(), is_deep ? 64U : 32U, 8, is_deep ? 1U : 2U};
      for (unsigned selector = 0; selector < form.selectors; ++selector) {
        const LaneInputs inputs = random_inputs(values, form, 0);
        std::vector<Row> expected;
        for (unsigned result = 0; result < 4; ++result) {
          expected.push_back(expected_sum(form, inputs, selector, result, [&](const auto& a, const auto& b, U32 c) {
            std::int64_t sum = static_cast<std::int32_t>(c);
            for (std::size_t i = 0; i < a.size(); ++i) sum += as_number(a[i], has_a_sign) * as_number(b[i], has_b_sign);
            if (saturates) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
            return static_cast<U32>(sum);
          }));
        }
        check(form, inputs, selector, expected, {});
      }
    }
  }
}

}  // namespace
}  // namespace heddle::exec
