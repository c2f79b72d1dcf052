// The dependencies between the instructions of a sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// An edge to an instruction that must come later: how many cycles later, if it is not to wait.
struct Dependency {
  std::uint32_t later = 0;
  unsigned latency = 0;
};

/// The dependencies of instructions [begin, end), counted from 0.
struct Dependencies {
  std::vector<std::vector<Dependency>> later;
  std::vector<std::uint32_t> earlier;  ///< How many must come before.
};

/// Finds the dependencies through registers and through memory: loads keep their order with stores to the
/// same space unless both have addresses from the same register that do not overlap. Barriers, fences, marks
/// (order_marks.h) and what else has effects keep theirs with all memory; strong accesses keep theirs with
/// all others.
Dependencies dependencies_of(const ir::Kernel& kernel, Pc begin, Pc end);

/// Whether it reads a clock or another counter, whose value depends on where the instruction stands.
bool reads_clock(const ir::Instruction& instruction);

/// Whether no instruction may be moved past this one, in either direction.
bool is_fixed(const ir::Instruction& instruction);

}  // namespace heddle::lower
