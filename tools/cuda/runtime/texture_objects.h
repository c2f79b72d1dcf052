// Where the descriptions of a GPU's texture and surface objects lie: in device memory below 2^32, since machine code keeps
// the lower half of a handle alone.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "sim/session/device.h"
#include "tools/cuda/include/__heddle_texture_layout.h"

namespace heddle::cudart {

/// The objects that there are. A handle is the address of a description.
class TextureObjects {
 public:
  explicit TextureObjects(session::Device& device) : device_(device) {}

  /// Throws session::Error if there is no room.
  std::uint64_t add(const __heddle_texture& description);
  /// False if there is no such object. Its place serves another one later.
  bool remove(std::uint64_t handle);

 private:
  void make_room();

  session::Device& device_;
  std::set<std::uint64_t> used_;
  std::vector<std::uint64_t> free_;
};

}  // namespace heddle::cudart
