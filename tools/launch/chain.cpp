#include "tools/launch/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "tools/launch/random.h"

namespace heddle::launch {

namespace {

constexpr std::int64_t kGreatestFirst = std::int64_t{1} << 62;  // the sum with an offset still fits

/// The reason why elements of the type cannot hold such a chain; empty if they can.
std::string mistake(ElementType type, std::uint64_t bytes, std::int64_t stride, std::int64_t last) {
  if (info(type).is_float)
    return fmt::format("a chain has integers, and elements of {} are none", info(type).name);
  if (stride % info(type).bytes != 0)
    return fmt::format("'stride' must be a multiple of an element's {} bytes; found {}", info(type).bytes,
                       stride);
  const auto reason = misfit(type, last);
  return reason ? fmt::format("of the buffer's {} bytes the last place is called {}, which {}", bytes, last,
                              *reason)
                : "";
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
  sim::YamlMap map(settings, evaluator.problems());
  const auto setting = [&](const char* key, std::int64_t least, std::int64_t most, std::int64_t otherwise) {
    const auto value = map.find(key);
    return value ? evaluator.integer(*value, least, most) : otherwise;
  };
  const std::uint64_t size = std::max<std::uint64_t>(bytes, info(type).bytes);
  const auto stride = setting("stride", 1, static_cast<std::int64_t>(size), info(type).bytes);
  const std::int64_t places = static_cast<std::int64_t>(size) / stride.value_or(1);
  const auto links = setting("links", 1, places, places);
  const auto first = setting("first", 0, kGreatestFirst, 0);
  const auto seed = setting("seed", 0, std::numeric_limits<std::int64_t>::max(), 1);
  map.finish();
  if (!settings.is_map() || !stride || !links || !first || !seed) return std::nullopt;
  const std::string wrong = mistake(type, size, *stride, *first + (places - 1) * *stride);
  if (wrong.empty()) {
    return Chain{static_cast<std::uint32_t>(places), static_cast<std::uint32_t>(*links), *stride, *first,
                 static_cast<std::uint64_t>(*seed)};
  }
  settings.error(evaluator.problems(), label(settings) + wrong);
  return std::nullopt;
}

}  // namespace heddle::launch
