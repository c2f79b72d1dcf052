// All prefetchers.
#include "sim/memory/policies/next_line.h"
#include "sim/memory/policies/prefetcher.h"
#include "sim/memory/policies/stride.h"

namespace heddle::sim {

namespace {

template <typename Policy>
constexpr PrefetcherPolicy policy(std::string_view name, std::string_view summary) {
  return {{name, summary}, [](const PrefetcherShape& shape) -> std::unique_ptr<Prefetcher> {
            return std::make_unique<Policy>(shape);
          }};
}

constexpr PrefetcherPolicy kPolicies[] = {
    {{"none", "nothing is fetched that was not asked for"}, nullptr},
    policy<NextLine>("next_line", "the same sectors of the lines that follow the one that is loaded"),
    policy<Stride>("stride", "by instruction and warp: what lies ahead of loads that go on by equal steps"),
};

}  // namespace

std::span<const PrefetcherPolicy> prefetcher_policies() { return kPolicies; }

PolicyNames prefetcher_names() { return names_of(prefetcher_policies()); }

std::unique_ptr<Prefetcher> make_prefetcher(std::string_view name, std::string_view key,
                                            const PrefetcherShape& shape) {
  const PrefetcherPolicy& found = find_policy(prefetcher_policies(), kPrefetchers, name, key);
  return found.make != nullptr ? found.make(shape) : nullptr;
}

}  // namespace heddle::sim
