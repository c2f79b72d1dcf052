// Twin: a half-precision matrix product by a warpgroup (wgmma), only for compute capability 9.0.
#include "tools/hardware/examples/tensor_twin.h"

#ifndef __CUDACC__

// What the emulator has for the instructions of traces/hgemm_warpgroup.cu.
const char* dynamic_shared();

inline void settle(float (&)[2][96]) {}

inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(static_cast<const char*>(pointer) - dynamic_shared());
}

inline void begin_products() { __syncthreads(); }
inline void commit_products() {}
template <int kLeft>
void wait_for_products() {}

/// The number at a byte address before swizzling, which changes bits 4 to 6 by bits 7 to 9.
inline float swizzled(unsigned address) {
  Half half;
  std::memcpy(&half, dynamic_shared() + (address ^ ((address >> 7 & 7) << 4)), sizeof half);
  return kit::float_of(half);
}

inline void multiply(float (&d)[96], unsigned long long a, unsigned long long b) {
  const unsigned from_a = static_cast<unsigned>(a & 0x3fff) << 4, from_b = static_cast<unsigned>(b & 0x3fff)
                                                                           << 4;
  const unsigned leading = static_cast<unsigned>(b >> 16 & 0x3fff) << 4;
  const unsigned eight_lines = static_cast<unsigned>(b >> 32 & 0x3fff) << 4;
  for (unsigned i = 0; i < 96; ++i) {
    const unsigned row = threadIdx.x / 32 * 16 + kit::lane() / 4 + i % 4 / 2 * 8,
                   n = i / 4 * 8 + kit::lane() % 4 * 2 + i % 2;
    for (unsigned k = 0; k < 16; ++k)
      d[i] += swizzled(from_a + row / 8 * eight_lines + row % 8 * 128 + 2 * k) *
              swizzled(from_b + n / 64 * leading + k / 8 * eight_lines + k % 8 * 128 + n % 64 * 2);
  }
}

#endif

#include "traces/hgemm_warpgroup.cu"

#ifndef __CUDACC__

__shared__ SwizzledTile tiles[kStages];

const char* dynamic_shared() { return reinterpret_cast<const char*>(tiles); }

#endif

namespace kit {

Twin make_hgemm_warpgroup(Values& value) {
  const HalfProduct product = {value("m", 1408), value("n", 2304), value("k", 256)};
  Shape shape = {{product.n / 192, product.m / 128}, 128};
  shape.shared_bytes = kStages * sizeof(SwizzledTile);
  Twin twin = make_product(product, hgemm_warpgroup, shape);
  twin.needs.only_capability = 90;
  return twin;
}

}  // namespace kit
