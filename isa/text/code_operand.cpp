#include "isa/text/code_operand.h"

#include "isa/text/number.h"

namespace heddle::text {

namespace {

using ir::Operand;

Operand use_label(KernelDraft& draft, unsigned place, const Token& label) {
  draft.label_uses.push_back({static_cast<Pc>(draft.kernel.instructions.size()), place, label});
  Operand target;
  target.kind = Operand::Kind::Target;
  return target;
}

}  // namespace

Operand read_target(StatementReader& reader, KernelDraft& draft, unsigned place) {
  const bool is_wrapped = reader.accept('`');
  if (is_wrapped) reader.expect('(');
  const bool is_address = !is_wrapped && parse_integer(reader.peek().text).has_value();
  const Token name = is_address
                         ? reader.take()
                         : reader.expect(Token::Kind::Word, ir::info(ir::OperandRole::Target).expected);
  if (is_wrapped) reader.expect(')');
  return use_label(draft, place, name);
}

bool relocation_follows(const StatementReader& reader) {
  const std::string_view line = reader.rest_of_line();
  return line.starts_with("32@lo(") || line.starts_with("32@hi(");
}

Operand read_relocation(StatementReader& reader, KernelDraft& draft, unsigned place) {
  reader.take();
  reader.expect('@');
  const bool is_low = reader.take().text == "lo";
  reader.expect('(');
  reader.expect('(');
  reader.expect(Token::Kind::Word, "the name of a function");
  reader.expect('+');
  const Token label = reader.expect(Token::Kind::Word, "a label");
  reader.expect('@');
  reader.expect(Token::Kind::Word, "srel");
  reader.expect(')');
  reader.expect(')');
  if (!is_low) return Operand{};
  return use_label(draft, place, label);
}

}  // namespace heddle::text
