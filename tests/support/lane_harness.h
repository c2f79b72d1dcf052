// Runs instructions on given values, every thread with its own, and gives back what they left.
//
// The registers R0 to R15 and all predicates hold what the inputs say. The body, kernel text without EXIT,
// leaves its results in R16, R17, ... and in the predicates. R240 and above belong to the harness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/exec/matrix_product.h"

namespace heddle::test {

/// One word a thread.
using Row = std::vector<std::uint32_t>;

inline constexpr unsigned kFirstResult = 16;
inline constexpr unsigned kMostResults = 224;  // the addresses lie behind them

struct LaneInputs {
  std::vector<Row> registers;            ///< R0, R1, ...: at least one, at most 16; all of the same length.
  Row predicates;                        ///< Bit p of a thread's word is P<p>; empty: all false.
  /// Words of constant bank 0, parameters; constant_at() says where they lie.
  std::vector<std::uint32_t> constants;

  [[nodiscard]] std::size_t threads() const { return registers.front().size(); }
  [[nodiscard]] bool predicate(unsigned index, std::size_t thread) const {
    return (predicates[thread] >> index & 1) != 0;
  }
};

struct LaneOutputs {
  std::vector<Row> registers;  ///< R16, R17, ...
  Row predicates;              ///< As in LaneInputs.
};

/// How a body names word `index` of the inputs' constants: "c[0x0][0x170]". The first is 16-byte aligned.
std::string constant_at(unsigned index);

/// "R16" for result 0.
std::string result_register(unsigned index);

/// Blocks have two warps; the number of threads must be a multiple of that.
LaneOutputs run_lanes(const std::string& body, const LaneInputs& inputs, unsigned results,
                      unsigned warp_size, const exec::TensorArithmetic& tensor = {});

/// Empty if the rows are equal; else a sentence on the first thread in which they are not.
std::string first_difference(const Row& found, const Row& expected, const LaneInputs& inputs);

}  // namespace heddle::test
