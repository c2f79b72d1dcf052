#include "isa/ptx/initializer_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "isa/base/quoted.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

class InitializerReader {
 public:
  InitializerReader(TokenReader& tokens, const Names& names, Variable& variable)
      : tokens_(tokens), names_(names), variable_(variable) {}

  void read();

 private:
  void set_steps();
  void read_lists();
  void open(const Token& brace);
  void close();
  void add();
  InitialValue read_value();
  void read_symbol(InitialValue& value);
  void read_name(InitialValue& value, const Token& name);
  void close_dimension();

  TokenReader& tokens_;
  const Names& names_;
  Variable& variable_;
  std::uint64_t next_ = 0;             // position of the next value
  std::uint64_t most_ = 0;             // positions that there are
  std::vector<std::uint64_t> steps_;   // positions in what a list at each depth has as elements
  std::vector<std::uint64_t> begins_;  // where the lists that are open begin
};

/// Lists within lists are dimensions; the innermost may be a vector.
void InitializerReader::set_steps() {
  std::uint64_t step = 1;
  if (variable_.vector_width > 1) steps_.push_back(step);
  step = variable_.vector_width;
  for (std::size_t i = variable_.dimensions.size(); i-- > 0;) {
    steps_.push_back(step);
    step *= variable_.dimensions[i];
  }
  std::reverse(steps_.begin(), steps_.end());
  most_ = variable_.is_open ? std::numeric_limits<std::uint64_t>::max() : step;
}

void InitializerReader::read() {
  set_steps();
  if (tokens_.peek().is_symbol('{')) {
    read_lists();
  } else {
    add();
  }
  close_dimension();
}

void InitializerReader::read_lists() {
  do {
    const Token token = tokens_.peek();
    if (token.is_symbol('{')) {
      open(token);
      if (!tokens_.peek().is_symbol('}')) continue;
    } else if (!token.is_symbol('}')) {
      add();
    }
    while (!begins_.empty() && tokens_.accept('}')) close();
    if (!begins_.empty()) tokens_.expect(',', "',' or '}'");
  } while (!begins_.empty());
}

void InitializerReader::open(const Token& brace) {
  if (begins_.size() >= std::max<std::size_t>(steps_.size(), 1)) {
    fail(brace, fmt::format("more braces than {} has dimensions", quoted(variable_.name)));
  }
  tokens_.take();
  begins_.push_back(next_);
}

/// What the list leaves out is zero.
void InitializerReader::close() {
  const std::uint64_t begin = begins_.back();
  begins_.pop_back();
  if (!begins_.empty()) next_ = begin + steps_[begins_.size() - 1];
}

void InitializerReader::add() {
  const Token first = tokens_.peek();
  // Where the first dimension is open a list within it still has its size.
  const bool is_full = begins_.size() >= 2 && next_ - begins_.back() >= steps_[begins_.size() - 2];
  if (is_full || next_ >= most_) {
    fail(first, fmt::format("more values than {} has elements", quoted(variable_.name)));
  }
  InitialValue value = read_value();
  value.index = next_++;
  value.place = first.place;
  variable_.initial.push_back(value);
}

InitialValue InitializerReader::read_value() {
  InitialValue value;
  const Token first = tokens_.peek();
  if (first.is(Token::Kind::Word) && first.text != kWarpSize) {
    read_symbol(value);
    return value;
  }
  if (!begins_constant(first)) fail_expected("a number or the name of a variable or function", first);
  const Constant number = read_constant(tokens_);
  if (tokens_.peek().is_symbol('(') && number.is_integer()) {
    value.mask = number.bits;
    tokens_.take();
    read_symbol(value);
    tokens_.expect(')');
    return value;
  }
  value.kind = number.is_integer() ? InitialValue::Kind::Integer : InitialValue::Kind::Float;
  value.is_single = number.kind == Constant::Kind::Single;
  value.bits = number.bits;
  return value;
}

/// name, name + 4, generic(name), generic(name) + 4.
void InitializerReader::read_symbol(InitialValue& value) {
  Token name = tokens_.expect(Token::Kind::Word, "the name of a variable or function");
  if (name.text == "generic" && tokens_.accept('(')) {
    value.is_generic = true;
    name = tokens_.expect(Token::Kind::Word, "the name of a variable");
    read_name(value, name);
    tokens_.expect(')');
  } else {
    read_name(value, name);
  }
  if (!tokens_.peek().is_symbol('+') && !tokens_.peek().is_symbol('-')) return;
  const Token sign = tokens_.peek();
  const Constant offset = read_constant(tokens_);
  if (!offset.is_integer()) fail(sign, "an offset is an integer");
  value.bits += offset.bits;
}

void InitializerReader::read_name(InitialValue& value, const Token& name) {
  const auto symbol = names_.symbol(name.text);
  if (!symbol) fail(name, names_.undeclared(name.text));
  value.kind = InitialValue::Kind::Symbol;
  value.symbol = *symbol;
  if (!tokens_.peek().is_symbol('+') && !tokens_.peek().is_symbol('-')) return;
  const Token sign = tokens_.peek();
  const Constant offset = read_constant(tokens_);
  if (!offset.is_integer()) fail(sign, "an offset is an integer");
  value.bits = offset.bits;
}

void InitializerReader::close_dimension() {
  if (!variable_.is_open) return;
  const std::uint64_t step = steps_.front();
  const std::uint64_t count = step == 0 ? 0 : (next_ + step - 1) / step;
  variable_.dimensions.front() = count;
  variable_.elements = count * (step / variable_.vector_width);
  variable_.is_open = false;
}

/// { addr_mode_0 = wrap, filter_mode = linear }: fields of a sampler or texture, kept as attributes.
void read_fields(TokenReader& tokens, Variable& variable) {
  tokens.expect('{');
  do {
    const Token name = tokens.expect(Token::Kind::Word, "the name of a field");
    tokens.expect('=');
    const Token value = tokens.take();
    if (!value.is(Token::Kind::Word) && !value.is(Token::Kind::Number))
      fail_expected("a field's value", value);
    Directive field;
    field.name = name.text;
    field.texts.emplace_back(value.text);
    field.place = name.place;
    variable.attributes.push_back(std::move(field));
  } while (tokens.accept(','));
  tokens.expect('}', "',' or '}'");
}

}  // namespace

void read_initializer(TokenReader& tokens, const Names& names, Variable& variable) {
  if (info(variable.type).kind == TypeKind::Opaque && tokens.peek().is_symbol('{')) {
    return read_fields(tokens, variable);
  }
  InitializerReader(tokens, names, variable).read();
}

}  // namespace heddle::ptx
