#include "isa/text/copy_rules.h"

#include <fmt/format.h>

#include "isa/text/mistakes.h"

namespace heddle::text {

bool is_copy_form(const ir::Modifiers& modifiers) {
  switch (modifiers.get(ir::ModifierGroup::Width)) {
    case ir::Modifier::WidthB128:
      return true;
    case ir::Modifier::WidthB32:
    case ir::Modifier::WidthB64:
      return !modifiers.has(ir::Modifier::BypassL1);
    default:
      return false;
  }
}

void check_copy(const Token& opcode, const ir::Instruction& instruction) {
  if (ir::info(instruction.opcode).action != ir::Action::Copy || is_copy_form(instruction.modifiers)) return;
  fail(opcode,
       fmt::format("{}: a copy has 4, 8 or 16 bytes, past L1 only 16: .BYPASS.128", quoted(opcode.text)));
}

}  // namespace heddle::text
