// Whether a GPU has the instructions of a kernel at all.
#pragma once

#include <span>
#include <string>
#include <vector>

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

}  // namespace heddle::sim
