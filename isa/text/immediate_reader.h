// Parses immediate operands.
#pragma once

#include <cstdint>

#include "isa/ir/instruction.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Whether a number, INF or QNAN comes next.
bool number_follows(const StatementReader& reader);

/// Reads an immediate source of 1 or 2 words of 32 bits. The row decides how a bare number is read. A sign
/// has been read before. Throws Mistake.
ir::Operand read_number(StatementReader& reader, const ir::OpcodeInfo& row, bool negative, unsigned words);

/// Reads an unsigned integer of 32 bits. Throws Mistake; its message names the limit. The verifier checks the limit.
ir::Operand read_number_up_to(StatementReader& reader, std::uint32_t limit);

}  // namespace heddle::text
