#include "tools/cuda/runtime/registry.h"

#include <cstdint>

#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/image_text.h"

namespace heddle::cudart {

namespace {

/// What both compilers hand over: clang 14 to 22 and nvcc.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* image;
  const void* unused;
};

template <typename Value>
const Value* found_in(const std::map<const void*, Value>& all, const void* key) {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace

const session::Module& Image::module() {
  if (!module_) module_ = session::Module::from_text(ptx_of(bytes_), "device code.ptx");
  return *module_;
}

Image* Registry::add_image(const void* wrapper) {
  images_.push_back(std::make_unique<Image>(static_cast<const FatBinaryWrapper*>(wrapper)->image));
  return images_.back().get();
}

const Registered* Registry::find_function(const void* host) const { return found_in(functions_, host); }
const Registered* Registry::find_variable(const void* host) const { return found_in(variables_, host); }

}  // namespace heddle::cudart
