#include "tools/launch/chain.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "tools/launch/random.h"

namespace heddle::launch {

namespace {

/// Why elements of the type cannot be those of the chain; empty if they can.
std::string mistake(const Chain& chain, ElementType type) {
  if (info(type).is_float)
    return fmt::format("a chain has integers, and elements of {} are none", info(type).name);
  if (chain.stride % info(type).bytes != 0) {
    return fmt::format("'stride' must be a multiple of an element's {} bytes; found {}", info(type).bytes,
                       chain.stride);
  }
  const std::int64_t last = chain.offset_of(chain.places - 1);
  const auto reason = misfit(type, last);
  return reason ? fmt::format("the chain reaches {}, which {}", last, *reason) : "";
}

}  // namespace

std::vector<std::uint32_t> Chain::walk() const {
  std::mt19937_64 engine(seed);
  std::vector<std::uint32_t> walk(places);
  std::iota(walk.begin(), walk.end(), 0U);
  for (std::uint32_t i = 1; i < links; ++i) {
    const std::int64_t drawn = uniform_integer(engine, i, std::int64_t{places} - 1);
    std::swap(walk[i], walk[static_cast<std::size_t>(drawn)]);
  }
  walk.resize(links);
  return walk;
}

std::optional<Chain> read_chain(const sim::YamlValue& settings, ElementType type, std::uint64_t bytes,
                                Evaluator& evaluator) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  sim::YamlMap map(settings, evaluator.problems());
  const auto setting = [&](const char* key, std::int64_t least, std::int64_t most, std::int64_t otherwise) {
    const auto value = map.find(key);
    return value ? evaluator.integer(*value, least, most) : otherwise;
  };
  const auto size = static_cast<std::int64_t>(bytes);
  const auto stride = setting("stride", 1, size, info(type).bytes);
  const std::int64_t places = size / stride.value_or(size);
  const auto links = setting("links", 1, places, places);
  const auto first = setting("first", 0, kMost - size, 0);
  const auto seed = setting("seed", 0, kMost, 1);
  map.finish();
  if (!settings.is_map() || !stride || !links || !first || !seed) return std::nullopt;
  const Chain chain{static_cast<std::uint32_t>(places), static_cast<std::uint32_t>(*links), *stride, *first,
                    static_cast<std::uint64_t>(*seed)};
  const std::string wrong = mistake(chain, type);
  if (wrong.empty()) return chain;
  settings.error(evaluator.problems(), label(settings) + wrong);
  return std::nullopt;
}

}  // namespace heddle::launch
