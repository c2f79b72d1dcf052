// The kernels of per_thread.inc as the host's compiler makes them: what nvcc's machine code for them must
// compute, too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::test {

struct HostKernel {
  std::string_view name;
  void (*run_thread)(const unsigned* a, const unsigned* b, unsigned* o, int n, int m);
};

const std::vector<HostKernel>& host_kernels();

/// All threads of a grid of so many blocks, one after another.
void run_on_host(const HostKernel& kernel, unsigned blocks, unsigned threads,
                 const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                 std::vector<std::uint32_t>& o, int m);

}  // namespace heddle::test
