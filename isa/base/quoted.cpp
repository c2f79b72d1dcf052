#include "isa/base/quoted.h"

#include <fmt/format.h>

namespace heddle {

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return fmt::format("'{}{}'", shown, text.size() > kLongest ? "..." : "");
}

}  // namespace heddle
