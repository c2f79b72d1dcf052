#include "isa/ptx/source_lines.h"

#include <fmt/format.h>

#include <limits>

#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

std::uint32_t read_number(TokenReader& tokens, std::string_view what) {
  return static_cast<std::uint32_t>(read_count(tokens, what, std::numeric_limits<std::uint32_t>::max()));
}

SourceLine read_position(TokenReader& tokens) {
  SourceLine line;
  line.file = read_number(tokens, "the number of a file");
  line.line = read_number(tokens, "the number of a line");
  line.column = read_number(tokens, "the number of a column");
  return line;
}

/// function_name LABEL, or LABEL+12. The words are as they are written.
std::string read_function(TokenReader& tokens) {
  std::string label(tokens.expect(Token::Kind::Word, "a label in .debug_str").text);
  if (!tokens.accept('+')) return label;
  return label + fmt::format("+{}", read_number(tokens, "an offset"));
}

}  // namespace

void SourceLines::read(TokenReader& tokens) {
  SourceLine line = read_position(tokens);
  while (tokens.accept(',')) {
    const Token word = tokens.expect(Token::Kind::Word, "'function_name' or 'inlined_at'");
    if (word.text == "function_name") {
      line.function = read_function(tokens);
    } else if (word.text == "inlined_at") {
      line.inlined_at = find(read_position(tokens));
    } else {
      fail_expected("'function_name' or 'inlined_at'", word);
    }
  }
  current_ = add(std::move(line));
}

std::uint32_t SourceLines::add(SourceLine line) {
  const Position position{line.file, line.line, line.column};
  const auto found = last_at_.find(position);
  if (found != last_at_.end()) {
    const SourceLine& last = lines_[found->second];
    if (last.inlined_at == line.inlined_at && last.function == line.function) return found->second;
  }
  const auto index = static_cast<std::uint32_t>(lines_.size());
  lines_.push_back(std::move(line));
  last_at_[position] = index;
  return index;
}

/// The call: a line that came before and may be inlined itself.
std::uint32_t SourceLines::find(const SourceLine& call) {
  const auto found = last_at_.find({call.file, call.line, call.column});
  return found != last_at_.end() ? found->second : add(call);
}

}  // namespace heddle::ptx
