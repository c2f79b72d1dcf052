#include "tools/cuda/runtime/image_text.h"

#include <fmt/format.h>

#include "isa/base/read_number.h"
#include "isa/cubin/elf.h"
#include "tools/cuda/image/fat_binary.h"
#include "tools/cuda/image/ptx_link.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

constexpr std::size_t kMagicBytes = 4;

std::string ptx_of_fat_binary(const void* begin, unsigned capability) {
  const std::string name = "the program's device code";
  const auto all = image::fat_binaries(image::fat_binary_at(begin), name);
  const image::FatEntry* ptx = image::ptx_for(all.front(), capability);
  return ptx != nullptr ? image::code_of(*ptx) : "";
}

std::string_view magic_of(const void* image) { return {static_cast<const char*>(image), kMagicBytes}; }

std::string ptx_of_image(const void* image, unsigned capability) {
  if (image::is_fat_binary(magic_of(image))) return ptx_of_fat_binary(image, capability);
  return std::string(plain_text_of(image).value_or(""));
}

/// NVIDIA's own library of what kernels launch kernels by (-lcudadevrt), in whose place Heddle's stands.
bool is_device_runtime(std::string_view ptx) {
  constexpr std::string_view kName = "__cudaCDP2LaunchDeviceV2";
  const std::size_t named = ptx.find(kName);
  if (named == std::string_view::npos) return false;
  const std::size_t line = ptx.rfind('\n', named) + 1;
  return !ptx.substr(line).starts_with(".extern");
}

}  // namespace

std::optional<std::string_view> plain_text_of(const void* image) {
  const std::string_view magic = magic_of(image);
  if (image::is_fat_binary(magic) || cubin::is_elf(magic)) return std::nullopt;
  return static_cast<const char*>(image);
}

std::string ptx_of(const std::vector<const void*>& images, unsigned capability) {
  std::vector<std::string> texts;
  for (const void* image : images) {
    std::string ptx = ptx_of_image(image, capability);
    if (!ptx.empty() && !is_device_runtime(ptx)) texts.push_back(std::move(ptx));
  }
  if (texts.empty())
    throw Failure(cudaErrorNoKernelImageForDevice,
                  "a part of the program has machine code and no PTX, which is simulated; compile it by nvcc "
                  "-gencode arch=compute_80,code=compute_80, or by heddle cuda");
  return texts.size() == 1 ? std::move(texts.front()) : image::link_ptx(texts).text;
}

std::string machine_code_of(const void* image, unsigned capability) {
  if (image::is_fat_binary(magic_of(image))) {
    const auto all = image::fat_binaries(image::fat_binary_at(image), "the program's device code");
    if (const image::FatEntry* code = image::machine_code_for(all.front(), capability))
      return image::code_of(*code);
  }
  throw Failure(
      cudaErrorNoKernelImageForDevice,
      fmt::format(
          "a part of the program has no machine code for compute capability {0}.{1}; compile it by nvcc "
          "-arch=sm_{0}{1}, or leave --code machine out",
          capability / 10, capability % 10));
}

unsigned target_of(std::string_view ptx) {
  constexpr std::string_view kTarget = ".target sm_";
  const std::size_t at = ptx.find(kTarget);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = ptx.substr(at + kTarget.size());
  return number_in<unsigned>(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0);
}

}  // namespace heddle::cudart
