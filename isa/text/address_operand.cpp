#include "isa/text/address_operand.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "isa/text/mistakes.h"
#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

constexpr std::uint64_t kGreatestTerm = std::numeric_limits<std::uint32_t>::max();

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
std::optional<std::uint8_t> parse_uniform_base(std::string_view text) {
  if (text.ends_with(kPairSuffix)) text.remove_suffix(kPairSuffix.size());
  return parse_uniform(text);
}

/// The sum between the brackets of an address, term by term.
class AddressSum {
 public:
  AddressSum(const KernelDraft& draft, Space space, OperandPlace& where) : draft_(draft), space_(space), where_(where) {}

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
  OperandPlace& where_;
  bool has_base_ = false;
  BaseRegister base_ = {ir::kRegisterZero, 1};
  std::optional<std::uint8_t> uniform_;
  std::int64_t offset_ = 0;
};

void AddressSum::read(StatementReader& reader) {
  reader.expect('[');
  const Token begin = reader.peek();
  where_.operand = begin;
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
}

void AddressSum::check_global(const Token& begin) const {
  if (!has_base_ && !uniform_)
    fail_expected("a register pair such as R2.64 or a uniform pair such as UR4.64", begin);
  if (base_.is_narrow && !uniform_) {
    const std::string base = register_name(base_.index) + std::string(kNarrowSuffix);
    fail(begin, fmt::format("'{}' needs a uniform pair beside it, such as [{}+UR4]", base, base));
  }
}

void AddressSum::add(const Token& term, bool negative) {
  const bool is_word = term.kind == Token::Kind::Word;
  const auto base = is_word ? parse_base(term.text, space_) : std::nullopt;
  const auto uniform = is_word ? parse_uniform_base(term.text) : std::nullopt;
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
  where_.value = term;
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
  where_.uniform = term;
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

ir::Operand read_address(StatementReader& reader, const KernelDraft& draft, Space space, OperandPlace& where) {
  AddressSum sum(draft, space, where);
  sum.read(reader);
  return sum.operand();
}

}  // namespace

/// desc[UR4] in front of an address says how lines are kept, which no cache of ours asks.
void skip_descriptor(StatementReader& reader) {
  if (reader.peek().text != kHintName) return;
  reader.take();
  reader.expect('[');
  const Token uniform = reader.expect(Token::Kind::Word, "a uniform register");
  if (!parse_uniform(uniform.text)) fail_expected("a uniform register", uniform);
  reader.expect(']');
}

ir::Operand read_global_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where) {
  skip_descriptor(reader);
  return read_address(reader, draft, Space::Global, where);
}

ir::Operand read_shared_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where) {
  return read_address(reader, draft, Space::Shared, where);
}

bool is_address_register(std::string_view word) {
  return parse_base(word, Space::Shared) || parse_uniform_base(word);
}

ir::Operand read_local_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where) {
  return read_address(reader, draft, Space::Local, where);
}

}  // namespace heddle::text
