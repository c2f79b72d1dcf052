// Removes blanks around a text.
#pragma once

#include <string_view>

namespace heddle::trace {

inline std::string_view trimmed(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

}  // namespace heddle::trace
