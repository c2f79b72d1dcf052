// A kernel while its text is being read.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/text/lexer.h"
#include "isa/text/mistakes.h"
#include "isa/text/names.h"

namespace heddle::text {

/// A branch to a label or an address, which may stand further down.
struct LabelUse {
  Pc pc = 0;
  unsigned operand = 0;
  Token name;  ///< A word, or a number.
};

/// A label with its place in the text.
struct LabelPlace {
  Pc pc = 0;
  Token name;
};

struct KernelDraft {
  ir::Kernel kernel;
  Token name;                                              ///< Where the kernel begins.
  std::map<std::string_view, std::size_t> params;          ///< Places in kernel.params.
  std::map<std::string_view, std::size_t> shared_symbols;  ///< Places in kernel.shared_symbols.
  std::map<std::string_view, std::size_t> constant_symbols;  ///< Places in kernel.constant_symbols.
  std::map<std::string_view, LabelPlace> labels;
  std::vector<LabelUse> label_uses;
  std::map<std::uint64_t, Pc> printed;  ///< Instructions by the address that stands in a comment before them.
  Token last_instruction;
  bool has_param_base = false;  ///< The text says where parameters begin.
  unsigned registers_used = 1;
  unsigned registers_asked = 0;  ///< By .registers; 0 if it is not there.
  Token registers_place;
  /// The last instruction was not understood: how the kernel ends is not known.
  bool ends_in_mistake = false;
};

/// Defines a label at the next instruction.
void add_label(KernelDraft& draft, const Token& name, Mistakes& mistakes);

/// The words of a map, for did_you_mean().
template <typename Value>
std::vector<std::string_view> names_of(const std::map<std::string_view, Value>& map) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : map) {
    if (names.size() == kMostCandidates) break;
    names.push_back(name);
  }
  return names;
}

/// The kernel, its labels resolved; what is wrong with it as a whole is added to the mistakes.
ir::Kernel finish(KernelDraft draft, Mistakes& mistakes);

}  // namespace heddle::text
