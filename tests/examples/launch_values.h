// What references read from a launch file: its buffers and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/launch/launch_file.h"

namespace heddle::examples {

using launch::LaunchFile;

template <typename Element>
std::vector<Element> contents(const LaunchFile& file, const std::string& name) {
  const auto elements = file.memory.find(name)->as<const Element>();
  return {elements.begin(), elements.end()};
}

template <typename Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

inline std::uint32_t whole(const LaunchFile& file, const std::string& name) {
  return static_cast<std::uint32_t>(*launch::to_integer(*file.find_value(name)));
}

inline float real(const LaunchFile& file, const std::string& name) {
  return static_cast<float>(launch::to_double(*file.find_value(name)));
}

inline std::uint32_t threads(const LaunchFile& file) {
  return static_cast<std::uint32_t>(file.launch.grid.count() * file.launch.block.count());
}

}  // namespace heddle::examples
