#include "tools/cuda/runtime/timed_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"

namespace heddle::cudart {

TimedChoice TimedChoice::read(const std::string& text, const std::string& origin) {
  TimedChoice choice;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t dash = item.find('-');
    const auto first = number_in<std::uint64_t>(item.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number_in<std::uint64_t>(item.substr(dash + 1));
    if (item == "all") {
      choice.all_ = true;
    } else if (item == "sample" && text == item) {
      choice.is_sample_ = true;
    } else if (item == "sample") {
      throw InputError({origin, 0, 0}, "'sample' stands alone: it chooses from all launches");
    } else if (first && last && *first >= 1 && *first <= *last) {
      choice.ranges_.push_back({*first, *last});
    } else if (first || item.empty()) {
      throw InputError({origin, 0, 0},
                       fmt::format("'{}' is no launch; they are counted from 1: 3, or 3-7", item));
    } else if (item != "none") {
      choice.names_.push_back(item);
    }
  }
  return choice;
}

bool TimedChoice::holds(std::uint64_t number, std::string_view mangled, std::string_view name) const {
  const auto has_number = [number](const Range& range) {
    return number >= range.first && number <= range.last;
  };
  const auto is_name = [&](const std::string& each) { return each == mangled || each == name; };
  return all_ || std::ranges::any_of(ranges_, has_number) || std::ranges::any_of(names_, is_name);
}

}  // namespace heddle::cudart
