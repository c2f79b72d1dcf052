// Text that is a number of bytes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "isa/base/read_number.h"

namespace heddle {

/// A whole number, decimal or as "0xff"; nothing if it is none, or does not fit.
inline std::optional<std::uint64_t> unsigned_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  return is_hex ? number_in<std::uint64_t>(text.substr(2), 16) : number_in<std::uint64_t>(text);
}

/// Plain bytes, or a whole number of KiB, MiB or GiB, with blanks before the unit or without: "65536",
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

}  // namespace heddle
