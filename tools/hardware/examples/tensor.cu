// Twins: half-precision matrix products on tensor cores.
#include "tools/hardware/examples/tensor_twin.h"
#include "traces/hgemm.cu"
#include "traces/hgemm_async.cu"

namespace kit {

namespace {

Twin make_on_tensor_cores(Values& value, HalfKernel kernel) {
  const HalfProduct product = {value("m", 1408), value("n", 1536), value("k", 256)};
  Twin twin = make_product(product, kernel, {{product.n / 128, product.m / 128}, 128});
  twin.needs.least_capability = 80;  // for mma.m16n8k16 and cp.async
  return twin;
}

}  // namespace

Twin make_hgemm(Values& value) { return make_on_tensor_cores(value, hgemm); }
Twin make_hgemm_async(Values& value) { return make_on_tensor_cores(value, hgemm_async); }

}  // namespace kit
