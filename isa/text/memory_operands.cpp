#include "isa/text/memory_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

constexpr std::uint64_t kGreatestTerm = std::numeric_limits<std::uint32_t>::max();

// -- constants ------------------------------------------------------------------------------------

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
  if (number != ir::kLaunchBank && number != ir::kDataBank) {
    fail(bank, fmt::format("there is no constant bank {}; launch and parameters are in bank 0x0, what .const declares "
                           "in bank 0x3",
                           quoted(bank.text)));
  }
  return static_cast<std::uint8_t>(number);
}

/// The sum between the second brackets of a constant: numbers, names of bank 3's data, perhaps a register.
class ConstantSum {
 public:
  ConstantSum(const KernelDraft& draft, std::uint8_t bank, bool may_be_indexed)
      : draft_(draft), bank_(bank), may_be_indexed_(may_be_indexed) {}

  ir::Operand read(StatementReader& reader, unsigned bytes) {
    const Token begin = reader.peek();
    do {
      add(reader.take());
    } while (reader.accept('+'));
    check_place(begin, bytes);
    ir::Operand made = constant_at(offset_);
    made.bank = bank_;
    if (register_) {
      made.kind = ir::Operand::Kind::IndexedConstant;
      made.index = *register_;
    }
    return made;
  }

 private:
  void add(const Token& term) {
    if (term.kind == Token::Kind::Number) {
      const auto value = parse_integer(term.text);
      if (!value) fail_expected(kTerms, term);
      offset_ += std::min<std::uint64_t>(*value, ir::kConstantBankBytes);  // no sum of tokens comes round to 0
    } else if (const auto index = parse_register(term.text)) {
      add_register(term, *index);
    } else {
      offset_ += symbol_offset(term);
    }
  }

  void add_register(const Token& term, std::uint8_t index) {
    if (!may_be_indexed_) fail(term, "only LDC takes a register in the address of a constant");
    if (register_) fail(term, "the address of a constant has one register only");
    if (index != ir::kRegisterZero) register_ = index;
  }

  [[nodiscard]] std::uint64_t symbol_offset(const Token& term) const {
    if (bank_ != ir::kDataBank || term.kind != Token::Kind::Word) fail_expected(kTerms, term);
    const auto found = draft_.constant_symbols.find(term.text);
    if (found == draft_.constant_symbols.end()) {
      fail(term, fmt::format("{} is no constant of kernel {}{}", quoted(term.text), quoted(draft_.kernel.name),
                             did_you_mean(term.text, names_of(draft_.constant_symbols))));
    }
    return draft_.kernel.constant_symbols[found->second].offset;
  }

  void check_place(const Token& begin, unsigned bytes) const {
    const auto offset_text = fmt::format("'{:#x}'", offset_);
    const std::string place = begin.kind == Token::Kind::Number ? quoted(begin.text) : offset_text;
    if (offset_ > ir::kConstantBankBytes - bytes) {
      fail(begin, fmt::format("{} is past the end of the constant bank, which has {:#x} bytes", place,
                              ir::kConstantBankBytes));
    }
    if (!register_ && offset_ % bytes != 0) {
      fail(begin, fmt::format("a constant of {} bytes lies at a multiple of {}, not at {}", bytes, bytes, place));
    }
  }

  static constexpr std::string_view kTerms = "an offset in the constant bank";

  const KernelDraft& draft_;
  std::uint8_t bank_;
  bool may_be_indexed_;
  std::optional<std::uint8_t> register_;
  std::uint64_t offset_ = 0;
};

[[noreturn]] void fail_size(const Token& name, std::string_view type, unsigned bytes, unsigned needed) {
  fail(name, fmt::format("{} is a {} of {} bytes, but {} bytes are read here", quoted(name.text), type, bytes,
                         needed));
}

[[noreturn]] void fail_unknown_constant(const KernelDraft& draft, const Token& name) {
  std::vector<std::string_view> known = names_of(draft.params);
  for (const ir::NamedConstant& constant : ir::kLaunchConstants) known.push_back(constant.name);
  fail(name, fmt::format("kernel {} has no parameter {}{}", quoted(draft.kernel.name), quoted(name.text),
                         did_you_mean(name.text, known)));
}

std::uint64_t named_offset(const KernelDraft& draft, const Token& name, unsigned bytes) {
  for (const ir::NamedConstant& constant : ir::kLaunchConstants) {
    if (constant.name != name.text) continue;
    if (bytes != 4) fail_size(name, "launch constant", 4, bytes);
    return constant.offset;
  }
  const auto found = draft.params.find(name.text);
  if (found == draft.params.end()) fail_unknown_constant(draft, name);
  const ir::Param& param = draft.kernel.params[found->second];
  if (size_of(param.type) != bytes) {
    fail_size(name, param_type_name(param.type), size_of(param.type), bytes);
  }
  return param.offset;
}

// -- addresses ------------------------------------------------------------------------------------

enum class Space : std::uint8_t { Global, Shared, Local };

/// What may stand in an address, in the order of Space.
constexpr std::string_view kTermTexts[] = {
    "a register pair such as R2.64, a uniform pair such as UR4.64, or an offset",
    "a register, a shared symbol or an offset", "a register or an offset"};

/// R2, R2.64, or, in global memory, R2.U32, in shared memory R2.X4.
struct BaseRegister {
  std::uint8_t index;
  std::uint8_t scale;
  bool is_narrow = false;
};

std::optional<BaseRegister> parse_base(std::string_view text, Space space) {
  const bool is_narrow = space == Space::Global && text.ends_with(kNarrowSuffix);
  if (is_narrow) text.remove_suffix(kNarrowSuffix.size());
  const AddressScale* scale = kAddressScales.data();
  if (space == Space::Shared) {
    const auto is_last = [text](const AddressScale& each) { return text.ends_with(each.suffix); };
    scale = &*std::find_if(kAddressScales.rbegin(), kAddressScales.rend(), is_last);
  }
  text.remove_suffix(!is_narrow && text.ends_with(kPairSuffix) ? kPairSuffix.size() : scale->suffix.size());
  const auto index = parse_register(text);
  if (!index) return std::nullopt;
  return {{*index, scale->bytes, is_narrow}};
}

/// UR4 or UR4.64.
std::optional<std::uint8_t> parse_uniform_base(std::string_view text, Space space) {
  if (space == Space::Local) return std::nullopt;
  if (text.ends_with(kPairSuffix)) text.remove_suffix(kPairSuffix.size());
  return parse_uniform(text);
}

/// The sum between the brackets of an address, term by term.
class AddressSum {
 public:
  AddressSum(const KernelDraft& draft, Space space) : draft_(draft), space_(space) {}

  void read(StatementReader& reader);
  [[nodiscard]] ir::Operand operand() const;

 private:
  void check_global(const Token& begin) const;
  void check_width(const Token& term) const;
  void add(const Token& term, bool negative);
  void add_base(const Token& term, const BaseRegister& base);
  void add_uniform(const Token& term, std::uint8_t index);
  [[nodiscard]] std::int64_t value_of(const Token& term) const;
  [[nodiscard]] std::uint32_t symbol_offset(const Token& term) const;

  const KernelDraft& draft_;
  Space space_;
  bool has_base_ = false;
  BaseRegister base_ = {ir::kRegisterZero, 1};
  std::optional<std::uint8_t> uniform_;
  std::int64_t offset_ = 0;
};

void AddressSum::read(StatementReader& reader) {
  reader.expect('[');
  const Token begin = reader.peek();
  bool negative = reader.accept('-');
  do {
    add(reader.take(), negative);
    negative = reader.accept('-');
    const bool goes_on = negative || reader.accept('+');
    if (!goes_on) break;
    if (!negative) negative = reader.accept('-');  // NVIDIA prints [R2+-0x10]
  } while (true);
  reader.expect(']');
  if (space_ == Space::Global) check_global(begin);
  if (offset_ < std::numeric_limits<std::int32_t>::min() ||
      offset_ > std::numeric_limits<std::int32_t>::max()) {
    fail(begin, fmt::format("the offset {} does not fit 32 bits with a sign", offset_));
  }
}

void AddressSum::check_global(const Token& begin) const {
  if (!has_base_ && !uniform_)
    fail_expected("a register pair such as R2.64 or a uniform pair such as UR4.64", begin);
  if (base_.is_narrow && !uniform_) {
    fail(begin,
         fmt::format("{} needs a uniform pair beside it, such as [{}+UR4]", quoted(begin.text), begin.text));
  }
}

void AddressSum::add(const Token& term, bool negative) {
  const bool is_word = term.kind == Token::Kind::Word;
  const auto base = is_word ? parse_base(term.text, space_) : std::nullopt;
  const auto uniform = is_word ? parse_uniform_base(term.text, space_) : std::nullopt;
  if (negative && (base || uniform)) fail(term, "a register cannot be subtracted in an address");
  if (base) return add_base(term, *base);
  if (uniform) return add_uniform(term, *uniform);
  const std::int64_t value = value_of(term);
  offset_ += negative ? -value : value;
}

void AddressSum::add_base(const Token& term, const BaseRegister& base) {
  if (has_base_) fail(term, "an address has one register only");
  check_width(term);
  has_base_ = true;
  base_ = base;
  check_registers(term, base.index, space_ == Space::Global && !base.is_narrow ? 2 : 1);
}

void AddressSum::check_width(const Token& term) const {
  if (space_ == Space::Global || !term.text.ends_with(kPairSuffix)) return;
  fail(term, fmt::format("addresses of {} memory have 32 bits: write {} without .64",
                         space_ == Space::Shared ? "shared" : "local",
                         quoted(term.text.substr(0, term.text.size() - kPairSuffix.size()))));
}

void AddressSum::add_uniform(const Token& term, std::uint8_t index) {
  if (uniform_) fail(term, "an address has one uniform register only");
  check_width(term);
  uniform_ = index;
  check_uniforms(term, index, space_ == Space::Global ? 2 : 1);
}

std::int64_t AddressSum::value_of(const Token& term) const {
  if (term.kind == Token::Kind::Number) {
    const auto value = parse_integer(term.text);
    if (!value || *value > kGreatestTerm) {
      fail(term, fmt::format("{} is no offset; an offset is an integer of 32 bits", quoted(term.text)));
    }
    return static_cast<std::int64_t>(*value);
  }
  if (space_ == Space::Shared && term.kind == Token::Kind::Word) return symbol_offset(term);
  fail_expected(kTermTexts[static_cast<std::size_t>(space_)], term);
}

std::uint32_t AddressSum::symbol_offset(const Token& term) const {
  const auto found = draft_.shared_symbols.find(term.text);
  if (found == draft_.shared_symbols.end()) {
    fail(term,
         fmt::format("{} is neither a register nor a shared symbol of kernel {}{}", quoted(term.text),
                     quoted(draft_.kernel.name), did_you_mean(term.text, names_of(draft_.shared_symbols))));
  }
  return draft_.kernel.shared_symbols[found->second].offset;
}

ir::Operand AddressSum::operand() const {
  ir::Operand address;
  address.kind = ir::Operand::Kind::Address;
  address.index = base_.index;
  address.scale = base_.scale;
  address.is_narrow = base_.is_narrow;
  address.uniform = uniform_.value_or(ir::kUniformZero);
  address.value = static_cast<std::uint64_t>(offset_);
  return address;
}

ir::Operand read_address(StatementReader& reader, const KernelDraft& draft, Space space) {
  AddressSum sum(draft, space);
  sum.read(reader);
  return sum.operand();
}

/// What registers are called, and where several can begin.
struct RegisterKind {
  std::string_view name;
  std::string_view prefix;
  unsigned last;
  unsigned alignment;
};

void check_run(const Token& at, std::uint8_t first, unsigned width, const RegisterKind& kind) {
  if (first % kind.alignment != 0) {
    fail(at, fmt::format("{} cannot begin {} {}; their first number must be a multiple of {}",
                         quoted(at.text), width, kind.name, kind.alignment));
  }
  if (first + width - 1 > kind.last) {
    fail(at, fmt::format("{} cannot begin {} {}; the last one is {}{}", quoted(at.text), width, kind.name,
                         kind.prefix, kind.last));
  }
}

}  // namespace

ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes, bool may_be_indexed) {
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
    made = ConstantSum(draft, number, may_be_indexed).read(reader, bytes);
  }
  reader.expect(']');
  return made;
}

/// desc[UR4] in front of an address says how lines are kept, which no cache of ours asks.
void skip_descriptor(StatementReader& reader) {
  if (reader.peek().text != "desc") return;
  reader.take();
  reader.expect('[');
  const Token uniform = reader.expect(Token::Kind::Word, "a uniform register");
  if (!parse_uniform(uniform.text)) fail_expected("a uniform register", uniform);
  reader.expect(']');
}

ir::Operand read_global_address(StatementReader& reader, const KernelDraft& draft) {
  skip_descriptor(reader);
  return read_address(reader, draft, Space::Global);
}

ir::Operand read_shared_address(StatementReader& reader, const KernelDraft& draft) {
  return read_address(reader, draft, Space::Shared);
}

bool is_address_register(std::string_view word) {
  return parse_base(word, Space::Shared) || parse_uniform(word);
}

ir::Operand read_local_address(StatementReader& reader, const KernelDraft& draft) {
  return read_address(reader, draft, Space::Local);
}

void check_registers(const Token& at, std::uint8_t first, unsigned width) {
  check_registers(at, first, width, width);
}

void check_registers(const Token& at, std::uint8_t first, unsigned width, unsigned alignment) {
  if (first != ir::kRegisterZero && width != 1)
    check_run(at, first, width, {"registers", "R", ir::kMaxRegister, alignment});
}

void check_uniforms(const Token& at, std::uint8_t first, unsigned width) {
  if (first != ir::kUniformZero && width != 1)
    check_run(at, first, width, {"uniform registers", "UR", ir::kMaxUniform, width});
}

}  // namespace heddle::text
