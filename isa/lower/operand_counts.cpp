#include "isa/lower/operand_counts.h"

namespace heddle::lower {

bool has_its_operands(const ptx::Instruction& instruction) {
  if (!instruction.unknown_words.empty()) return true;  // its operands are not read
  const std::size_t count = instruction.operands.size();
  switch (instruction.opcode) {
#define OPERANDS(name, least, most) \
  case ptx::Opcode::name:           \
    return count >= (least) && count <= (most);
#include "isa/lower/operand_counts.def"
#undef OPERANDS
    default:
      return true;
  }
}

}  // namespace heddle::lower
