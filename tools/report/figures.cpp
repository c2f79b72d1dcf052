#include "tools/report/figures.h"

#include "tools/report/json_object.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

std::vector<Figure> figures(const Summary& summary) {
  std::vector<Figure> list;
  const auto take = [&list](const std::string& name, const Json& value) {
    if (value.is_number_integer()) {
      list.emplace_back(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      list.emplace_back(name, value.get<double>());
    }
  };
  visit_leaves({}, to_object(summary), take);
  return list;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  const auto take = [&names](const std::string& name, const Json& value) {
    // A figure without a value in an empty run may have one in other runs.
    if (value.is_number() || value.is_null()) names.push_back(name);
  };
  visit_leaves({}, to_object(summarize({}, {}, {})), take);
  return names;
}

}  // namespace heddle::report
