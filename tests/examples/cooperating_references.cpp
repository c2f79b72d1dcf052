#include <cstdint>
#include <numeric>

#include "tests/examples/launch_values.h"
#include "tests/examples/references.h"

namespace heddle::examples {

namespace {

using Words = std::vector<std::uint32_t>;

std::vector<std::byte> histogram(const LaunchFile& before) {
  auto bins = contents<std::uint32_t>(before, "bins");
  for (const std::uint32_t element : contents<std::uint32_t>(before, "data")) ++bins[element & 255];
  return bytes_of(bins);
}

/// The levels after one step of the search, and how many vertices it found.
struct Search {
  Words level;
  std::uint32_t found = 0;
};

Search search(const LaunchFile& before) {
  const auto first = contents<std::uint32_t>(before, "first");
  const auto edge = contents<std::uint32_t>(before, "edge");
  Search search{contents<std::uint32_t>(before, "level")};
  for (const std::uint32_t vertex : contents<std::uint32_t>(before, "frontier")) {
    for (std::uint32_t k = first[vertex]; k < first[vertex + 1]; ++k) {
      if (search.level[edge[k]] != ~0U) continue;
      search.level[edge[k]] = 1;
      ++search.found;
    }
  }
  return search;
}

std::vector<std::byte> levels(const LaunchFile& before) { return bytes_of(search(before).level); }

std::vector<std::byte> found(const LaunchFile& before) { return bytes_of(Words{search(before).found}); }

std::vector<std::byte> one_for_each_thread(const LaunchFile& before) {
  return bytes_of(Words{threads(before)});
}

std::vector<std::byte> sum(const LaunchFile& before) {
  const auto source = contents<std::uint32_t>(before, "source");
  return bytes_of(Words{std::accumulate(source.begin(), source.end(), 0U)});
}

std::vector<std::byte> three_times_backwards(const LaunchFile& before) {
  const auto source = contents<std::uint32_t>(before, "source");
  Words target;
  for (auto element = source.rbegin(); element != source.rend(); ++element) target.push_back(3 * *element);
  return bytes_of(target);
}

constexpr Reference kReferences[] = {
    {"bfs_step", "level", levels},
    {"bfs_step", "next_size", found},
    {"grid_barrier", "target", three_times_backwards},
    {"histogram_global", "bins", histogram},
    {"histogram_shared", "bins", histogram},
    {"reduce_last_block", "target", sum},
    {"spin_lock", "count", one_for_each_thread, true},
    {"try_lock", "count", one_for_each_thread},
};

}  // namespace

std::span<const Reference> cooperating_references() { return kReferences; }

}  // namespace heddle::examples
