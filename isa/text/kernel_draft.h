// A kernel whose text is being read.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/text/lexer.h"
#include "isa/text/mistakes.h"
#include "isa/text/names.h"

namespace heddle::text {

/// A branch to a label or address that may come later in the text.
struct LabelUse {
  Pc pc = 0;
  unsigned operand = 0;
  Token name;  ///< A word, or a number.
};

/// A label and its position in the text.
struct LabelPlace {
  Pc pc = 0;
  Token name;
};

/// The kernel read so far, and what is needed to finish it.
struct KernelDraft {
  ir::Kernel kernel;
  Token name;                                                ///< Where the kernel begins in the text.
  std::map<std::string_view, std::size_t> params;            ///< Indices in kernel.params.
  std::map<std::string_view, std::size_t> shared_symbols;    ///< Indices in kernel.shared_symbols.
  std::map<std::string_view, std::size_t> constant_symbols;  ///< Indices in kernel.constant_symbols.
  std::map<std::string_view, LabelPlace> labels;
  std::vector<LabelUse> label_uses;
  std::map<std::uint64_t, Pc> printed;  ///< Instructions by the address in the comment before them.
  Token last_instruction;
  bool has_param_base = false;  ///< The text says where the parameters begin.
  unsigned registers_used = 1;
  unsigned registers_asked = 0;  ///< From .registers; 0 if that is missing.
  Token registers_place;
  /// The last instruction could not be read, so it is unknown how the kernel ends.
  bool ends_in_mistake = false;
};

/// Defines a label at the next instruction.
void add_label(KernelDraft& draft, const Token& name, Mistakes& mistakes);

/// The keys of a map, for did_you_mean().
template <typename Value>
std::vector<std::string_view> names_of(const std::map<std::string_view, Value>& map) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : map) {
    if (names.size() == kMostCandidates) break;
    names.push_back(name);
  }
  return names;
}

/// Returns the kernel with its labels resolved. Adds mistakes of the kernel as a whole.
ir::Kernel finish(KernelDraft draft, Mistakes& mistakes);

}  // namespace heddle::text
