// Texts in a journal. File names may contain any bytes, but JSON allows only UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle::command {

/// A string; if it is not UTF-8, an object with a list "bytes".
inline nlohmann::ordered_json text_to_json(const std::string& text) {
  nlohmann::ordered_json json = text;
  try {
    static_cast<void>(json.dump());
    return json;
  } catch (const nlohmann::ordered_json::exception&) {
    return {{"bytes", std::vector<std::uint8_t>(text.begin(), text.end())}};
  }
}

/// Throws nlohmann::json::exception if the value is neither.
inline std::string text_from_json(const nlohmann::ordered_json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto bytes = json.at("bytes").get<std::vector<std::uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

}  // namespace heddle::command
