// CUDA's text stays as people write it, so no warnings here; its integers wrap.
#include "tests/isa/compiled/host_kernels.h"

#include <bit>
#include <cmath>

namespace {

struct Index {
  unsigned x = 0;
};
Index threadIdx, blockIdx, blockDim, gridDim;

struct uint4 {
  unsigned x, y, z, w;
};
uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

using u64 = unsigned long long;
using s64 = long long;
using u128 = unsigned __int128;

// The CUDA device functions that the kernels call, after the CUDA math API's descriptions.
int __popc(unsigned x) { return std::popcount(x); }
int __popcll(u64 x) { return std::popcount(x); }
int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
int __clzll(s64 x) { return std::countl_zero(static_cast<u64>(x)); }
int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
int __ffsll(s64 x) { return x == 0 ? 0 : std::countr_zero(static_cast<u64>(x)) + 1; }
u64 __brevll(u64 x) {
  u64 result = 0;
  for (int i = 0; i < 64; ++i) result |= (x >> i & 1) << (63 - i);
  return result;
}
unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const u64 bytes = u64{y} << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
  return result;
}
unsigned __umulhi(unsigned x, unsigned y) { return static_cast<unsigned>(u64{x} * y >> 32); }
int __mulhi(int x, int y) { return static_cast<int>(s64{x} * y >> 32); }
int __mul24(int x, int y) {
  const s64 product = s64{x << 8 >> 8} * (y << 8 >> 8);
  return static_cast<int>(product);
}
unsigned __sad(int x, int y, unsigned z) {
  return z + (x < y ? static_cast<unsigned>(y) - x : static_cast<unsigned>(x) - y);
}
unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
s64 __double_as_longlong(double x) { return std::bit_cast<s64>(x); }
int __float2int_rn(float x) { return static_cast<int>(std::nearbyint(x)); }
using std::ceil;
using std::fabs;
using std::floor;
using std::fma;
using std::sqrt;

#define K(name) void name(const unsigned* a, const unsigned* b, unsigned* o, int n, int m)
#define FUNCTION(type) type
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#include "tests/isa/compiled/per_thread.inc"
#undef K
#undef FUNCTION
#undef I

}  // namespace

namespace heddle::test {

const std::vector<HostKernel>& host_kernels() {
#define KERNEL(name) \
  { #name, name }
  static const std::vector<HostKernel> kAll = {
      KERNEL(warp_in_grid),
      KERNEL(grid_stride),
      KERNEL(row_loop),
      KERNEL(div_signed),
      KERNEL(div_unsigned),
      KERNEL(div_const),
      KERNEL(wide_mul),
      KERNEL(add64),
      KERNEL(div64),
      KERNEL(sdiv64),
      KERNEL(shift64),
      KERNEL(compare64),
      KERNEL(minmax),
      KERNEL(clamp3),
      KERNEL(bits),
      KERNEL(bits64),
      KERNEL(bytes),
      KERNEL(logic),
      KERNEL(rotate),
      KERNEL(hash),
      KERNEL(xorshift_loop),
      KERNEL(collatz),
      KERNEL(gcd),
      KERNEL(polynomial),
      KERNEL(select_by_branch),
      KERNEL(float_of_int),
      KERNEL(int_of_float),
      KERNEL(float_mix),
      KERNEL(double_mix),
      KERNEL(double_of_int),
      KERNEL(double_div),
      KERNEL(float_div),
      KERNEL(uniform_math),
      KERNEL(uniform_loop),
      KERNEL(uniform_branch),
      KERNEL(uniform_select),
      KERNEL(uniform_wide),
      KERNEL(uniform_div),
      KERNEL(tile_index),
      KERNEL(transpose_index),
      KERNEL(stencil),
      KERNEL(nested),
      KERNEL(early_break),
      KERNEL(binary_search),
      KERNEL(pointer_walk),
      KERNEL(vector4),
      KERNEL(bytes_in_memory),
      KERNEL(mulhi),
      KERNEL(abs_diff),
      KERNEL(lots_of_predicates),
      KERNEL(mod_pow),
      KERNEL(fixed_point),
      KERNEL(carry_chain),
      KERNEL(half_words),
      KERNEL(recursion),
      KERNEL(recursive_walk),
      KERNEL(recursive_sort),
      KERNEL(calls_in_branches),
      KERNEL(sums128),
      KERNEL(min_max16),
  };
#undef KERNEL
  return kAll;
}

void run_on_host(const HostKernel& kernel, unsigned blocks, unsigned threads,
                 const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                 std::vector<std::uint32_t>& o, int m) {
  gridDim.x = blocks;
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)
      kernel.run_thread(a.data(), b.data(), o.data(), static_cast<int>(blocks * threads), m);
  }
}

}  // namespace heddle::test
