#include "isa/ptx/opcode.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace heddle::ptx {

namespace {

constexpr std::size_t kCount = static_cast<std::size_t>(Opcode::kCount);

constexpr std::array<std::string_view, kCount> kMnemonics = {{
#define OPCODE(name, mnemonic) mnemonic,
#include "isa/ptx/opcodes.def"
#undef OPCODE
    "",
}};

using Candidates = std::vector<Opcode>;

std::string_view first_word(std::string_view mnemonic) { return mnemonic.substr(0, mnemonic.find('.')); }

std::unordered_map<std::string_view, Candidates> make_index() {
  std::unordered_map<std::string_view, Candidates> index;
  for (std::size_t i = 0; i + 1 < kCount; ++i)
    index[first_word(kMnemonics[i])].push_back(static_cast<Opcode>(i));
  return index;
}

/// How many words the mnemonic has, if they are the first ones; else 0.
std::size_t matching_words(std::string_view mnemonic, std::span<const std::string_view> words) {
  std::size_t matched = 0;
  while (true) {
    const std::size_t dot = mnemonic.find('.');
    if (matched == words.size() || mnemonic.substr(0, dot) != words[matched]) return 0;
    ++matched;
    if (dot == std::string_view::npos) return matched;
    mnemonic.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string_view mnemonic(Opcode opcode) { return kMnemonics[static_cast<std::size_t>(opcode)]; }

OpcodeMatch find_opcode(std::span<const std::string_view> words) {
  static const std::unordered_map<std::string_view, Candidates> index = make_index();
  OpcodeMatch best;
  if (words.empty()) return best;
  const auto found = index.find(words[0]);
  if (found == index.end()) return best;
  for (const Opcode each : found->second) {
    const std::size_t matched = matching_words(mnemonic(each), words);
    if (matched > (best.opcode == Opcode::Unknown ? 0 : best.words)) best = {each, matched};
  }
  return best;
}

}  // namespace heddle::ptx
