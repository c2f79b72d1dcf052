#include "tools/sample/launch_groups.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::sample {

namespace {

auto place_of(const Dim3& extents) { return std::tuple(extents.x, extents.y, extents.z); }

/// What launches share that can be in one group though their sizes differ.
auto kind_of(const LaunchTraits& launch) {
  return std::tuple(launch.kernel, place_of(launch.block), launch.registers, launch.shared_bytes,
                    launch.finds_empty_l2);
}

auto all_of(const LaunchTraits& launch) {
  return std::tuple(kind_of(launch), place_of(launch.grid), launch.warp_instructions);
}

bool is_far(std::uint64_t one, std::uint64_t other) {
  const auto [least, most] = std::minmax(one, other);
  return static_cast<double>(most) > kGreatestSpread * static_cast<double>(least);
}

/// Cuts launches of one kind where their sizes differ too much.
void cut_by_size(LaunchGroup launches, std::span<const LaunchTraits> traits,
                 std::vector<LaunchGroup>& groups) {
  const auto instructions = [&](std::size_t launch) { return traits[launch].warp_instructions; };
  std::stable_sort(launches.begin(), launches.end(), [&](std::size_t left, std::size_t right) {
    return instructions(left) < instructions(right);
  });
  LaunchGroup group;
  for (const std::size_t launch : launches) {
    const bool is_other =
        !group.empty() && (is_far(instructions(group[0]), instructions(launch)) ||
                           is_far(traits[group[0]].grid.count(), traits[launch].grid.count()));
    if (is_other) groups.push_back(std::exchange(group, {}));
    group.push_back(launch);
  }
  groups.push_back(std::move(group));
}

}  // namespace

std::vector<LaunchGroup> group_launches(std::span<const LaunchTraits> launches) {
  std::map<decltype(all_of(launches[0])), LaunchGroup> alike;
  for (std::size_t i = 0; i < launches.size(); ++i) alike[all_of(launches[i])].push_back(i);
  std::vector<LaunchGroup> groups;
  std::map<decltype(kind_of(launches[0])), LaunchGroup> others;
  for (auto& [traits, group] : alike) {
    if (group.size() >= kEnoughAlike) {
      groups.push_back(std::move(group));
    } else {
      auto& kind = others[std::get<0>(traits)];
      kind.insert(kind.end(), group.begin(), group.end());
    }
  }
  for (auto& [kind, group] : others) {
    std::sort(group.begin(), group.end());
    cut_by_size(std::move(group), launches, groups);
  }
  const auto first = [](const LaunchGroup& group) { return *std::min_element(group.begin(), group.end()); };
  std::sort(groups.begin(), groups.end(),
            [&](const LaunchGroup& left, const LaunchGroup& right) { return first(left) < first(right); });
  return groups;
}

}  // namespace heddle::sample
