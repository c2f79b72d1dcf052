// Random functions in the language that CUDA C++ and C++ share.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

/// Source text with `count` kernels k0, k1, ... of the parameters (const unsigned long long* in, unsigned
/// long long* out, int n): thread i makes out[i] from in[3 * i] to in[3 * i + 2]. Without a CUDA compiler,
/// k0_host and so on do the same for all i. There are arithmetic of 8 to 64 bits, comparisons, loops,
/// switches, breaks, local arrays, and functions that are called. Behaviour is defined for all inputs.
std::string random_cuda(std::uint32_t seed, unsigned count);

}  // namespace heddle::test
