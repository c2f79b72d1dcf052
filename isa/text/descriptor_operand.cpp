#include "isa/text/descriptor_operand.h"

#include <algorithm>

#include "isa/text/mistakes.h"
#include "isa/text/names.h"

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
  made.value = read_transposed(reader);
  return made;
}

}  // namespace heddle::text
