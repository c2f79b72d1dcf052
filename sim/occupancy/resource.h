// The resources of an SM that limit occupancy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::sim {

/// A resource of an SM that limits how many blocks it holds.
enum class Resource : std::uint8_t {
#define OCCUPANCY_RESOURCE(name, key, summary) name,
#include "sim/occupancy/resources.def"
#undef OCCUPANCY_RESOURCE
};

/// The names of a resource, for reports and messages.
struct ResourceInfo {
  std::string_view key;
  std::string_view summary;  ///< Completes "not enough ...".
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
