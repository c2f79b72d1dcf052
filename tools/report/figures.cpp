#include "tools/report/figures.h"

#include <fmt/format.h>

#include "tools/report/json_object.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

void collect(const std::string& name, const Json& value, std::vector<Figure>& list) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      collect(name.empty() ? key : fmt::format("{}.{}", name, key), inner, list);
    }
  } else if (value.is_number_integer()) {
    list.emplace_back(name, value.get<std::int64_t>());
  } else if (value.is_number()) {
    list.emplace_back(name, value.get<double>());
  }
}

}  // namespace

std::vector<Figure> figures(const Summary& summary) {
  std::vector<Figure> list;
  collect({}, to_object(summary), list);
  return list;
}

}  // namespace heddle::report
