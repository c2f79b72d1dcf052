// Parses operands that are one word, perhaps negated: predicates, special registers, barriers, scoreboards.
#pragma once

#include <string_view>

#include "isa/ir/operand_rules.h"
#include "isa/text/operand_place.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

// All throw Mistake where something else stands than the role expects.

/// A predicate of the file that the role has, perhaps negated.
ir::Operand read_predicate(StatementReader& reader, ir::OperandRole role, OperandPlace& where);
/// PR or UPR, all predicates: which ones are meant, the mask says.
ir::Operand read_all_predicates(StatementReader& reader, ir::OperandRole role);
/// SR_TID.X.
ir::Operand read_special(StatementReader& reader, ir::OperandRole role);
/// B0 to B15.
ir::Operand read_convergence_barrier(StatementReader& reader, ir::OperandRole role);
/// 1D, ARRAY_2D and so on.
ir::Operand read_texture_shape(StatementReader& reader, ir::OperandRole role);
/// SB0 to SB5.
ir::Operand read_scoreboard(StatementReader& reader, ir::OperandRole role);
/// gsb0.
ir::Operand read_group_scoreboard(StatementReader& reader, ir::OperandRole role);

/// P0 to P6 or PT.
std::uint8_t read_predicate_name(StatementReader& reader, ir::PredicateFile file);

/// Whether it names the shape of a texture.
bool is_texture_shape(std::string_view text);

/// "R300" was meant to be a register of this prefix: then the message says which there are.
bool resembles_register(std::string_view text, char prefix);

}  // namespace heddle::text
