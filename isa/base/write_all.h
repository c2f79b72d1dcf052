// Bytes to a file whose descriptor is at hand, all of them: the system may take only a part at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle {

/// Where the file stands. False if not all could be written, with the reason in errno.
bool write_all(int descriptor, std::span<const std::byte> bytes);
bool write_all(int descriptor, std::string_view bytes);
/// At the offset.
bool write_all_at(int descriptor, std::uint64_t offset, std::string_view bytes);

}  // namespace heddle
