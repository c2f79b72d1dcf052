#include "isa/text/constant_operand.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/ir/operand_rules.h"
#include "isa/text/mistakes.h"
#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

ir::Operand constant_at(std::uint64_t offset) {
  ir::Operand constant;
  constant.kind = ir::Operand::Kind::Constant;
  constant.value = offset;
  return constant;
}

std::uint64_t read_integer(StatementReader& reader, std::string_view what) {
  const Token token = reader.expect(Token::Kind::Number, what);
  const auto value = parse_integer(token.text);
  if (!value) fail_expected(what, token);
  return *value;
}

std::uint8_t read_bank(StatementReader& reader) {
  const Token bank = reader.peek();
  const std::uint64_t number = read_integer(reader, "a bank");
  if (!ir::is_constant_bank(number)) {
    fail(bank,
         fmt::format(
             "there is no constant bank {}; launch and parameters are in bank 0x0, what .const declares "
             "in bank 0x3",
             quoted(bank.text)));
  }
  return static_cast<std::uint8_t>(number);
}

/// The sum between the second brackets of a constant: numbers, names of bank 3's data, perhaps a register.
class ConstantSum {
 public:
  ConstantSum(const KernelDraft& draft, std::uint8_t bank, ConstantIndex index)
      : draft_(draft), bank_(bank), index_(index) {}

  /// `begin` becomes where it begins, without text where that is a name.
  ir::Operand read(StatementReader& reader, Token& begin) {
    begin = reader.peek();
    if (begin.kind != Token::Kind::Number) begin.text = begin.text.substr(0, 0);
    do {
      add(reader.take());
    } while (reader.accept('+'));
    ir::Operand made = constant_at(offset_);
    made.bank = bank_;
    if (register_ || uniform_) {
      made.kind = ir::Operand::Kind::IndexedConstant;
      made.index = register_.value_or(ir::kRegisterZero);
      made.uniform = uniform_.value_or(ir::kUniformZero);
    }
    return made;
  }

 private:
  void add(const Token& term) {
    if (term.kind == Token::Kind::Number) {
      const auto value = parse_integer(term.text);
      if (!value) fail_expected(kTerms, term);
      offset_ +=
          std::min<std::uint64_t>(*value, ir::kConstantBankBytes);  // no sum of tokens comes round to 0
    } else if (const auto index = parse_register(term.text)) {
      add_register(term, *index);
    } else if (const auto uniform = parse_uniform(term.text)) {
      add_uniform(term, *uniform);
    } else {
      offset_ += symbol_offset(term);
    }
  }

  void add_register(const Token& term, std::uint8_t index) {
    if (index_ == ConstantIndex::Uniform) fail_expected("a uniform register, or an offset", term);
    if (index_ == ConstantIndex::None) fail(term, "only LDC takes a register in the address of a constant");
    require_first(term);
    if (index != ir::kRegisterZero) register_ = index;
  }

  void add_uniform(const Token& term, std::uint8_t index) {
    if (index_ == ConstantIndex::None)
      fail(term, "only LDC and ULDC take a uniform register in the address of a constant");
    require_first(term);
    if (index != ir::kUniformZero) uniform_ = index;
  }

  void require_first(const Token& term) const {
    if (register_ || uniform_) fail(term, "the address of a constant has one register only");
  }

  [[nodiscard]] std::uint64_t symbol_offset(const Token& term) const {
    if (bank_ != ir::kDataBank || term.kind != Token::Kind::Word) fail_expected(kTerms, term);
    const auto found = draft_.constant_symbols.find(term.text);
    if (found == draft_.constant_symbols.end()) {
      fail(term,
           fmt::format("{} is no constant of kernel {}{}", quoted(term.text), quoted(draft_.kernel.name),
                       did_you_mean(term.text, names_of(draft_.constant_symbols))));
    }
    return draft_.kernel.constant_symbols[found->second].offset;
  }

  static constexpr std::string_view kTerms = "an offset in the constant bank";

  const KernelDraft& draft_;
  std::uint8_t bank_;
  ConstantIndex index_;
  std::optional<std::uint8_t> register_;
  std::optional<std::uint8_t> uniform_;
  std::uint64_t offset_ = 0;
};

[[noreturn]] void fail_size(const Token& name, std::string_view type, unsigned bytes, unsigned needed) {
  fail(name, fmt::format("{} is a {} of {} bytes, but {} bytes are read here", quoted(name.text), type, bytes,
                         needed));
}

[[noreturn]] void fail_unknown_constant(const KernelDraft& draft, const Token& name) {
  if (draft.constant_symbols.count(name.text) != 0) {
    fail(name, fmt::format("{} is no parameter; what .const declares is read as c[{:#x}][{}]",
                           quoted(name.text), ir::kDataBank, name.text));
  }
  std::vector<std::string_view> known = names_of(draft.params);
  for (const ir::NamedConstant& constant : ir::kLaunchConstants) known.push_back(constant.name);
  fail(name, fmt::format("kernel {} has no parameter {}{}", quoted(draft.kernel.name), quoted(name.text),
                         did_you_mean(name.text, known)));
}

std::uint64_t named_offset(const KernelDraft& draft, const Token& name, unsigned bytes) {
  for (const ir::NamedConstant& constant : ir::kLaunchConstants) {
    if (constant.name != name.text) continue;
    if (bytes != 4) fail_size(name, "launch constant", 4, bytes);
    return constant.offset(draft.kernel);
  }
  const auto found = draft.params.find(name.text);
  if (found == draft.params.end()) fail_unknown_constant(draft, name);
  const ir::Param& param = draft.kernel.params[found->second];
  if (size_of(param.type) != bytes) {
    fail_size(name, param_type_name(param.type), size_of(param.type), bytes);
  }
  return param.offset;
}

}  // namespace

ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes,
                          ConstantIndex index, OperandPlace& where) {
  const Token bank = reader.peek();
  if (bank.text != "c") fail_expected("a constant c[...]", bank);
  reader.take();
  reader.expect('[');
  ir::Operand made;
  if (reader.peek().kind == Token::Kind::Word) {
    made = constant_at(named_offset(draft, reader.take(), bytes));
  } else {
    const std::uint8_t number = read_bank(reader);
    reader.expect(']');
    reader.expect('[');
    made = ConstantSum(draft, number, index).read(reader, where.value);
  }
  reader.expect(']');
  return made;
}

}  // namespace heddle::text
