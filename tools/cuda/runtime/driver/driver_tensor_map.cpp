// Maps of tensors, from which kernels copy tiles.
#include <cstring>
#include <span>

#include "isa/exec/tensor_map.h"
#include "tools/cuda/runtime/driver/driver_call.h"

namespace {

using heddle::cudart::Failure;
using heddle::cudart::require;
using heddle::exec::BulkElement;
using heddle::exec::TensorMap;

void require_supported(bool holds, const char* what) {
  if (!holds) throw Failure(cudaErrorNotSupported, what);
}

std::uint64_t value_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// BulkElement has CUDA's order.
BulkElement element_of(CUtensorMapDataType type) {
  require_supported(type <= CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                    "tensors whose floats are changed by a copy (FLOAT32_FTZ, TFLOAT32), or of 4 or 6 bits, are not simulated");
  return static_cast<BulkElement>(type);
}

std::uint32_t swizzle_of(CUtensorMapSwizzle swizzle) {
  constexpr std::uint32_t kBytes[] = {0, 32, 64, 128};
  require_supported(swizzle <= CU_TENSOR_MAP_SWIZZLE_128B, "swizzles of atoms of more than 16 bytes are not simulated");
  return kBytes[swizzle];
}

/// Rules of CUDA's driver API, cuTensorMapEncodeTiled().
void check_map(const TensorMap& map) {
  constexpr std::uint64_t kMostSize = std::uint64_t{1} << 32;
  constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40;
  require(map.address % 16 == 0, "the tensor's address must be a multiple of 16");
  for (unsigned i = 0; i < map.rank; ++i) {
    require(map.sizes[i] != 0 && map.sizes[i] <= kMostSize, "a dimension must have 1 to 2^32 elements");
    require(map.box[i] != 0 && map.box[i] <= 256, "a box must have 1 to 256 elements along each dimension");
    require(map.steps[i] != 0 && map.steps[i] <= 8, "element strides must be 1 to 8");
    if (i + 1 < map.rank)
      require(map.strides[i] % 16 == 0 && map.strides[i] < kMostStride,
              "strides must be multiples of 16 bytes, below 2^40");
  }
  const std::uint32_t row = map.box[0] * bytes_of(map.element);
  require(row % 16 == 0, "a box must have a multiple of 16 bytes along the first dimension");
  require(map.swizzle == 0 || row <= map.swizzle, "a box must not be wider than its swizzle");
}

/// What a program has.
TensorMap map_of(const CUtensorMap* map) {
  require(map != nullptr, "there is no tensor map");
  const auto made = heddle::exec::decode_tensor_map(std::as_bytes(std::span(map->opaque)));
  require(made.has_value(), "this is no tensor map that cuTensorMapEncodeTiled has made");
  return *made;
}

void write(const TensorMap& map, CUtensorMap* to) {
  const auto bytes = heddle::exec::encoded(map);
  std::memcpy(to->opaque, bytes.data(), bytes.size());
}

}  // namespace

extern "C" {

// How L2 keeps what is copied is not modelled: `promotion` changes nothing.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  constexpr const char* kName = "cuTensorMapEncodeTiled";
  return heddle::cudart::result_of(heddle::cudart::call(kName, [&](heddle::cudart::Process&) {
    require(map != nullptr && sizes != nullptr && box != nullptr && steps != nullptr, "an array is missing");
    require(rank >= 1 && rank <= TensorMap::kMostDimensions, "a tensor has 1 to 5 dimensions");
    require(rank == 1 || strides != nullptr, "a tensor of several dimensions has strides");
    require_supported(interleave == CU_TENSOR_MAP_INTERLEAVE_NONE, "interleaved tensors are not simulated");
    require_supported(fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
                      "NaNs in place of what lies out of the tensor are not simulated");
    TensorMap made;
    made.element = element_of(type);
    made.swizzle = swizzle_of(swizzle);
    made.rank = rank;
    made.address = value_of(address);
    for (unsigned i = 0; i < rank; ++i) {
      made.sizes[i] = sizes[i];
      made.box[i] = box[i];
      made.steps[i] = steps[i];
      if (i + 1 < rank) made.strides[i] = strides[i];
    }
    check_map(made);
    write(made, map);
  }));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return heddle::cudart::result_of(
      heddle::cudart::call("cuTensorMapReplaceAddress", [&](heddle::cudart::Process&) {
        TensorMap made = map_of(map);
        made.address = value_of(address);
        check_map(made);
        write(made, map);
      }));
}
}
