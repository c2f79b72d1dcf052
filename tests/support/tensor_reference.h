// What tensor cores make of one element, written apart from isa/exec/matrix_product: terms as doubles, which
// hold them exactly. And operands to try it on.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/matrix_product.h"
#include "tests/support/lane_values.h"

namespace heddle::test {

/// The elements of a product, and how wide its sums are.
struct TensorNumbers {
  bool is_bfloat = false;
  bool has_wide_sums = true;
  bool has_tf32 = false;  ///< A and B are floats, of whose fractions 10 bits count.
  bool has_bytes = false;  ///< A and B are floats of 8 bits, E5M2 or E4M3. Where fewer bits of fractions count than a sum has, it has no more.
  bool a_is_e4m3 = false;
  bool b_is_e4m3 = false;
};

/// c + the products of a row of A and a column of B, in bits.
std::uint32_t tensor_element(const TensorNumbers& numbers, const exec::TensorArithmetic& arithmetic,
                             const std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& column,
                             std::uint32_t c);

/// One 16-bit number. Kind 0: anything finite; 1: near one; 2: denormals and zeros too; 3: NaNs and
/// infinities too.
std::uint32_t narrow_operand(LaneValues& values, bool is_bfloat, unsigned kind);

/// A 32-bit one, likewise.
std::uint32_t single_operand(LaneValues& values, unsigned kind);

}  // namespace heddle::test
