#include "isa/ptx/operand_reader.h"

#include <fmt/format.h>

#include "isa/base/quoted.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

Operand make(Operand::Kind kind, const Token& at) {
  Operand operand;
  operand.kind = kind;
  operand.place = at.place;
  return operand;
}

Operand make_constant(const Constant& value, const Token& at) {
  Operand operand = make(value.is_integer() ? Operand::Kind::Integer : Operand::Kind::Float, at);
  operand.bits = value.bits;
  operand.is_negative = value.is_negative();
  operand.is_single = value.kind == Constant::Kind::Single;
  return operand;
}

/// .x or .r: the number of a vector's element. kWhole if the word names none.
std::uint8_t element_of(std::string_view word) {
  constexpr std::string_view kElements = "xyzwrgba";
  if (word.size() != 1) return Operand::kWhole;
  const std::size_t index = kElements.find(word[0]);
  return index == std::string_view::npos ? Operand::kWhole : static_cast<std::uint8_t>(index % 4);
}

/// b0, h1, b3210. Its count is 0 if the word is no selector.
Selector selector_of(std::string_view word) {
  Selector selector;
  if (word.size() < 2 || word.size() > 5 || (word[0] != 'b' && word[0] != 'h')) return {};
  for (const char c : word.substr(1)) {
    if (c < '0' || c > '7') return {};
    selector.parts[selector.count++] = static_cast<std::uint8_t>(c - '0');
  }
  selector.unit = word[0];
  return selector;
}

bool is_name(const Token& token) { return token.is(Token::Kind::Word) && token.text != kWarpSize; }

}  // namespace

Operand OperandReader::read() {
  const Token first = tokens_.peek();
  Operand operand = read_primary();
  if (!tokens_.accept('|')) return operand;
  Operand pair = make(Operand::Kind::Pair, first);
  pair.elements.reserve(2);
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(read_scalar());
  return pair;
}

Operand OperandReader::read_primary() {
  return tokens_.peek().is_symbol('[') ? read_address() : read_inner();
}

Operand OperandReader::read_inner() { return tokens_.peek().is_symbol('{') ? read_vector() : read_scalar(); }

Operand OperandReader::read_scalar() {
  const Token first = tokens_.peek();
  if (is_name(first)) return read_name();
  if (first.is_symbol('!')) return read_inverted();
  if (first.is_symbol('-')) return read_minus();
  if (begins_constant(first)) return make_constant(read_constant(tokens_), first);
  fail_expected("an operand", first);
}

Operand OperandReader::read_list() {
  Operand list = make(Operand::Kind::List, tokens_.peek());
  tokens_.expect('(');
  if (tokens_.accept(')')) return list;
  do {
    list.elements.push_back(read_scalar());
  } while (tokens_.accept(','));
  tokens_.expect(')', "',' or ')'");
  return list;
}

std::uint32_t OperandReader::read_predicate() {
  const Token name = tokens_.expect(Token::Kind::Word, "a predicate");
  const auto reg = names_.find_register(name.text, function_);
  if (!reg) fail(name, names_.undeclared(name.text));
  const Register& found = function_.registers[*reg];
  if (found.type != Modifier::Pred) {
    fail(name, fmt::format("{} is a register of type .{}; expected a predicate", quoted(name.text),
                           info(found.type).word));
  }
  return *reg;
}

Operand OperandReader::read_vector() {
  Operand vector = make(Operand::Kind::Vector, tokens_.take());
  do {
    vector.elements.push_back(read_scalar());
  } while (tokens_.accept(','));
  tokens_.expect('}', "',' or '}'");
  return vector;
}

/// !p, or the logical inverse of a number.
Operand OperandReader::read_inverted() {
  const Token sign = tokens_.take();
  Operand operand = read_scalar();
  operand.place = sign.place;
  if (operand.kind == Operand::Kind::Register && !operand.negated) {
    operand.negated = true;
    return operand;
  }
  if (operand.kind != Operand::Kind::Integer) fail(sign, "'!' needs a predicate");
  return make_constant({Constant::Kind::Signed, operand.bits == 0 ? 1U : 0U}, sign);
}

/// -a of a video instruction, or a number.
Operand OperandReader::read_minus() {
  const Token sign = tokens_.take();
  if (!is_name(tokens_.peek())) return make_constant(read_constant_after_minus(tokens_), sign);
  Operand operand = read_name();
  operand.place = sign.place;
  if (operand.kind != Operand::Kind::Register) fail(sign, "'-' needs a register or a number");
  operand.negated = true;
  return operand;
}

Operand OperandReader::read_name() {
  const Token name = tokens_.take();
  if (name.text == "_") return make(Operand::Kind::Sink, name);
  if (const auto reg = names_.find_register(name.text, function_)) return read_register(name, *reg);
  if (const auto symbol = names_.symbol(name.text)) return read_symbol(name, *symbol);
  const auto special = find_special_register(name.text);
  if (!special) fail(name, names_.undeclared(name.text));
  Operand operand = make(Operand::Kind::SpecialRegister, name);
  operand.special = special->special;
  operand.number = special->number;
  read_part(operand);
  return operand;
}

Operand OperandReader::read_register(const Token& name, std::uint32_t reg) {
  Operand operand = make(Operand::Kind::Register, name);
  operand.reg = reg;
  read_part(operand);
  if (operand.selector.count == 0 && read_offset(operand)) operand.kind = Operand::Kind::Sum;
  return operand;
}

/// .x of a vector, .b0 of a video instruction's operand.
void OperandReader::read_part(Operand& operand) {
  if (!tokens_.peek().is(Token::Kind::DotWord)) return;
  const Token part = tokens_.take();
  operand.element = element_of(part.inner());
  if (operand.element != Operand::kWhole) return;
  operand.selector = selector_of(part.inner());
  if (operand.selector.count == 0 || operand.kind != Operand::Kind::Register) {
    fail(part,
         fmt::format(
             "{} is no part of a register; expected .x, .y, .z, .w, or .b0 and .h0 in video instructions",
             quoted(part.text)));
  }
}

Operand OperandReader::read_symbol(const Token& name, SymbolRef symbol) {
  Operand operand = make(Operand::Kind::Symbol, name);
  operand.symbol = symbol;
  if (tokens_.peek().is_symbol('[')) {
    read_index(operand);
  } else {
    read_offset(operand);
  }
  return operand;
}

/// a[2], a[%r1], a[%r1 + 2].
void OperandReader::read_index(Operand& operand) {
  const Token bracket = tokens_.take();
  const Variable* array = variable(operand.symbol);
  if (array == nullptr) fail(bracket, "a function has no elements");
  operand.stride = static_cast<std::uint32_t>(array->element_bytes());
  const Token index = tokens_.peek();
  if (is_name(index)) {
    tokens_.take();
    const auto reg = names_.find_register(index.text, function_);
    if (!reg) fail(index, names_.undeclared(index.text));
    operand.kind = Operand::Kind::Element;
    operand.reg = *reg;
    read_offset(operand);
  } else {
    const Constant value = read_constant(tokens_);
    if (!value.is_integer()) fail(index, "an index is an integer");
    operand.bits = value.bits;
  }
  operand.bits *= operand.stride;
  tokens_.expect(']');
}

/// [base + offset], perhaps with more behind commas: [tensor, {x, y}].
Operand OperandReader::read_address() {
  Operand address = make(Operand::Kind::Address, tokens_.take());
  read_base(address);
  while (tokens_.accept(',')) address.elements.push_back(read_inner());
  tokens_.expect(']', "',' or ']'");
  return address;
}

void OperandReader::read_base(Operand& address) {
  const Token first = tokens_.peek();
  if (!is_name(first)) {
    if (!begins_constant(first)) fail_expected("an address", first);
    const Constant value = read_constant(tokens_);
    if (!value.is_integer()) fail(first, "an address is an integer");
    address.bits = value.bits;
    return;
  }
  const Operand base = read_name();
  const bool is_register = base.kind == Operand::Kind::Register || base.kind == Operand::Kind::Sum;
  const bool is_variable = base.kind == Operand::Kind::Symbol || base.kind == Operand::Kind::Element;
  if ((!is_register && !is_variable) || base.selector.count != 0) {
    fail(first,
         fmt::format("{} is no address; expected a register, a variable or a number", quoted(first.text)));
  }
  address.symbol = base.symbol;
  address.reg = base.reg;
  address.element = base.element;
  address.stride = base.stride;
  address.bits = base.bits;
}

/// + 4, + -4 or - 4. False if there is none.
bool OperandReader::read_offset(Operand& operand) {
  const Token sign = tokens_.peek();
  if (!sign.is_symbol('+') && !sign.is_symbol('-')) return false;
  const Constant value = read_constant(tokens_);
  if (!value.is_integer()) fail(sign, "an offset is an integer");
  operand.bits = value.bits;
  return true;
}

const Variable* OperandReader::variable(SymbolRef symbol) const {
  switch (symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      return &variables_[symbol.index];
    case SymbolRef::Kind::Parameter:
      return &function_.parameters[symbol.index];
    case SymbolRef::Kind::Return:
      return &function_.returns[symbol.index];
    case SymbolRef::Kind::LocalVariable:
      return &function_.variables[symbol.index];
    case SymbolRef::Kind::Function:
    case SymbolRef::Kind::None:
      break;
  }
  return nullptr;
}

}  // namespace heddle::ptx
