#include "tools/validate/loop_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle::validate {

namespace {

// R0 counts the iterations.
constexpr std::uint32_t kFirstRegister = 4;
constexpr std::uint32_t kRegistersEach = 4;
constexpr std::uint32_t kFreeRegister = kFirstRegister + (2 + 2 * kMostChains) * kRegistersEach;
static_assert(kFreeRegister == 44, "suites name the free registers");

/// The first register for the letter after a $ in this chain; nothing for other letters.
std::uint32_t register_of(char letter, std::uint32_t chain) {
  const std::uint32_t own = kRegistersEach * chain;
  switch (letter) {
    case 'a':
      return kFirstRegister;
    case 'b':
      return kFirstRegister + kRegistersEach;
    case 'x':
      return kFirstRegister + 2 * kRegistersEach + own;
    case 't':
      return kFirstRegister + (2 + kMostChains) * kRegistersEach + own;
    default:
      return 0;
  }
}

/// Replaces everything that begins with $ by registers, predicates and numbers.
std::string filled_in(std::string_view text, std::uint32_t chain, std::uint32_t number) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char letter = text[++i];
    if (letter == 'k') {
      result += std::to_string(number);
    } else if (letter == 'p') {
      result += fmt::format("P{}", chain);
    } else if (const std::uint32_t first = register_of(letter, chain); first != 0) {
      const bool has_index =
          i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
      result += fmt::format("R{}", first + (has_index ? static_cast<std::uint32_t>(text[++i] - '0') : 0));
    } else {
      result += {'$', letter};
    }
  }
  return result;
}

/// One line for each instruction.
std::string lines_of(std::string_view text, std::uint32_t chain, std::uint32_t number) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.find_first_not_of("; ", line.size()), text.size()));
    lines += fmt::format("    {}\n", filled_in(line, chain, number));
  }
  return lines;
}

}  // namespace

std::string loop_text(const Loop& loop) {
  std::string text = ".kernel loop\n" + lines_of(loop.declare, 0, 0);
  for (std::uint32_t r = kFirstRegister; r < kFreeRegister; ++r) text += fmt::format("    MOV R{}, RZ\n", r);
  text += lines_of(loop.before, 0, 0);
  text += fmt::format("    MOV R0, {:#x}\nrounds:\n", loop.rounds);
  for (std::uint32_t k = 0; k < loop.steps; ++k) text += lines_of(loop.step, k % loop.chains, k);
  return text + "    IADD3 R0, R0, -0x1, RZ\n    ISETP.NE.AND P6, PT, R0, RZ, PT\n@P6 BRA rounds\n    EXIT\n";
}

}  // namespace heddle::validate
