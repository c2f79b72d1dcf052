#include "isa/text/operand_reader.h"

#include <fmt/format.h>

#include <limits>

#include "isa/ir/special_register.h"
#include "isa/text/address_operand.h"
#include "isa/text/constant_operand.h"
#include "isa/text/descriptor_operand.h"
#include "isa/text/immediate_reader.h"
#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

using ir::Operand;
using ir::OperandRole;

Operand operand(Operand::Kind kind, std::uint8_t index) {
  Operand made;
  made.kind = kind;
  made.index = index;
  return made;
}

constexpr std::string_view kCopyScoreboard = "SB0";  // what LDGDEPBAR counts on

/// Takes it off the word's end, if it is there.
bool take_suffix(Token& token, std::string_view suffix) {
  if (!token.text.ends_with(suffix)) return false;
  token.text.remove_suffix(suffix.size());
  return true;
}

bool take_prefix(Token& token, std::string_view prefix) {
  if (!token.text.starts_with(prefix)) return false;
  token.text.remove_prefix(prefix.size());
  return true;
}

/// "R300" was meant to be a register: then the message says which there are.
bool resembles(std::string_view text, char prefix) {
  return text.size() >= 2 && text[0] == prefix && text[1] >= '0' && text[1] <= '9';
}

}  // namespace

Operand OperandReader::read(unsigned place) {
  role_ = row_.operands[place];
  where_.operand = where_.value = where_.uniform = reader_.peek();
  switch (role_) {
    case OperandRole::DstReg:
    case OperandRole::DstPair:
    case OperandRole::DstData:
    case OperandRole::OptDstReg:
    case OperandRole::OptDstData:
    case OperandRole::SrcData:
    case OperandRole::DstQuad:
    case OperandRole::SrcQuad:
    case OperandRole::SrcPairReg:
      return read_register();
    case OperandRole::DstPred:
    case OperandRole::OptDstPred:
    case OperandRole::SrcPred:
    case OperandRole::OptSrcPred:
    case OperandRole::OptCondition:
    case OperandRole::DstUniformPred:
    case OperandRole::OptDstUniformPred:
    case OperandRole::SrcUniformPred:
    case OperandRole::OptSrcUniformPred:
      return read_predicate();
    case OperandRole::AllPreds:
    case OperandRole::AllUniformPreds:
      return read_all_predicates();
    case OperandRole::SrcReg:
    case OperandRole::Src:
    case OperandRole::SrcPair:
    case OperandRole::SrcWide:
      if (ir::takes_numbers(role_) && relocation_follows()) return read_relocation(place);
      return label_follows() ? read_target(place) : read_number_source();
    case OperandRole::ConstData:
      return read_sized_constant();
    case OperandRole::GlobalAddress:
      return read_global_address(reader_, draft_, where_);
    case OperandRole::SharedAddress:
      return read_shared_address(reader_, draft_, where_);
    case OperandRole::LocalAddress:
      return read_local_address(reader_, draft_, where_);
    case OperandRole::Immediate:
      return read_immediate();
    case OperandRole::Target:
      return read_target(place);
    case OperandRole::ConvergenceBarrier:
      return read_convergence_barrier();
    case OperandRole::BarrierId:
      return read_number_or_register();
    case OperandRole::OptThreads:
      return read_number_or_register();
    case OperandRole::JumpReg:
      return read_jump_register();
    case OperandRole::OptReturnReg:
      return read_return_register();
    case OperandRole::Scoreboard:
      return read_scoreboard();
    case OperandRole::Special:
      return read_special();
    case OperandRole::DstUniform:
    case OperandRole::DstUniformData:
    case OperandRole::DstUniformPair:
    case OperandRole::OptDstUniform:
      return read_uniform();
    case OperandRole::DstAny:
      return uniform_follows() ? read_uniform() : read_register();
    case OperandRole::SrcUniform:
    case OperandRole::SrcUniformPair:
    case OperandRole::SrcUniformWide:
    case OperandRole::OptLaneMask:
      return read_number_source();
    case OperandRole::DstSums:
    case OperandRole::SrcSums:
      return read_sums();
    case OperandRole::OptMatrixA:
      return read_register();
    case OperandRole::Descriptors:
      return read_descriptors();
    case OperandRole::OptAdds:
      return read_uniform_predicate();
    case OperandRole::OptGroup:
    case OperandRole::GroupScoreboard:
      return read_group_scoreboard();
  }
  fail_expected(ir::info(role_).expected, reader_.peek());
}

/// PR or UPR, all predicates: which ones are meant, the mask says.
Operand OperandReader::read_all_predicates() {
  const bool is_uniform = role_ == OperandRole::AllUniformPreds;
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  if (token.text != (is_uniform ? kAllUniformPredicatesName : kAllPredicatesName))
    fail_expected(ir::info(role_).expected, token);
  return operand(Operand::Kind::Predicate, is_uniform ? ir::kUniformPredicateTrue : ir::kPredicateTrue);
}

/// .H0_H0 or .H1_H1 behind |R1| or a constant, with .reuse before or behind it.
ir::RegisterPart OperandReader::read_part_behind() {
  if (reader_.peek().kind != Token::Kind::Word) return ir::RegisterPart::All;
  Token token = reader_.peek();
  const bool reuse = take_suffix(token, kReuse) || take_prefix(token, kReuse);
  const auto part = parse_register_part(token.text);
  if (!part || !ir::allows_part(instruction_, role_, *part)) return ir::RegisterPart::All;
  reader_.take();
  is_reused_ = is_reused_ || reuse;
  return *part;
}

/// Registers that are read, however many.
bool OperandReader::may_be_reused() const { return !ir::is_written_register(role_); }

/// .reuse behind |R1|.
bool OperandReader::take_reuse() {
  if (reader_.peek().text != kReuse || !may_be_reused()) return false;
  reader_.take();
  return true;
}

/// The same at the end of a register's name, which it is cut from.
ir::RegisterPart OperandReader::take_part(Token& name) const {
  const std::size_t dot = name.text.rfind('.');
  const auto part = dot == std::string_view::npos ? std::nullopt : parse_register_part(name.text.substr(dot));
  if (!part || !ir::allows_part(instruction_, role_, *part)) return ir::RegisterPart::All;
  name.text = name.text.substr(0, dot);
  return *part;
}

Operand OperandReader::read_register() {
  Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  bool reuse = may_be_reused() && take_suffix(token, kReuse);
  const ir::RegisterPart part = take_part(token);
  // R2.reuse.H0_H0
  if (part != ir::RegisterPart::All && may_be_reused() && take_suffix(token, kReuse)) reuse = true;
  const auto index = parse_register(token.text);
  if (!index && resembles(token.text, 'R')) {
    fail(token, fmt::format("{} is no register; registers are R0 to R{} and RZ", quoted(token.text),
                            ir::kMaxRegister));
  }
  if (!index) fail_expected(ir::info(role_).expected, token);
  where_.value = token;
  Operand made = operand(Operand::Kind::Register, *index);
  made.part = part;
  made.reuse = reuse;
  return made;
}

Operand OperandReader::read_predicate() {
  const bool negated = reader_.accept('!');
  where_.value = reader_.peek();
  Operand predicate = operand(Operand::Kind::Predicate, read_predicate_name(reader_, ir::predicate_file(role_)));
  predicate.negated = negated;
  return predicate;
}

Operand OperandReader::read_number_source() {
  const Token begin = reader_.peek();
  const bool inverted = reader_.accept('~');
  const bool negative = !inverted && reader_.accept('-');
  if (!inverted && !negative) reader_.accept('+');
  if (!inverted && ir::takes_numbers(role_) && number_follows(reader_)) {
    return read_number(reader_, row_, negative, ir::operand_width(instruction_, role_));
  }
  const bool absolute = reader_.accept('|');
  Operand source = read_plain_source();
  if (absolute) reader_.expect('|');
  if (source.part == ir::RegisterPart::All) source.part = read_part_behind();
  // Behind bars or a choice of halves.
  const bool is_register = source.kind == Operand::Kind::Register;
  source.reuse = source.reuse || (is_register && (is_reused_ || take_reuse()));
  source.negated = negative || inverted;
  source.absolute = absolute;
  check_sign(begin, source);
  return source;
}

Operand OperandReader::read_plain_source() {
  const bool needs_uniform = role_ == OperandRole::SrcUniform || role_ == OperandRole::SrcUniformPair ||
                             role_ == OperandRole::SrcUniformWide || role_ == OperandRole::OptLaneMask;
  const bool is_uniform = needs_uniform || (ir::takes_uniforms(role_) && uniform_follows());
  if (is_uniform) return read_uniform();
  const bool constant = role_ != OperandRole::SrcReg && constant_follows();
  return constant ? read_sized_constant() : read_register();
}

bool OperandReader::uniform_follows() const {
  const std::string_view token = reader_.peek().text;
  const std::string_view text = token.substr(0, token.find('.'));
  return parse_uniform(text).has_value() || (text.starts_with('U') && resembles(text.substr(1), 'R'));
}

Operand OperandReader::read_uniform() {
  Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  const ir::RegisterPart part = take_part(token);
  const auto index = parse_uniform(token.text);
  if (!index && token.text.starts_with('U') && resembles(token.text.substr(1), 'R')) {
    fail(token, fmt::format("{} is no uniform register; uniform registers are UR0 to UR{} and URZ",
                            quoted(token.text), ir::kMaxUniform));
  }
  if (!index) fail_expected(ir::info(role_).expected, token);
  where_.value = token;
  Operand made = operand(Operand::Kind::Uniform, *index);
  made.part = part;
  return made;
}

/// Where bits are moved, a label stands for its instruction's number: that is what an indirect branch wants.
bool OperandReader::label_follows() const {
  const Token token = reader_.peek();
  const bool moves_bits = row_.number_type == ir::NumberType::Bits && row_.modifier_count == 0;
  return role_ == OperandRole::Src && moves_bits && token.kind == Token::Kind::Word &&
         !number_follows(reader_) && !constant_follows() && !parse_register(token.text) &&
         !resembles(token.text, 'R') && !uniform_follows() && !token.text.ends_with(kReuse);
}

/// The row says which sign turns a value round; whether this operand takes it, the verifier.
void OperandReader::check_sign(const Token& at, const Operand& source) const {
  if (!source.negated || at.is_symbol(negation_sign(row_))) return;
  fail(at, fmt::format("{} takes no {} operands", row_.mnemonic, at.is_symbol('~') ? "inverted" : "negated"));
}

Operand OperandReader::read_sized_constant() {
  const ConstantIndex index = role_ != OperandRole::ConstData       ? ConstantIndex::None
                              : row_.action == ir::Action::Lanes ? ConstantIndex::Register
                                                                 : ConstantIndex::Uniform;
  return read_constant(reader_, draft_, ir::constant_bytes(instruction_, role_), index, where_);
}

Operand OperandReader::read_immediate() { return read_number_up_to(reader_, *ir::number_limit(row_, role_)); }

Operand OperandReader::read_special() {
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  const auto index = parse_special_register(token.text);
  if (!index) {
    fail(token, fmt::format("{} is no special register{}", quoted(token.text),
                            did_you_mean(token.text, ir::kSpecialRegisterNames)));
  }
  return operand(Operand::Kind::Special, *index);
}

Operand OperandReader::read_number_or_register() {
  return reader_.peek().kind == Token::Kind::Number ? read_immediate() : read_register();
}

/// NVIDIA prints RET.REL.NODEC R20 0x0: the distance from the register is written behind it, or the name of the function
/// from whose beginning it counts.
Operand OperandReader::read_return_register() {
  const Operand made = read_register();
  if (reader_.accept('`')) {
    reader_.expect('(');
    reader_.expect(Token::Kind::Word, "the name of a function");
    reader_.expect(')');
    return made;
  }
  const Token distance = reader_.take();
  if (parse_integer(distance.text) != std::uint64_t{0}) fail_expected("0x0", distance);
  return made;
}

/// NVIDIA prints BRX R2 -0x370: the register counts bytes, from so far behind the next instruction.
Operand OperandReader::read_jump_register() {
  Operand made = read_register();
  if (reader_.is_over()) return made;
  const bool is_negative = reader_.accept('-');
  const Token distance = reader_.expect(Token::Kind::Number, "a number of bytes or the end of the line");
  const auto bytes = parse_integer(distance.text);
  if (!bytes || *bytes > std::numeric_limits<std::int32_t>::max()) fail_expected("a number of bytes", distance);
  made.value = is_negative ? 0 - *bytes : *bytes;
  return made;
}

Operand OperandReader::read_scoreboard() {
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  if (token.text != kCopyScoreboard) fail_expected(ir::info(role_).expected, token);
  return operand(Operand::Kind::Scoreboard, 0);
}

Operand OperandReader::read_group_scoreboard() {
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  if (token.text != kGroupScoreboardName) fail_expected(ir::info(role_).expected, token);
  return operand(Operand::Kind::GroupScoreboard, 0);
}

Operand OperandReader::read_sums() {
  const Token token = reader_.peek();
  const auto index = parse_register(token.text);
  if (!index) return read_register();  // which says why not, or takes .reuse off
  reader_.take();
  return operand(Operand::Kind::Register, *index);
}

Operand OperandReader::read_descriptors() {
  return read_matrix_descriptors(reader_, where_);
}

Operand OperandReader::read_uniform_predicate() {
  const bool negated = reader_.accept('!');
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  if (token.text != kUniformTrueName) fail_expected(ir::info(role_).expected, token);
  Operand made = operand(Operand::Kind::UniformPredicate, 0);
  made.negated = negated;
  return made;
}

Operand OperandReader::read_convergence_barrier() {
  const Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  const auto index = parse_convergence_barrier(token.text);
  if (!index) fail_expected(ir::info(role_).expected, token);
  return operand(Operand::Kind::ConvergenceBarrier, *index);
}

/// A label, which disassemblers put into `(...), or an address. The Pc is filled in when the kernel's labels
/// are all known.
Operand OperandReader::read_target(unsigned place) {
  const bool is_wrapped = reader_.accept('`');
  if (is_wrapped) reader_.expect('(');
  const bool is_address = !is_wrapped && parse_integer(reader_.peek().text).has_value();
  const Token name =
      is_address ? reader_.take() : reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  if (is_wrapped) reader_.expect(')');
  draft_.label_uses.push_back({static_cast<Pc>(draft_.kernel.instructions.size()), place, name});
  return operand(Operand::Kind::Target, 0);
}

/// 32@lo((NAME + .L_x_5@srel)): one half of an instruction's address.
bool OperandReader::relocation_follows() const {
  const std::string_view line = reader_.rest_of_line();
  return line.starts_with("32@lo(") || line.starts_with("32@hi(");
}

/// The label stands for its instruction, as where a branch goes; no address needs a high half.
Operand OperandReader::read_relocation(unsigned place) {
  reader_.take();
  reader_.expect('@');
  const bool is_low = reader_.take().text == "lo";
  reader_.expect('(');
  reader_.expect('(');
  reader_.expect(Token::Kind::Word, "the name of a function");
  reader_.expect('+');
  const Token label = reader_.expect(Token::Kind::Word, "a label");
  reader_.expect('@');
  reader_.expect(Token::Kind::Word, "srel");
  reader_.expect(')');
  reader_.expect(')');
  if (!is_low) return Operand{};
  draft_.label_uses.push_back({static_cast<Pc>(draft_.kernel.instructions.size()), place, label});
  return operand(Operand::Kind::Target, 0);
}

std::uint8_t read_predicate_name(StatementReader& reader, ir::PredicateFile file) {
  const std::string_view expected = file == ir::PredicateFile::Warp ? "a uniform predicate" : "a predicate";
  const Token token = reader.expect(Token::Kind::Word, expected);
  const auto of_lanes = file == ir::PredicateFile::Warp ? std::nullopt : parse_predicate(token.text);
  const auto index = of_lanes || file == ir::PredicateFile::Lanes ? of_lanes : parse_uniform_predicate(token.text);
  if (index) return *index;
  if (resembles(token.text, 'P') && file != ir::PredicateFile::Warp)
    fail(token, fmt::format("{} is no predicate; predicates are P0 to P6 and PT", quoted(token.text)));
  if (token.text.starts_with('U') && resembles(token.text.substr(1), 'P') && file != ir::PredicateFile::Lanes) {
    fail(token, fmt::format("{} is no uniform predicate; uniform predicates are UP0 to UP6 and UPT",
                            quoted(token.text)));
  }
  fail_expected(expected, token);
}

}  // namespace heddle::text
