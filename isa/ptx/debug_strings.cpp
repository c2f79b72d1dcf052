#include "isa/ptx/debug_strings.h"

#include "isa/base/read_number.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

void DebugStrings::read(TokenReader& tokens) {
  const Token brace = tokens.peek();
  tokens.expect('{');
  while (!tokens.accept('}')) {
    if (tokens.is_at_end()) fail(brace, "a section that never ends: '{' without '}'");
    read_token(tokens);
  }
}

/// A label, or .b8 and its numbers; whatever else there may be is of no interest.
void DebugStrings::read_token(TokenReader& tokens) {
  const Token token = tokens.take();
  if (token.is(Token::Kind::Word) && tokens.accept(':')) {
    labels_[token.text] = bytes_.size();
    return;
  }
  if (!token.is_dot("b8")) return;
  do {
    const Constant byte = read_literal(tokens.expect(Token::Kind::Number, "a byte"));
    bytes_ += static_cast<char>(byte.bits);
  } while (tokens.accept(','));
}

std::string DebugStrings::text_at(const std::string& label) const {
  const std::size_t plus = label.find('+');
  const auto found = labels_.find(std::string_view(label).substr(0, plus));
  if (found == labels_.end()) return label;
  const std::size_t offset =
      plus == std::string::npos
          ? 0
          : number_in<std::size_t>(std::string_view(label).substr(plus + 1)).value_or(0);
  const std::size_t begin = found->second + offset;
  if (begin >= bytes_.size() || offset >= bytes_.size()) return label;
  return bytes_.substr(begin, bytes_.find('\0', begin) - begin);
}

}  // namespace heddle::ptx
