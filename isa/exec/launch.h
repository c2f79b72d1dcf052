// A kernel launch, ready to execute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/ir/kernel.h"
#include "isa/stream/forgiven_mistakes.h"

namespace heddle::exec {

/// The kernel, its grid, and what it is given. decode() makes it ready for the SMs.
struct Launch {
  ir::Kernel kernel;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t number = 0;                ///< %gridid: kernels that launch others tell launches apart by it.
  std::uint32_t registers_per_thread = 0;  ///< What the SM is charged; at least kernel.registers.
  /// Whether warps must meet at one instruction even if a compiler made the kernel. GPUs and PTX let them meet at any
  /// that names the barrier, and programs rely on it; CUDA C++ and a programmer's own text do not.
  bool is_strict_about_barriers = false;
  std::shared_ptr<stream::ForgivenMistakes> forgiven;  ///< Null: they are faults.
  double clock_mhz = 1000;                 ///< Of the SM, by which %globaltimer is made of cycles.
  std::vector<std::byte> params;           ///< The bytes of constant bank 0 from Kernel::param_base on.
};

}  // namespace heddle::exec
