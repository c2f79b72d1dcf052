#include "tools/cuda/runtime/texture_objects.h"

#include <cstring>

namespace heddle::cudart {

namespace {

constexpr std::uint64_t kTableBytes = 1 << 20;  // for 8192 objects
constexpr std::uint64_t kPlaceBytes = 128;
static_assert(sizeof(__heddle_texture) <= kPlaceBytes);

}  // namespace

void TextureObjects::make_room() {
  const session::DevicePointer table = device_.allocate_low(kTableBytes, "texture objects");
  for (std::uint64_t offset = kTableBytes; offset != 0; offset -= kPlaceBytes)
    free_.push_back(table.address + offset - kPlaceBytes);
}

std::uint64_t TextureObjects::add(const __heddle_texture& description) {
  if (free_.empty()) make_room();
  const std::uint64_t place = free_.back();
  std::memcpy(device_.bytes_at({place}, sizeof description).data(), &description, sizeof description);
  free_.pop_back();
  used_.insert(place);
  return place;
}

bool TextureObjects::remove(std::uint64_t handle) {
  if (used_.erase(handle) == 0) return false;
  const auto description = device_.bytes_at({handle}, sizeof(__heddle_texture));
  std::memset(description.data(), 0, description.size());  // who still uses it is found out
  free_.push_back(handle);
  return true;
}

}  // namespace heddle::cudart
