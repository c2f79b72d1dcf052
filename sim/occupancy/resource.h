// What an SM can run out of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::sim {

enum class Resource : std::uint8_t {
#define OCCUPANCY_RESOURCE(name, key, summary) name,
#include "sim/occupancy/resources.def"
#undef OCCUPANCY_RESOURCE
};

struct ResourceInfo {
  std::string_view key;
  std::string_view summary;  ///< "not enough ..."
};

inline constexpr ResourceInfo kResourceTable[] = {
#define OCCUPANCY_RESOURCE(name, key, summary) {key, summary},
#include "sim/occupancy/resources.def"
#undef OCCUPANCY_RESOURCE
};

inline constexpr std::size_t kResources = std::size(kResourceTable);

constexpr const ResourceInfo& info(Resource resource) {
  return kResourceTable[static_cast<std::size_t>(resource)];
}

}  // namespace heddle::sim
