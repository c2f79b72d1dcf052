// What the lanes of a warp compute, vectorised for the host.
//
// A register is a row of one 32-bit word a lane; wider values are adjacent rows, low word first. Functions
// compute whole rows, whatever the mask: the caller keeps the lanes that took part (blend_rows). The result
// row may be an operand's own row, but not overlap it otherwise.
//
// Each function is written once, as what one lane does (semantics_*-inl.h), and compiled for several vector
// widths; the widest that the machine has is chosen when the program starts.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::exec {

/// Lanes are computed in groups of this many: rows are a multiple of it long.
inline constexpr unsigned kLaneGroup = 16;

/// The operands of one warp instruction, as rows of the warp's registers.
struct LaneArgs {
  std::uint32_t* out = nullptr;  ///< 1, 2 or 4 rows
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  const std::uint32_t* c = nullptr;
  LaneMask predicate = 0;      ///< The first predicate operand, negation applied.
  LaneMask more_predicates[2] = {};  ///< Those that follow it.
  LaneMask* second = nullptr;  ///< Where instructions that compute two predicates leave the second one.
  std::uint32_t immediate = 0;  ///< The truth tables of LOP3 and PLOP3, LEA's shift.
  unsigned lanes = 32;
};

/// Comparisons and carries return the lanes for which they hold; everything else returns nothing of use.
using LaneFunction = LaneMask (*)(const LaneArgs&);

/// The function for an instruction whose opcode's action is Lanes or UniformLanes.
LaneFunction lane_function(const ir::Instruction& instruction);

/// Copies the lanes of `mask` from `source` to `target`, `rows` rows of `lanes` words.
void blend_rows(std::uint32_t* target, const std::uint32_t* source, LaneMask mask, unsigned rows, unsigned lanes);

/// target = (source & keep) ^ flip for so many words, whole rows.
void mask_and_flip(std::uint32_t* target, const std::uint32_t* source, std::uint32_t keep, std::uint32_t flip,
                   unsigned words);

}  // namespace heddle::exec
