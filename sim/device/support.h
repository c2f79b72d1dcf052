// Whether a GPU has the instructions of a kernel at all.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/stream/static_op.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Instructions of a class that the GPU does not have: the first one, and how many there are.
struct Unsupported {
  stream::StaticOp first;
  std::size_t count = 0;
};

/// In the order of the kernel; empty if the GPU can run it.
std::vector<Unsupported> unsupported(std::span<const stream::StaticOp> ops, const GpuSpec& spec);

/// What to say after the first one's name.
std::string to_text(const Unsupported& missing, const GpuSpec& spec);

/// An instruction as messages name it: its position, if it is known, and its text.
struct NamedInstruction {
  SourceLocation where;
  std::string text;
};

/// Adds a message for each class of the kernel's instructions that the GPU does not have.
void require_support(std::span<const stream::StaticOp> ops, const GpuSpec& spec,
                     const std::function<NamedInstruction(Pc)>& named, Diagnostics& problems);

}  // namespace heddle::sim
