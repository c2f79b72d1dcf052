// All policies of block placement.
#include <algorithm>

#include "sim/device/block_placement.h"

namespace heddle::sim {

namespace {

SmId number_of(std::span<const std::uint32_t> room, const std::uint32_t* sm) {
  return static_cast<SmId>(sm - room.data());
}

/// The SM with most room; if there are several, that of the lowest number.
class BreadthFirst final : public BlockPlacement {
 public:
  SmId choose(std::span<const std::uint32_t> room) override {
    return number_of(room, std::max_element(room.data(), room.data() + room.size()));
  }
};

class DepthFirst final : public BlockPlacement {
 public:
  SmId choose(std::span<const std::uint32_t> room) override {
    return number_of(room, std::find_if(room.data(), room.data() + room.size(),
                                        [](std::uint32_t blocks) { return blocks != 0; }));
  }
};

class RoundRobin final : public BlockPlacement {
 public:
  SmId choose(std::span<const std::uint32_t> room) override {
    do {
      next_ = (next_ + 1) % room.size();
    } while (room[next_] == 0);
    return static_cast<SmId>(next_);
  }

 private:
  std::size_t next_ = ~std::size_t{0};  // the last block's SM; at first one before SM 0
};

template <typename Policy>
constexpr PlacementPolicy policy(std::string_view name, std::string_view summary) {
  return {{name, summary}, []() -> std::unique_ptr<BlockPlacement> { return std::make_unique<Policy>(); }};
}

constexpr PlacementPolicy kPolicies[] = {
    policy<BreadthFirst>("breadth_first", "the SM with room for most blocks; of several, the lowest number"),
    policy<DepthFirst>("depth_first",
                       "the SM of the lowest number that has room: SMs fill one after another"),
    policy<RoundRobin>("round_robin", "the next SM after that of the block before that has room"),
};

}  // namespace

std::span<const PlacementPolicy> placement_policies() { return kPolicies; }

PolicyNames placement_names() { return names_of(placement_policies()); }

std::unique_ptr<BlockPlacement> make_placement(std::string_view name) {
  return find_policy(placement_policies(), kPlacements, name, "dispatch.placement").make();
}

}  // namespace heddle::sim
