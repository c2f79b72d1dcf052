// A value that replaces that of a file: "l1.latency=40" for a GPU, "n=4096" for a launch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// One such value, and where it came from. Text such as "l1.latency=40" converts to one.
struct Override {
  Override(std::string key_text, std::string value_text, std::string where);
  // NOLINTBEGIN(google-explicit-constructor): a list of texts is what callers write
  Override(const std::string& text);
  Override(const char* text);
  // NOLINTEND(google-explicit-constructor)

  std::string key;    ///< Without spaces around it. The whole text if it has no '='.
  std::string value;  ///< As written, without quotes or units resolved. Empty if the text has no '='.
  /// What messages call it: "--set l1.latency=40", "--scheduler gto", "--sweep n=64", or its text.
  std::string source;
  bool has_value = true;  ///< Whether the text has a '='.

  /// "l1.latency=40"
  [[nodiscard]] std::string text() const;

  /// Two are equal if they set the same key to the same value, wherever they came from.
  friend bool operator==(const Override& a, const Override& b) { return a.text() == b.text(); }
};

using Overrides = std::vector<Override>;

/// Those of an option that can be given several times: of "--set" and "l1.latency=40", the source is
/// "--set l1.latency=40".
Overrides overrides_of_option(std::string_view option, const std::vector<std::string>& texts);

}  // namespace heddle
