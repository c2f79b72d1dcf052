#include "isa/ptx/instruction_reader.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>

#include "isa/base/quoted.h"
#include "isa/base/read_number.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

/// Takes a letter and a number, as m16 of m16n8k16.
std::optional<std::uint16_t> take_dimension(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  const auto number = number_in<std::uint16_t>(text.substr(1, end - 1));
  text.remove_prefix(end);
  return number;
}

/// m16n8k16, m8n8. Nothing if the word is no shape.
std::optional<MatrixShape> shape_of(std::string_view word) {
  const auto m = take_dimension(word, 'm');
  const auto n = m ? take_dimension(word, 'n') : std::nullopt;
  if (!n) return std::nullopt;
  if (word.empty()) return MatrixShape{*m, *n, 0};
  const auto k = take_dimension(word, 'k');
  if (!k || !word.empty()) return std::nullopt;
  return MatrixShape{*m, *n, *k};
}

bool is_understood(const Instruction& instruction) {
  return instruction.opcode != Opcode::Unknown && instruction.unknown_words.empty();
}

}  // namespace

void InstructionReader::read(const Token& first, const Guard& guard, std::uint32_t source) {
  list_.clear();
  label_operands_.clear();
  Instruction instruction = read_mnemonic(first);
  instruction.guard = guard;
  instruction.source = source;
  if (is_understood(instruction)) {
    read_operands(instruction.opcode);
  } else if (!tokens_.skip_statement()) {
    fail_expected("';'", tokens_.peek());
  }
  append(std::move(instruction));
}

Instruction InstructionReader::read_mnemonic(const Token& first) {
  words_.assign(1, first.text);
  const char* end = first.text.data() + first.text.size();
  while (tokens_.peek().is(Token::Kind::DotWord)) {
    const Token word = tokens_.take();
    words_.push_back(word.inner());
    end = word.text.data() + word.text.size();
  }
  Instruction instruction;
  instruction.place = first.place;
  instruction.mnemonic = {first.text.data(), static_cast<std::size_t>(end - first.text.data())};
  const OpcodeMatch match = find_opcode(words_);
  instruction.opcode = match.opcode;
  for (std::size_t i = match.words; i < words_.size(); ++i) add_modifier(instruction, words_[i], first);
  return instruction;
}

void InstructionReader::add_modifier(Instruction& instruction, std::string_view word, const Token& first) {
  if (instruction.modifiers.is_full()) {
    fail(first, fmt::format("an instruction has at most {} modifiers", ModifierList::kMost));
  }
  Modifier modifier = find_modifier(word);
  if (modifier == Modifier::Unknown) {
    if (const auto shape = shape_of(word)) {
      modifier = Modifier::Shape;
      instruction.shape = *shape;
    } else {
      instruction.unknown_words.push_back(word);
    }
  }
  instruction.modifiers.add(modifier);
}

void InstructionReader::read_operands(Opcode opcode) {
  if (opcode == Opcode::Call) {
    read_call();
  } else if (!tokens_.peek().is_symbol(';')) {
    read_known_operands(opcode);
  }
  tokens_.expect(';', "',' or ';'");
}

void InstructionReader::read_known_operands(Opcode opcode) {
  do {
    if (opcode == Opcode::Bra && list_.empty()) {
      read_label(LabelWish::Instruction);
    } else if (opcode == Opcode::BrxIdx && list_.size() == 1) {
      read_label(LabelWish::BranchTable);
    } else {
      list_.push_back(operands_.read());
    }
  } while (tokens_.accept(','));
}

/// (returns), function, (arguments), prototype: the lists and the prototype may be left out.
void InstructionReader::read_call() {
  list_.emplace_back();
  list_.back().kind = Operand::Kind::List;
  if (tokens_.peek().is_symbol('(')) {
    list_.back() = operands_.read_list();
    tokens_.expect(',');
  }
  const Token target = tokens_.peek();
  list_.push_back(operands_.read_scalar());
  const Operand::Kind kind = list_.back().kind;
  if (kind != Operand::Kind::Symbol && kind != Operand::Kind::Register) fail_expected("a function", target);
  list_.emplace_back();
  list_.back().kind = Operand::Kind::List;
  if (!tokens_.accept(',')) return;
  if (tokens_.peek().is_symbol('(')) {
    list_.back() = operands_.read_list();
    if (!tokens_.accept(',')) return;
  }
  read_label(LabelWish::CallTarget);
}

/// The operand gets its index when the label is known.
void InstructionReader::read_label(LabelWish wish) {
  const Token name = tokens_.expect(Token::Kind::Word, "a label");
  label_operands_.push_back({name, wish, static_cast<std::uint32_t>(list_.size())});
  list_.emplace_back();
  list_.back().kind = Operand::Kind::Label;
  list_.back().place = name.place;
}

void InstructionReader::append(Instruction instruction) {
  instruction.operands.assign(std::make_move_iterator(list_.begin()), std::make_move_iterator(list_.end()));
  const auto index = static_cast<std::uint32_t>(function_.body.size());
  function_.body.push_back(std::move(instruction));
  for (const LabelOperand& each : label_operands_) {
    labels_.use_in_operand(each.name, each.wish, index, each.operand);
  }
}

}  // namespace heddle::ptx
