// Writes messages of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::perfetto {

/// A message, field by field, in the order of the calls. Fields are numbered as in its .proto file.
class Message {
 public:
  Message& number(unsigned field, std::uint64_t value);  ///< uint32, uint64, bool, enum
  Message& real(unsigned field, double value);           ///< double
  /// string. What is no UTF-8 becomes question marks, since readers refuse a file that has it.
  Message& text(unsigned field, std::string_view value);
  Message& inner(unsigned field, const Message& value);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);
  void tag(unsigned field, unsigned wire_type);
  void delimited(unsigned field, std::string_view value);

  std::string bytes_;
};

}  // namespace heddle::perfetto
