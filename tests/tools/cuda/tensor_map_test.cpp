// cuTensorMapEncodeTiled, as programs find it: which tensors can be copied by tiles, and what is said of others.
// What needs clang says so and passes where there is none.
#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kProgram = R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
static const char* name(CUresult result) {
  const char* text = "?";
  cuGetErrorName(result, &text);
  return text;
}
struct Asked {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  cuuint32_t rank = 2;
  cuuint64_t address = 0x10000, sizes[5] = {100, 40, 30, 20, 10}, strides[4] = {208, 8320, 249600, 4992000};
  cuuint32_t box[5] = {64, 8, 2, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};
static CUresult encode(const Asked& a, CUtensorMap* map) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status) != cudaSuccess) return CUDA_ERROR_UNKNOWN;
  if (status != cudaDriverEntryPointSuccess || found != (void*)&cuTensorMapEncodeTiled) return CUDA_ERROR_NOT_FOUND;
  return cuTensorMapEncodeTiled(map, a.type, a.rank, (void*)a.address, a.sizes, a.strides, a.box, a.steps, a.interleave, a.swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, a.fill);
}
template <typename Change>
static void with(Change change) {
  Asked asked;
  CUtensorMap map;
  change(asked);
  std::printf("%s\n", name(encode(asked, &map)));
}
int main() {
  with([](Asked&) {});
  with([](Asked& a) { a.rank = 5; });
  with([](Asked& a) { a.rank = 6; });
  with([](Asked& a) { a.address = 0x10008; });
  with([](Asked& a) { a.sizes[1] = 0; });
  with([](Asked& a) { a.strides[0] = 200; });
  with([](Asked& a) { a.box[0] = 60; });
  with([](Asked& a) { a.box[1] = 257; });
  with([](Asked& a) { a.box[0] = 72; });
  with([](Asked& a) { a.steps[1] = 9; });
  with([](Asked& a) { a.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32; });
  with([](Asked& a) { a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; });
  with([](Asked& a) { a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; });
  CUtensorMap first, second, none = {};
  Asked asked;
  encode(asked, &first);
  asked.address = 0x20000;
  encode(asked, &second);
  const bool differ = first.opaque[1] != second.opaque[1];
  std::printf("%d %s", differ, name(cuTensorMapReplaceAddress(&first, (void*)0x20000)));
  bool same = true;
  for (int i = 0; i < CU_TENSOR_MAP_NUM_QWORDS; ++i) same = same && first.opaque[i] == second.opaque[i];
  std::printf(" %d %s\n", same, name(cuTensorMapReplaceAddress(&none, (void*)0x20000)));
  void* found = &none;
  cudaDriverEntryPointQueryResult status;
  cudaGetDriverEntryPointByVersion("cuFly", &found, 12000, cudaEnableDefault, &status);
  std::printf("%d %d\n", found == nullptr, status == cudaDriverEntryPointSymbolNotFound);
}
)";

}  // namespace

TEST_CASE("Maps of tensors are made as the driver API has them, and what is not simulated is refused") {
  if (!has_clang()) return;
  const CudaProgram program(kProgram);
  const FinishedProgram ran = program.run();
  INFO(ran.errors);
  const std::string invalid = "CUDA_ERROR_INVALID_VALUE\n";
  const std::string foreign = "CUDA_ERROR_NOT_SUPPORTED\n";
  CHECK(ran.output == "CUDA_SUCCESS\nCUDA_SUCCESS\n" + invalid + invalid + invalid + invalid + invalid + invalid + invalid +
                          invalid + foreign + foreign + foreign + "1 CUDA_SUCCESS 1 CUDA_ERROR_INVALID_VALUE\n1 1\n");
  CHECK_THAT(ran.errors, Catch::Contains("a box must not be wider than its swizzle") &&
                             Catch::Contains("interleaved tensors are not simulated"));
}

}  // namespace heddle::cuda
