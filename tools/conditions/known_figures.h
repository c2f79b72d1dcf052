// The figures that a condition can name: the numbers of a JSON report.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::conditions {

/// In the order of a report. Of pipes, which each GPU has others of, there are none.
std::vector<std::string> known_figures();

/// The member of a report; nothing if it is missing or no number. Names in inner objects follow a point.
template <typename Json>
std::optional<double> number_of(const Json& run, std::string_view figure) {
  const Json* at = &run;
  while (!figure.empty()) {
    const std::size_t end = std::min(figure.find('.'), figure.size());
    if (!at->is_object()) return std::nullopt;
    const auto found = at->find(std::string(figure.substr(0, end)));
    if (found == at->end()) return std::nullopt;
    at = &*found;
    figure.remove_prefix(std::min(end + 1, figure.size()));
  }
  return at->is_number() ? std::optional(at->template get<double>()) : std::nullopt;
}

}  // namespace heddle::conditions
