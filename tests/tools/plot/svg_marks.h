// Finds what a picture shows.
#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tools/plot/svg.h"

namespace heddle::test {

/// The middles of circles, in the order of the picture.
inline std::vector<plot::Point> circles_of(const std::string& svg) {
  static const std::regex circle("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::vector<plot::Point> points;
  for (std::sregex_iterator each(svg.begin(), svg.end(), circle), end; each != end; ++each)
    points.push_back({std::stod((*each)[1]), std::stod((*each)[2])});
  return points;
}

inline std::size_t count(const std::string& text, std::string_view part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace heddle::test
