#include "tools/validate/case_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.h"

namespace heddle::validate {

bool CaseDraft::has_value(const std::string& name) const {
  const auto is_it = [&](const auto& known) { return known.first == name; };
  return std::any_of(result.values.begin(), result.values.end(), is_it);
}

std::string CaseDraft::filled_in(const sim::YamlValue& value, Diagnostics& problems) const {
  const std::string text = value.as_string(problems).value_or("");
  std::string filled;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t open = std::min(text.find('{', begin), text.size());
    filled += text.substr(begin, open - begin);
    if (open == text.size()) break;
    const std::size_t close = std::min(text.find('}', open), text.size());
    const std::string name = text.substr(open + 1, close - open - 1);
    begin = close + 1;
    if (const std::string* cell = find_cell(texts, name)) {
      size.add_text(cell->size(), value.where());
      filled += *cell;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& known : texts) names.push_back(known.first);
    value.error(problems,
                fmt::format("there is no column or value '{}'; {}", name, sim::suggestion(name, names)));
  }
  return filled;
}

}  // namespace heddle::validate
