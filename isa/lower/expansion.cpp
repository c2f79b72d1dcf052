#include "isa/lower/expansion.h"

#include "isa/lower/expand.h"

namespace heddle::lower {

std::optional<Expansion> expansion_of(const ptx::Instruction& instruction) {
  if (!instruction.unknown_words.empty()) return std::nullopt;
  switch (instruction.opcode) {
#define EXPAND(name, function) \
  case ptx::Opcode::name:      \
    return function(instruction);
#include "isa/lower/expansions.def"
#undef EXPAND
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::lower
