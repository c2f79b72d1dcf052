// Little-endian numbers from the bytes of a file, each checked against its end.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"

namespace heddle::cubin {

/// The bytes of a file, or of a part of it. It does not own them. What does not fit throws InputError, whose
/// message says where in the file: offsets count from its first byte.
class ByteView {
 public:
  ByteView(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(&file) {}

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string_view text() const { return bytes_; }

  [[nodiscard]] std::uint8_t u8(std::uint64_t at) const { return number<std::uint8_t>(at); }
  [[nodiscard]] std::uint16_t u16(std::uint64_t at) const { return number<std::uint16_t>(at); }
  [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return number<std::uint32_t>(at); }
  [[nodiscard]] std::uint64_t u64(std::uint64_t at) const { return number<std::uint64_t>(at); }

  /// These bytes of it.
  [[nodiscard]] ByteView part(std::uint64_t at, std::uint64_t bytes, std::string_view what) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at)
      fail(at, fmt::format("{} of {} bytes goes beyond the end of {} bytes", what, bytes, bytes_.size()));
    ByteView made(bytes_.substr(at, bytes), *file_);
    made.begin_ = begin_ + at;
    return made;
  }

  /// The text up to a zero byte; all that is left if there is none.
  [[nodiscard]] std::string_view name(std::uint64_t at) const {
    if (at >= bytes_.size()) fail(at, "a name begins behind the end of its table");
    const std::string_view rest = bytes_.substr(at);
    return rest.substr(0, rest.find('\0'));
  }

  [[noreturn]] void fail(std::uint64_t at, const std::string& message) const {
    throw InputError({*file_}, fmt::format("at offset {:#x}: {}", begin_ + at, message));
  }

 private:
  template <typename Number>
  [[nodiscard]] Number number(std::uint64_t at) const {
    static_assert(std::endian::native == std::endian::little);
    if (at > bytes_.size() || sizeof(Number) > bytes_.size() - at)
      fail(at, fmt::format("the file ends in the middle of a number of {} bytes", sizeof(Number)));
    Number value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  std::string_view bytes_;
  const std::string* file_;
  std::uint64_t begin_ = 0;  ///< In the file.
};

}  // namespace heddle::cubin
