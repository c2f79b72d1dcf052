// Runs kernels written as text, for their results or for the fault they end in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/exec/functional.h"

namespace heddle::test {

/// A kernel and its launch. Parameters are all pointers or u64, in the order of the text.
struct KernelRun {
  std::string text;  ///< From .kernel on; files are called "test.sass".
  Dim3 grid;
  Dim3 block = {32, 1, 1};
  unsigned warp_size = 32;
  std::vector<std::uint64_t> params;
  std::uint32_t dynamic_shared_bytes = 0;
  exec::Divergence divergence = exec::Divergence::Stack;
};

std::unique_ptr<exec::LiveKernel> make_kernel(const KernelRun& run, exec::GlobalMemory& memory);

exec::FunctionalCounts run_kernel(const KernelRun& run, exec::GlobalMemory& memory);

/// The message of the KernelFault that the run ends in; empty if it ends well.
std::string fault_of(const KernelRun& run, exec::GlobalMemory& memory);

}  // namespace heddle::test
