// Numbers that stand in an instruction.
#pragma once

#include <cstdint>

#include "isa/ir/instruction.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Whether the statement goes on with a number, INF or QNAN.
bool number_follows(const StatementReader& reader);

/// A source of so many 32-bit words, 1 or 2, as rows of this kind read a bare number. A sign has been taken already.
/// Throws Mistake.
ir::Operand read_number(StatementReader& reader, const ir::OpcodeInfo& row, bool negative, unsigned words);

/// An unsigned integer up to the limit. Throws Mistake.
ir::Operand read_number_up_to(StatementReader& reader, std::uint32_t limit);

}  // namespace heddle::text
