#include "isa/text/product_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/text/mistakes.h"
#include "isa/text/names.h"
#include "isa/text/register_runs.h"

namespace heddle::text {

namespace {

constexpr std::string_view kRoleText = "descriptors such as gdesc[UR4]";

/// Behind the bracket: nothing, .tnspA, .tnspB, or both.
std::uint64_t read_transposed(StatementReader& reader) {
  if (reader.peek().kind != Token::Kind::Word) return 0;
  const Token token = reader.take();
  const auto* found = std::find(kTransposedNames.begin() + 1, kTransposedNames.end(), token.text);
  if (found == kTransposedNames.end()) fail_expected(".tnspA, .tnspB or ','", token);
  return static_cast<std::uint64_t>(found - kTransposedNames.begin());
}

}  // namespace

ir::Operand read_matrix_descriptors(StatementReader& reader, unsigned width) {
  const Token name = reader.expect(Token::Kind::Word, kRoleText);
  if (name.text != kDescriptorsName) fail_expected(kRoleText, name);
  reader.expect('[');
  const Token first = reader.expect(Token::Kind::Word, "a uniform register");
  const auto index = parse_uniform(first.text);
  if (!index || *index == ir::kUniformZero) fail_expected("a uniform register UR0 to UR62", first);
  check_uniforms(first, *index, width);
  reader.expect(']');
  ir::Operand made;
  made.kind = ir::Operand::Kind::Descriptors;
  made.index = *index;
  made.value = read_transposed(reader);
  return made;
}

void check_product(const Token& opcode, const ir::Instruction& instruction) {
  if (ir::info(instruction.opcode).action != ir::Action::MultiplyInGroup) return;
  const ir::Operand& result = instruction.operands[0];
  const ir::Operand& descriptors = instruction.operands[2];
  const ir::Operand& sums = instruction.operands[3];
  if (sums.index != ir::kRegisterZero && sums.index != result.index) {
    fail(opcode, fmt::format("a product is added to the registers that it is left in: {} or RZ, not {}",
                             register_name(result.index), register_name(sums.index)));
  }
  if (ir::has_matrix_in_registers(instruction) && (descriptors.value & ir::kTransposedA) != 0) {
    fail(opcode, "A lies in registers: only .tnspB can stand behind its descriptor");
  }
}

void check_uniform_guard(const Token& opcode, const ir::Instruction& instruction) {
  if (!ir::runs_once(ir::info(instruction.opcode)) || instruction.guard.always()) return;
  if (ir::is_uniform_predicate(instruction.guard.predicate)) return;
  fail(opcode, fmt::format("{} takes no guard but a uniform predicate: it changes the register for all lanes",
                           quoted(opcode.text)));
}

}  // namespace heddle::text
