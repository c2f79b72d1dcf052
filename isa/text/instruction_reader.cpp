#include "isa/text/instruction_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "isa/base/edit_distance.h"
#include "isa/ir/executable.h"
#include "isa/ir/modifier_rules.h"
#include "isa/ir/verify.h"
#include "isa/text/names.h"
#include "isa/text/operand_reader.h"
#include "isa/text/word_operand.h"

namespace heddle::text {

namespace {

using ir::OperandRole;

/// The part of a token that begins at an offset.
Token part_of(const Token& token, std::size_t offset, std::size_t length) {
  Token part = token;
  part.text = token.text.substr(offset, length);
  part.column += static_cast<std::uint32_t>(offset);
  return part;
}

// -- modifiers ------------------------------------------------------------------------------------

[[noreturn]] void fail_unknown_modifier(const ir::OpcodeInfo& row, const Token& token) {
  std::vector<std::string> groups;
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    groups.push_back(fmt::format("{}", fmt::join(ir::modifier_texts(row, row.modifiers[i]), " ")));
  }
  const std::string allowed = groups.empty()
                                  ? fmt::format("{} takes none", row.mnemonic)
                                  : fmt::format("{} takes {}", row.mnemonic, fmt::join(groups, ", "));
  fail(token, fmt::format("{} is no modifier of {}; {}", quoted(token.text), row.mnemonic, allowed));
}

class ModifierReader {
 public:
  explicit ModifierReader(const ir::OpcodeInfo& row) : row_(row) {}

  /// Takes one dotted part.
  void add(const Token& token) {
    std::array<bool, ir::kModifierGroups> taken{};
    std::ranges::transform(seen_, taken.begin(), [](std::string_view text) { return !text.empty(); });
    const auto modifier = ir::find_modifier(row_, token.text, taken);
    if (!modifier) fail_unknown_modifier(row_, token);
    auto& earlier = seen_[static_cast<std::size_t>(ir::info(*modifier).group)];
    if (!earlier.empty() && !makes_room(earlier, taken)) {
      fail(token,
           fmt::format(".{} cannot stand beside .{}: {} takes one of {}", token.text, earlier, row_.mnemonic,
                       fmt::join(ir::modifier_texts(row_, ir::info(*modifier).group), " ")));
    }
    earlier = token.text;
    modifiers_.set(*modifier);
  }

  /// Whether the earlier part has another meaning, which it takes: the first one of TLD4.B.G.
  bool makes_room(std::string_view earlier, const std::array<bool, ir::kModifierGroups>& taken) {
    const auto other = ir::find_modifier(row_, earlier, taken);
    if (!other || taken[static_cast<std::size_t>(ir::info(*other).group)]) return false;
    seen_[static_cast<std::size_t>(ir::info(*other).group)] = earlier;
    modifiers_.set(*other);
    return true;
  }

  /// All of them, when the last has been taken.
  [[nodiscard]] ir::Modifiers finish(const Token& opcode) const {
    for (unsigned i = 0; i < row_.modifier_count; ++i) {
      const ir::ModifierGroup group = row_.modifiers[i];
      if (!row_.modifier_required[i] || !seen_[static_cast<std::size_t>(group)].empty()) continue;
      fail(opcode,
           fmt::format("{} needs one of {}", row_.mnemonic, fmt::join(ir::modifier_texts(row_, group), " ")));
    }
    return modifiers_;
  }

 private:
  const ir::OpcodeInfo& row_;
  ir::Modifiers modifiers_;
  std::array<std::string_view, ir::kModifierGroups> seen_{};
};

ir::Modifiers read_modifiers(const Token& opcode, const ir::OpcodeInfo& row) {
  ModifierReader reader(row);
  std::size_t begin = row.mnemonic.size();
  while (begin < opcode.text.size()) {
    const std::size_t end = std::min(opcode.text.find('.', begin + 1), opcode.text.size());
    reader.add(part_of(opcode, begin + 1, end - begin - 1));
    begin = end;
  }
  return reader.finish(opcode);
}

// -- opcode and guard -----------------------------------------------------------------------------

/// The mnemonics of the instructions that a kernel may have.
std::vector<std::string_view> mnemonics() {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const ir::OpcodeInfo& row = ir::info(static_cast<ir::Opcode>(i));
    if (ir::is_executable(row)) all.push_back(row.mnemonic);
  }
  return all;
}

/// The mnemonics without their modifiers, each once.
std::vector<std::string_view> first_parts(const std::vector<std::string_view>& mnemonics) {
  std::vector<std::string_view> parts;
  for (const std::string_view mnemonic : mnemonics) {
    const std::string_view part = mnemonic.substr(0, mnemonic.find('.'));
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return parts;
}

/// The form of that instruction, or else the instruction, that is nearest; empty if none is near.
std::string_view nearest_mnemonic(std::string_view text) {
  const std::string_view first_part = text.substr(0, text.find('.'));
  std::vector<std::string_view> forms = mnemonics();
  const std::vector<std::string_view> parts = first_parts(forms);
  std::erase_if(forms, [&](std::string_view mnemonic) {
    return mnemonic.substr(0, mnemonic.find('.')) != first_part;
  });
  if (!forms.empty()) return text == first_part ? forms.front() : nearest(text, forms);
  const std::string_view best = nearest(first_part, parts);
  return edit_distance(first_part, best) <= most_slips(first_part) ? best : std::string_view();
}

ir::Opcode read_opcode(const Token& token) {
  const auto opcode = ir::find_opcode(token.text);
  if (!opcode) {
    const std::string_view near = nearest_mnemonic(token.text);
    fail(token, fmt::format("{} is no instruction{}{}", quoted(token.text), near.empty() ? "" : "; the nearest is ", near));
  }
  return *opcode;
}

ir::Guard read_guard(StatementReader& reader) {
  ir::Guard guard;
  if (!reader.accept('@')) return guard;
  guard.negated = reader.accept('!');
  guard.predicate = read_predicate_name(reader, ir::PredicateFile::Either);
  return guard.always() ? ir::Guard{} : guard;
}

// -- operands -------------------------------------------------------------------------------------

[[noreturn]] void fail_count(const ir::OpcodeInfo& row, const Token& at) {
  if (row.operand_count == 0) fail(at, fmt::format("{} takes no operands", row.mnemonic));
  std::vector<std::string_view> roles;
  for (unsigned i = 0; i < row.operand_count; ++i) roles.push_back(ir::info(row.operands[i]).expected);
  const auto* end = row.operands.begin() + row.operand_count;
  const auto least = row.operand_count - std::count_if(row.operands.begin(), end, ir::is_optional);
  fail(at, fmt::format("{} takes {}{} {}operand{}: {}", row.mnemonic, least == 0 ? "at most " : "", row.operand_count,
                       least != 0 && least < row.operand_count ? fmt::format("or, at least, {} ", least) : "",
                       row.operand_count == 1 ? "" : "s", fmt::join(roles, "; ")));
}

/// What may be left out is told by its first letter from the operand that follows it. "!P0", which is no
/// destination, is meant as one.
bool is_left_out(OperandRole role, const Token& next) {
  const bool is_predicate = next.text.starts_with('P') || next.is_symbol('!');
  if (role == OperandRole::OptDstUniform) return !next.text.starts_with("UR");
  if (role == OperandRole::OptDstUniformPred) return !next.text.starts_with("UP") && !next.is_symbol('!');
  if (role == OperandRole::OptDstReg || role == OperandRole::OptDstData) return !next.text.starts_with('R');
  if (role == OperandRole::OptThreads) return is_predicate || next.text.starts_with("UP");
  if (role == OperandRole::OptMatrixA || role == OperandRole::OptMorePlace) return !next.text.starts_with('R');
  if (role == OperandRole::OptHandle || role == OperandRole::OptHandleWord) return is_texture_shape(next.text);
  if (role == OperandRole::OptHint) return next.text != kHintName;
  if (role == OperandRole::OptAdds) return next.text == kGroupScoreboardName;
  if (role == OperandRole::OptLaneMask) return !next.is_symbol('~') && !next.text.starts_with("UR");
  return role == OperandRole::OptDstPred && !is_predicate;
}

/// "P1", and what may have been meant to be one.
bool resembles_predicate(std::string_view word) {
  if (word.starts_with('U')) word.remove_prefix(1);
  return word.size() > 1 && word[0] == 'P' && (word == "PT" || (word[1] >= '0' && word[1] <= '9'));
}

/// Whether nothing must stand behind this place.
bool may_be_last(const ir::OpcodeInfo& row, unsigned place) {
  return std::all_of(row.operands.begin() + place + 1, row.operands.begin() + row.operand_count, ir::is_optional);
}

/// A label may be called P1, too: a condition has an operand behind it, unless it may be the last one.
bool condition_follows(const StatementReader& reader, bool may_be_last) {
  const Token next = reader.peek();
  if (next.is_symbol('!')) return true;
  if (!resembles_predicate(next.text)) return false;
  std::string_view behind = reader.rest_of_line().substr(next.text.size());
  behind.remove_prefix(std::min(behind.find_first_not_of(" \t"), behind.size()));
  return may_be_last || behind.starts_with(',');
}

/// A problem of the verifier, with what stands at its place as it is written.
[[noreturn]] void fail_at(const Token& at, const ir::Problem& problem) {
  fail(at, at.text.empty() ? problem.text() : problem.text(quoted(at.text)));
}

/// Reads the operands one by one.
class OperandListReader {
 public:
  OperandListReader(StatementReader& reader, KernelDraft& draft, ir::Instruction& instruction)
      : reader_(reader), draft_(draft), instruction_(instruction), row_(ir::info(instruction.opcode)) {}

  /// Reads the operand in this place, or makes it if it may be left out. Throws Mistake.
  void read(unsigned place) {
    if (reader_.is_over()) return omit(place);
    if (!separated_) reader_.expect(',');
    separated_ = true;
    const OperandRole role = row_.operands[place];
    const bool is_omitted = role == OperandRole::OptCondition
                                ? !condition_follows(reader_, may_be_last(row_, place))
                                : is_left_out(role, reader_.peek());
    if (is_omitted) return omit(place);
    separated_ = false;
    OperandReader operand(reader_, draft_, instruction_);
    instruction_.operands[place] = operand.read(place);
    if (const auto problem = ir::operand_problem(draft_.kernel, instruction_, place))
      fail_at(operand.where().of(problem->part), *problem);
  }

 private:
  void omit(unsigned place) {
    const auto omitted = ir::omitted_operand(row_, place);
    if (!omitted) fail_count(row_, reader_.peek());
    instruction_.operands[place] = *omitted;
  }

  StatementReader& reader_;
  KernelDraft& draft_;
  ir::Instruction& instruction_;
  const ir::OpcodeInfo& row_;
  bool separated_ = true;  // from the operand before: by its comma, or as there is none
};

void skip_operand(StatementReader& reader) {
  while (!reader.is_over() && !reader.peek().is_symbol(',')) reader.take();
}

void read_operands(StatementReader& reader, KernelDraft& draft, ir::Instruction& instruction,
                   Mistakes& mistakes) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  OperandListReader operands(reader, draft, instruction);
  for (unsigned place = 0; place < row.operand_count; ++place) {
    try {
      operands.read(place);
    } catch (const Mistake& mistake) {
      if (reader.is_over()) throw;
      mistakes.add(mistake);
      skip_operand(reader);
    }
  }
  if (reader.is_over()) return;
  const bool may_be_alone = std::all_of(row.operands.begin(), row.operands.begin() + row.operand_count, ir::is_optional);
  if (reader.peek().is_symbol(',') || may_be_alone) fail_count(row, reader.peek());
  fail_expected("',' or the end of the line", reader.peek());
}

/// The line that an instruction stands in, up to it.
std::string_view text_before(const Token& first) {
  return {first.text.data() - (first.column - 1), first.column - 1};
}

/// Whether there is nothing in the text but perhaps an address: /*0040*/.
bool is_blank_or_comment(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return true;
  text = text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  return text.starts_with("/*") && text.find("*/") + 2 == text.size();
}

/// The control code in front of an instruction: [B------:R-:W0:-:S01].
ir::ControlCode printed_control(const Token& first) {
  const std::string_view before = text_before(first);
  const std::size_t begin = before.rfind("[B");
  const std::size_t end = before.rfind(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  if (!is_blank_or_comment(before.substr(end + 1))) return {};
  return ir::control_code_of(before.substr(begin + 1, end - begin - 1));
}

/// The address that disassemblers print in front of an instruction: /*0040*/.
std::optional<std::uint64_t> printed_address(const Token& first) {
  std::string_view before = text_before(first);
  before = before.substr(0, before.find_last_not_of(" \t") + 1);
  const std::size_t begin = before.rfind("/*");
  if (begin == std::string_view::npos || !before.ends_with("*/")) return std::nullopt;
  const std::string_view digits = before.substr(begin + 2, before.size() - begin - 4);
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return address;
}

void read_into(StatementReader& reader, KernelDraft& draft, ir::Instruction& instruction,
               Mistakes& mistakes) {
  instruction.guard = read_guard(reader);
  const Token opcode = reader.expect(Token::Kind::Word, "an instruction");
  instruction.opcode = read_opcode(opcode);
  if (std::string reason = ir::why_not_executable(instruction); !reason.empty()) fail(opcode, std::move(reason));
  instruction.modifiers = read_modifiers(opcode, ir::info(instruction.opcode));
  if (const auto problem = ir::opcode_problem(instruction)) fail_at(opcode, *problem);
  const std::size_t mistakes_before = mistakes.count();
  read_operands(reader, draft, instruction, mistakes);
  if (mistakes.count() != mistakes_before) return;
  if (const auto problem = ir::combination_problem(instruction)) fail_at(opcode, *problem);
}

}  // namespace

void read_instruction(StatementReader& reader, KernelDraft& draft, Mistakes& mistakes) {
  const std::size_t mistakes_before = mistakes.count();
  const bool ended_in_mistake = std::exchange(draft.ends_in_mistake, true);
  draft.last_instruction = reader.peek();
  draft.kernel.sources.push_back({0, draft.last_instruction.line, draft.last_instruction.column});
  if (const auto address = printed_address(reader.peek()))
    draft.printed.try_emplace(*address, static_cast<Pc>(draft.kernel.instructions.size()));
  ir::Instruction instruction;
  instruction.line = reader.peek().line;
  instruction.control = printed_control(reader.peek());
  const std::vector<ir::Instruction>& before = draft.kernel.instructions;
  if (!before.empty() && before.front().control.is_given != instruction.control.is_given)
    mistakes.add(
        reader.peek(),
        "of a kernel's instructions all must have control codes, such as [B------:R-:W-:-:S01], or none");
  // Also an instruction that was not understood takes its place, so that labels and their uses keep theirs.
  const auto append_nothing = [&] {
    ir::Instruction& nothing = draft.kernel.instructions.emplace_back();
    nothing.line = instruction.line;
    nothing.control = instruction.control;
  };
  try {
    read_into(reader, draft, instruction, mistakes);
  } catch (const Mistake&) {
    append_nothing();
    throw;
  }
  if (mistakes.count() != mistakes_before) return append_nothing();
  draft.kernel.instructions.push_back(instruction);
  draft.ends_in_mistake = ended_in_mistake && instruction.opcode == ir::Opcode::Nop;  // it may be padding
  draft.registers_used = std::max(draft.registers_used, ir::registers_needed(instruction));
}

}  // namespace heddle::text
