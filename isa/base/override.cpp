#include "isa/base/override.h"

#include <fmt/format.h>

#include <utility>

namespace heddle {

Override::Override(std::string key_text, std::string value_text, std::string where)
    : key(std::move(key_text)), value(std::move(value_text)), source(std::move(where)) {}

Override::Override(const std::string& text) : source(text) {
  const std::size_t equals = text.find('=');
  has_value = equals != std::string::npos;
  key = text.substr(0, equals);
  key.erase(key.find_last_not_of(' ') + 1);
  if (has_value) value = text.substr(equals + 1);
}

Override::Override(const char* text) : Override(std::string(text)) {}

std::string Override::text() const { return has_value ? fmt::format("{}={}", key, value) : key; }

Overrides overrides_of_option(std::string_view option, const std::vector<std::string>& texts) {
  Overrides overrides;
  for (const std::string& text : texts) {
    Override& added = overrides.emplace_back(text);
    added.source = fmt::format("{} {}", option, text);
  }
  return overrides;
}

}  // namespace heddle
