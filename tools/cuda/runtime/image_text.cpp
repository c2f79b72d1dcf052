#include "tools/cuda/runtime/image_text.h"

#include <cstdint>
#include <cstring>

#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

constexpr std::uint32_t kFatBinaryMagic = 0xba55ed50;
constexpr std::uint32_t kElfMagic = 0x464c457f;

}  // namespace

std::string ptx_of(const void* image) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == kElfMagic)
    throw Failure(cudaErrorNoKernelImageForDevice,
                  "the program has machine code and no PTX, which is simulated");
  if (magic == kFatBinaryMagic)
    throw Failure(
        cudaErrorNoKernelImageForDevice,
        "the program was compiled by nvcc, whose fat binaries are not read; compile it by heddle cuda");
  return static_cast<const char*>(image);
}

}  // namespace heddle::cudart
