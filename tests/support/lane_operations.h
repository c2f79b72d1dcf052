// The instructions that lanes carry out by themselves, each with every modifier, beside their references.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/lane_reference.h"

namespace heddle::test {

/// Which operands may be written -x, ~x or |x|, and what a sign turns over.
enum class Signs { None, Integer, Inverse, Float, Halves };

/// Up to three words in, one word out.
struct LaneOperation {
  std::string mnemonic;  ///< With its modifiers.
  unsigned sources = 0;
  Signs signs = Signs::None;
  bool first_takes_all = false;  ///< The first source may be a number or a constant as well.
  std::string tail;              ///< What is written after the sources.
  std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)> reference;
};

/// Two words in, a truth value out.
struct LaneComparison {
  std::string mnemonic;  ///< Without the .AND, .OR or .XOR.
  bool is_float = false;
  std::function<bool(std::uint32_t, std::uint32_t)> reference;
};

/// All whose results are determined to the bit; LOP3 with one table only.
std::vector<LaneOperation> lane_operations();

/// All of SHF.
std::vector<LaneOperation> lane_shifts();

LaneOperation lop3_operation(unsigned table);

// Parts of lane_operations(), added at its end.
void add_bit_operations(std::vector<LaneOperation>& all);
void add_float_operations(std::vector<LaneOperation>& all);

/// ISETP and FSETP with every comparison.
std::vector<LaneComparison> lane_comparisons();

/// MUFU's functions: RCP, RSQ, SQRT, EX2, LG2, SIN, COS.
std::vector<std::string> special_functions();

}  // namespace heddle::test
