#include "isa/text/operand_reader.h"

#include <fmt/format.h>

#include <limits>

#include "isa/text/address_operand.h"
#include "isa/text/code_operand.h"
#include "isa/text/constant_operand.h"
#include "isa/text/descriptor_operand.h"
#include "isa/text/immediate_reader.h"
#include "isa/text/names.h"
#include "isa/text/number.h"
#include "isa/text/word_operand.h"

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

}  // namespace

Operand OperandReader::read(unsigned place) {
  role_ = row_.operands[place];
  place_ = place;
  where_.operand = where_.value = where_.uniform = reader_.peek();
  // clang-format off
  switch (role_) {
    using enum OperandRole;
    case DstReg: case DstPair: case DstData: case DstQuad: case OptDstReg: case OptDstData:
    case DstOct: case SrcOct: case SrcSixteen: case SrcData: case SrcQuad: case SrcPairReg: case OptMatrixA:
    case DstTexels: case DstMoreTexels: case SrcPlace: case OptMorePlace: case SrcMetadata:
      return read_register();
    case OptHandle:
      return uniform_follows() ? read_uniform() : read_number_or_register();
    case TextureShape: return read_texture_shape(reader_, role_);
    case SurfacePlace: case UniformPlace: case UniformPairPlace: case UniformTile: return read_between_brackets();
    case OptHint:
      reader_.expect(Token::Kind::Word, ir::info(role_).expected);
      return read_between_brackets();
    case DstUniform: case DstUniformData: case DstUniformPair: case OptDstUniform:
      return read_uniform();
    case DstAny:
      return uniform_follows() ? read_uniform() : read_register();
    case DstSums: case SrcSums:
      return read_sums();
    case DstPred: case OptDstPred: case SrcPred: case OptSrcPred: case OptCondition:
    case DstUniformPred: case OptDstUniformPred: case SrcUniformPred: case OptSrcUniformPred:
    case OptAdds:
      return read_predicate(reader_, role_, where_);
    case AllPreds: case AllUniformPreds:
      return read_all_predicates(reader_, role_);
    case SrcReg: case Src: case SrcPair: case SrcWide:
      if (ir::takes_numbers(role_) && relocation_follows(reader_)) return read_relocation(reader_, draft_, place);
      return label_follows() ? read_target(reader_, draft_, place) : read_number_source();
    case SrcUniform: case SrcUniformPair: case SrcUniformWide: case OptLaneMask:
      return read_number_source();
    case ConstData: return read_sized_constant();
    case GlobalAddress: return read_global_address(reader_, draft_, where_);
    case SharedAddress: return read_shared_address(reader_, draft_, where_);
    case LocalAddress: return read_local_address(reader_, draft_, where_);
    case Immediate: case OptHandleWord: case OptChannels: return read_immediate();
    case BarrierId: case OptThreads: return read_number_or_register();
    case Target: return read_target(reader_, draft_, place);
    case JumpReg: return read_jump_register();
    case OptReturnReg: return read_return_register();
    case Special: return read_special(reader_, role_);
    case ConvergenceBarrier: return read_convergence_barrier(reader_, role_);
    case Scoreboard: return read_scoreboard(reader_, role_);
    case OptGroup: case GroupScoreboard: return read_group_scoreboard(reader_, role_);
    case Descriptors: return read_matrix_descriptors(reader_, where_);
  }
  // clang-format on
  fail_expected(ir::info(role_).expected, reader_.peek());
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

/// Disassemblers say of products of whole numbers that A lies by rows and B by columns, which they always do.
void OperandReader::drop_layout(Token& name) const {
  constexpr unsigned kPlaceOfA = 1;
  constexpr unsigned kPlaceOfB = 2;
  if (row_.action != ir::Action::MatrixMultiply) return;
  if (place_ == kPlaceOfA) take_suffix(name, ".ROW");
  if (place_ == kPlaceOfB) take_suffix(name, ".COL");
}

Operand OperandReader::read_register() {
  Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  drop_layout(token);
  bool reuse = may_be_reused() && take_suffix(token, kReuse);
  const ir::RegisterPart part = take_part(token);
  // R2.reuse.H0_H0
  if (part != ir::RegisterPart::All && may_be_reused() && take_suffix(token, kReuse)) reuse = true;
  const auto index = parse_register(token.text);
  if (!index && resembles_register(token.text, 'R')) {
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
  return parse_uniform(text).has_value() || (text.starts_with('U') && resembles_register(text.substr(1), 'R'));
}

Operand OperandReader::read_uniform() {
  Token token = reader_.expect(Token::Kind::Word, ir::info(role_).expected);
  const ir::RegisterPart part = take_part(token);
  const auto index = parse_uniform(token.text);
  if (!index && token.text.starts_with('U') && resembles_register(token.text.substr(1), 'R')) {
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
         !resembles_register(token.text, 'R') && !uniform_follows() && !token.text.ends_with(kReuse);
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

Operand OperandReader::read_number_or_register() {
  return reader_.peek().kind == Token::Kind::Number ? read_immediate() : read_register();
}

/// [R2]: the first of several registers.
Operand OperandReader::read_between_brackets() {
  reader_.expect('[');
  const Operand made = ir::is_uniform_role(role_) ? read_uniform() : read_register();
  reader_.expect(']');
  return made;
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

Operand OperandReader::read_sums() {
  const Token token = reader_.peek();
  const auto index = parse_register(token.text);
  if (!index) return read_register();  // which says why not, or takes .reuse off
  reader_.take();
  return operand(Operand::Kind::Register, *index);
}

}  // namespace heddle::text
