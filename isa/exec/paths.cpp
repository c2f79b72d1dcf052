#include "isa/exec/paths.h"

#include "isa/exec/convergence_barriers.h"
#include "isa/exec/simt_stack.h"

namespace heddle::exec {

std::optional<Divergence> find_divergence(std::string_view name) {
  if (name == "stack") return Divergence::Stack;
  if (name == "barrier") return Divergence::Barriers;
  return std::nullopt;
}

void Paths::arm(unsigned, LaneMask) {}
void Paths::leave(unsigned, LaneMask) {}
void Paths::sync(unsigned, LaneMask, Pc next) { advance(next); }
void Paths::gather(LaneMask, LaneMask, Pc, Pc next) { advance(next); }
void Paths::take_turns() {}
bool Paths::yield() { return false; }

std::unique_ptr<Paths> make_paths(Divergence divergence) {
  if (divergence == Divergence::Stack) return std::make_unique<SimtStack>();
  return std::make_unique<ConvergenceBarriers>();
}

}  // namespace heddle::exec
