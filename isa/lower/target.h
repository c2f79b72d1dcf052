// What PTX is lowered for.
#pragma once

#include <cstdint>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// A generation of GPUs, as far as it decides which instructions a kernel has.
struct Target {
  unsigned compute_capability = 80;  ///< 80 of 8.0.

  /// Where the parameters of kernels begin in constant bank 0.
  [[nodiscard]] std::uint32_t param_base() const {
    if (compute_capability >= 100) return ir::kParamOffset100;
    return compute_capability >= 90 ? ir::kParamOffset90 : ir::kParamOffset;
  }
};

}  // namespace heddle::lower
