#include "sim/config/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "isa/base/edit_distance.h"

namespace heddle::sim {

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  std::string_view nearest;
  std::size_t least = most_slips(word) + 1;
  for (const std::string& name : known) {
    if (word.size() > kLongestCompared) break;
    const std::size_t distance = edit_distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  if (known.empty()) return "none is known here";
  return fmt::format("known are '{}'", fmt::join(known, "', '"));
}

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

}  // namespace heddle::sim
