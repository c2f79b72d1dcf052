// Writes all bytes to an open file, even if the system writes only a part at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle {

/// Writes at the file's current position. False if not all bytes could be written; errno has the reason.
bool write_all(int descriptor, std::span<const std::byte> bytes);
bool write_all(int descriptor, std::string_view bytes);
/// The same at an offset.
bool write_all_at(int descriptor, std::uint64_t offset, std::string_view bytes);

}  // namespace heddle
