// Parses numbers of bytes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "isa/base/read_number.h"

namespace heddle {

/// A whole number, decimal or as "0xff". Nothing if the text is no number, or if it does not fit.
inline std::optional<std::uint64_t> unsigned_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  return is_hex ? number_in<std::uint64_t>(text.substr(2), 16) : number_in<std::uint64_t>(text);
}

/// A number of bytes, or a whole number of KiB, MiB or GiB, with or without blanks before the unit: "65536",
/// "64 KiB".
inline std::optional<std::uint64_t> bytes_in(std::string_view text) {
  std::uint64_t unit = 1;
  for (const auto& [suffix, bytes] :
       {std::pair{"KiB", 1ULL << 10}, std::pair{"MiB", 1ULL << 20}, std::pair{"GiB", 1ULL << 30}}) {
    if (!text.ends_with(suffix)) continue;
    text.remove_suffix(3);
    unit = bytes;
    while (text.ends_with(' ')) text.remove_suffix(1);
    break;
  }
  const std::optional<std::uint64_t> number = unsigned_in(text);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
  return *number * unit;
}

/// A whole number as people type one: decimal, "0xff", "1e6", or with a unit of 1024, 1024^2 or 1024^3:
/// "64K", "2M", "1G", "64Ki", "64 KiB". Nothing for any other text, such as one with separators between
/// thousands.
inline std::optional<std::uint64_t> count_in(std::string_view text) {
  if (const auto plain = bytes_in(text)) return plain;
  const auto shifted = [](std::string_view number, unsigned bits) -> std::optional<std::uint64_t> {
    while (number.ends_with(' ')) number.remove_suffix(1);
    const auto value = number_in<std::uint64_t>(number);
    if (!value || *value > std::numeric_limits<std::uint64_t>::max() >> bits) return std::nullopt;
    return *value << bits;
  };
  for (const auto& [suffix, bits] : {std::pair{"Ki", 10U},
                                     {"Mi", 20U},
                                     {"Gi", 30U},
                                     {"KB", 10U},
                                     {"MB", 20U},
                                     {"GB", 30U},
                                     {"K", 10U},
                                     {"M", 20U},
                                     {"G", 30U},
                                     {"k", 10U}}) {
    if (text.ends_with(suffix))
      return shifted(text.substr(0, text.size() - std::string_view(suffix).size()), bits);
  }
  constexpr double kMostExact = 0x1p53;
  if (text.empty() || text.find_first_not_of("0123456789.eE+") != std::string_view::npos) return std::nullopt;
  const auto value = number_in<double>(text);
  if (!value || *value < 0 || *value > kMostExact ||
      *value != static_cast<double>(static_cast<std::uint64_t>(*value)))
    return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

}  // namespace heddle
