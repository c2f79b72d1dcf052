// What is done to a kernel of PTX before instructions are selected.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// A kernel with all that it calls.
struct PreparedFunction {
  ptx::Function function;
  /// The register that points to the frames of recursive functions, if there are any (call_frames.h).
  std::optional<std::uint32_t> stack;
};

/// Links or inlines what the kernel calls, puts what is passed into registers, unrolls loops, and gives
/// recursive functions their frames.
PreparedFunction prepare_function(const ptx::Module& module, const ptx::Function& entry, const Target& target,
                                  Refusals& refusals);

}  // namespace heddle::lower
