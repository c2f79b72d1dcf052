#include "tests/support/lone_trails.h"

namespace heddle::test {

bool way(std::uint64_t seed, unsigned lane, std::size_t step) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15U * (step * 64 + lane + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return ((x ^ x >> 31) & 1) != 0;
}

Trail lone_trail(const ir::Kernel& kernel, std::uint64_t seed, unsigned lane, std::size_t steps) {
  Trail trail;
  Pc pc = 0;
  while (trail.size() < steps) {
    trail.push_back(pc);
    const ir::Instruction& instruction = kernel.instructions[pc];
    const bool holds = instruction.guard.always() || way(seed, lane, trail.size());
    if (instruction.opcode == ir::Opcode::Exit && holds) break;
    pc = instruction.opcode == ir::Opcode::Bra && holds ? static_cast<Pc>(instruction.operands[1].value)
                                                        : pc + 1;
  }
  return trail;
}

unsigned wrong_trails(const ir::Kernel& kernel, std::uint64_t seed, const std::vector<Trail>& trails,
                      LaneMask live) {
  unsigned wrong = 0;
  for (unsigned lane = 0; lane < trails.size(); ++lane) {
    const Trail& trail = trails[lane];
    const bool has_exited = (live >> lane & 1) == 0;
    wrong += lone_trail(kernel, seed, lane, trail.size() + (has_exited ? 1 : 0)) == trail ? 0 : 1;
  }
  return wrong;
}

}  // namespace heddle::test
