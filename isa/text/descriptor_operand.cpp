#include "isa/text/descriptor_operand.h"

#include "isa/text/mistakes.h"
#include "isa/text/names.h"

namespace heddle::text {

namespace {

constexpr std::string_view kRoleText = "descriptors such as gdesc[UR4]";

/// Behind the bracket: nothing, or what is done to the matrices.
std::uint64_t read_signs(StatementReader& reader) {
  if (reader.peek().kind != Token::Kind::Word) return 0;
  const Token token = reader.take();
  std::string_view rest = token.text;
  std::uint64_t bits = 0;
  for (const DescriptorSign& sign : kDescriptorSigns) {
    if (!rest.starts_with(sign.name)) continue;
    bits |= sign.bit;
    rest.remove_prefix(sign.name.size());
  }
  if (!rest.empty()) fail_expected(".negA, .negB, .tnspA, .tnspB or ','", token);
  return bits;
}

}  // namespace

ir::Operand read_matrix_descriptors(StatementReader& reader, OperandPlace& where) {
  const Token name = reader.expect(Token::Kind::Word, kRoleText);
  if (name.text != kDescriptorsName) fail_expected(kRoleText, name);
  reader.expect('[');
  const Token first = reader.expect(Token::Kind::Word, "a uniform register");
  const auto index = parse_uniform(first.text);
  if (!index || *index == ir::kUniformZero) fail_expected("a uniform register UR0 to UR62", first);
  where.value = first;
  reader.expect(']');
  ir::Operand made;
  made.kind = ir::Operand::Kind::Descriptors;
  made.index = *index;
  made.value = read_signs(reader);
  return made;
}

}  // namespace heddle::text
