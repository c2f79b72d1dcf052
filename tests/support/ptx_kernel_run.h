// Runs a kernel of PTX, lowered to IR, on words of memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/exec/divergence.h"
#include "isa/ir/kernel.h"

namespace heddle::test {

/// The statements of a kernel, which find the address of the input in %in and that of the output in %out
/// (.b64), both of global memory; %tid.x in %t and %laneid in %lane (.b32); the thread's input, word %t, in
/// %a (.b32), and the addresses of word %t of both in %ina and %outa. There are also %x<40> (.b32), %y<20>
/// (.b64), %f<40> (.f32), %d<10>
/// (.f64), %s<20> (.b16) and %p<20> (.pred), and 4096 words of shared memory, `words`.
struct PtxKernelRun {
  std::string statements;
  unsigned compute_capability = 80;
  exec::Divergence divergence = exec::Divergence::Barriers;
  std::uint32_t threads = 64;
  std::string functions = {};  ///< And variables of the module, before the kernel.
  unsigned most_registers = 256;
};

ir::Kernel lower_statements(const PtxKernelRun& run);

/// What one block leaves in the output, which has so many words and begins as zeros.
std::vector<std::uint32_t> run_ptx_kernel(const PtxKernelRun& run, const std::vector<std::uint32_t>& input,
                                          std::size_t output_words);

}  // namespace heddle::test
