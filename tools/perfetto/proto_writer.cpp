#include "tools/perfetto/proto_writer.h"

#include <bit>

#include "isa/base/utf8.h"

namespace heddle::perfetto {

namespace {

// Wire types.
constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kDelimited = 2;

}  // namespace

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

void Message::tag(unsigned field, unsigned wire_type) { varint(field << 3 | wire_type); }

void Message::delimited(unsigned field, std::string_view value) {
  tag(field, kDelimited);
  varint(value.size());
  bytes_ += value;
}

Message& Message::number(unsigned field, std::uint64_t value) {
  tag(field, kVarint);
  varint(value);
  return *this;
}

Message& Message::real(unsigned field, double value) {
  tag(field, kFixed64);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned i = 0; i < 8; ++i) bytes_ += static_cast<char>(bits >> 8 * i & 0xff);
  return *this;
}

Message& Message::text(unsigned field, std::string_view value) {
  delimited(field, as_utf8(value));
  return *this;
}

Message& Message::inner(unsigned field, const Message& value) {
  delimited(field, value.bytes());
  return *this;
}

}  // namespace heddle::perfetto
