#include "isa/ptx/modifier.h"

#include <unordered_map>

namespace heddle::ptx {

namespace {

constexpr std::size_t kCount = static_cast<std::size_t>(Modifier::kCount);

constexpr std::array<ModifierInfo, kCount> kTable = {{
#define MODIFIER(name, word) {word, 0, TypeKind::None},
#define TYPE(name, word, bits, kind) {word, bits, TypeKind::kind},
#include "isa/ptx/modifiers.def"
#undef MODIFIER
#undef TYPE
    {"", 0, TypeKind::None},
    {"", 0, TypeKind::None},
}};

std::unordered_map<std::string_view, Modifier> make_index() {
  std::unordered_map<std::string_view, Modifier> index;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!kTable[i].word.empty()) index.emplace(kTable[i].word, static_cast<Modifier>(i));
  }
  return index;
}

}  // namespace

const ModifierInfo& info(Modifier modifier) { return kTable[static_cast<std::size_t>(modifier)]; }

Modifier find_modifier(std::string_view word) {
  static const std::unordered_map<std::string_view, Modifier> index = make_index();
  const auto found = index.find(word);
  return found == index.end() ? Modifier::Unknown : found->second;
}

Modifier ModifierList::type(std::size_t n) const {
  for (const Modifier each : *this) {
    if (is_type(each) && n-- == 0) return each;
  }
  return Modifier::Unknown;
}

}  // namespace heddle::ptx
