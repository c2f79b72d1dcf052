#include "tools/diff/leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/words.h"

namespace heddle::diff {

namespace {

/// A report's deepest leaf is "per_sm.issue_efficiency.mean".
constexpr int kDeepest = 4;

void visit(const std::string& name, const Json& value, int depth, std::vector<Leaf>& leaves) {
  if (!value.is_object()) return leaves.push_back({name, &value});
  if (depth == kDeepest) return;
  for (const auto& [key, inner] : value.items())
    visit(name.empty() ? key : fmt::format("{}.{}", name, key), inner, depth + 1, leaves);
}

bool is_extents(const Json& value) {
  constexpr std::size_t kExtents = 3;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return value.is_array() && value.size() == kExtents &&
         std::all_of(value.begin(), value.end(), [](const Json& each) {
           return each.is_number_unsigned() && each.get<std::uint64_t>() <= kMost;
         });
}

}  // namespace

std::vector<Leaf> leaves_of(const Json& object) {
  std::vector<Leaf> leaves;
  if (object.is_object()) visit({}, object, 0, leaves);
  return leaves;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (is_extents(value))
    return report::extents_text(
        {value[0].get<std::uint32_t>(), value[1].get<std::uint32_t>(), value[2].get<std::uint32_t>()});
  // Nested values may be deeper than dump(), which calls itself, can go.
  if (std::any_of(value.begin(), value.end(), [](const Json& each) { return each.is_structured(); }))
    return value.type_name();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heddle::diff
