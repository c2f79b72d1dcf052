#include "isa/cubin/thunks.h"

#include <fmt/format.h>

#include <charconv>

#include "isa/ir/kernel.h"

namespace heddle::cubin {

namespace {

/// "0x150" at the begin of the text; 0 if there is no number.
std::uint64_t number_in(std::string_view text) {
  constexpr int kHex = 16;
  std::uint64_t value = 0;
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::from_chars(text.data(), text.data() + text.size(), value, kHex);
  return value;
}

/// What stands behind the word and its blank.
std::string_view behind(std::string_view text, std::string_view word) {
  return text.substr(std::min(text.size(), word.size() + 1));
}

}  // namespace

std::string instruction_line(const ir::ControlCode& control, std::uint64_t address, std::string_view text) {
  return fmt::format("        [{}] /*{:04x}*/ {} ;\n", to_text(control), address, text);
}

std::string Thunks::executable(const std::string& instruction, std::uint64_t address) {
  const std::size_t guard = instruction.starts_with('@') ? instruction.find(' ') + 1 : 0;
  const std::string_view text = std::string_view(instruction).substr(guard);
  const std::string_view mnemonic = text.substr(0, text.find(' '));
  const std::string_view operands = behind(text, mnemonic);
  const std::string_view first = operands.substr(0, operands.find_first_of(" ,"));
  const std::string_view rest = behind(operands, first);
  std::string made = instruction.substr(0, guard);
  if (mnemonic == "LEPC") {
    const std::size_t number = rest.find("0x");
    const std::uint64_t place = number == std::string_view::npos ? address : number_in(rest.substr(number));
    return made += fmt::format("MOV.64 {}, {:#x}", first, place);
  }
  if (!mnemonic.starts_with("CALL.") || !first.starts_with('R')) return instruction;
  return made += fmt::format("{} {:#x}", mnemonic, thunk_of(first, number_in(rest)));
}

/// The register's value counts from the base.
std::uint64_t Thunks::thunk_of(std::string_view reg, std::uint64_t base) {
  const auto [found, is_new] = places_.try_emplace({std::string(reg), base}, end_);
  if (!is_new) return found->second;
  constexpr ir::ControlCode kLikeACall{.is_given = true, .stall = 5};
  const std::uint64_t next = end_ + ir::kInstructionBytes;
  const bool is_before = base < next;
  text_ += instruction_line(
      kLikeACall, end_,
      fmt::format("BRX {} {}{:#x}", reg, is_before ? "-" : "", is_before ? next - base : base - next));
  end_ = next;
  return found->second;
}

}  // namespace heddle::cubin
