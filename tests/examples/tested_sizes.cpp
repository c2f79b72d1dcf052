#include "tests/examples/tested_sizes.h"

#include <map>

namespace heddle::examples {

Overrides tested_size(std::string_view example) {
  static const std::map<std::string_view, Overrides> kSizes = {
      {"bfs_step", {"n=8192"}},
      {"bitonic_sort", {"blocks=1"}},
      {"black_scholes", {"n=65536"}},
      {"hgemm", {"m=256", "n=512", "k=512"}},
      {"hgemm_async", {"m=256", "n=512", "k=512"}},
      {"hgemm_warpgroup", {"m=256", "n=384", "k=256"}},
      {"kernel_a", {"n=270336"}},
      {"kernel_b", {"n=270336"}},
      {"mandelbrot", {"width=192", "height=128"}},
      {"matmul_v1", {"n=160"}},
      {"matmul_v2", {"n=160"}},
      {"matmul_v3", {"n=160"}},
      {"nbody", {"n=1024"}},
      {"reduce_last_block", {"n=65536"}},
      {"reduce_v1", {"n=262144"}},
      {"reduce_v2", {"n=262144"}},
      {"reduce_v3", {"n=262144"}},
      {"saxpy", {"n=65536"}},
      {"scan_exclusive", {"blocks=256"}},
      {"shared_stride", {"blocks=1"}},
      {"spmv_csr", {"rows=8192", "columns=8192"}},
      {"sqrt_branch", {"n=270336"}},
      {"sqrt_select", {"n=270336"}},
      {"stencil_2d", {"width=512", "height=256"}},
      {"strided_copy", {"n=65536"}},
      {"switch_paths", {"blocks=1", "block=32"}},
      {"transpose_naive", {"width=512", "height=384"}},
      {"transpose_padded", {"width=512", "height=384"}},
      {"transpose_tiled", {"width=512", "height=384"}},
      {"vecadd", {"n=65536"}},
  };
  const auto found = kSizes.find(example);
  return found == kSizes.end() ? Overrides{} : found->second;
}

}  // namespace heddle::examples
