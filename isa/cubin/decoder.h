// Encoded instructions as text: what cuobjdump -sass and nvdisasm print of them, which the reader of kernel
// text takes. The rows of encodings.def say what each bit means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cubin/control.h"
#include "isa/cubin/image.h"
#include "isa/cubin/pattern.h"

namespace heddle::cubin {

/// A row of encodings.def.
struct Row {
  std::uint16_t opcode = 0;  ///< Bits 0 to 8.
  std::uint8_t forms = 0;    ///< The values of bits 9 to 11 that it is for, bit by bit.
  bool is_uniform = false;   ///< Its guard is a uniform predicate.
  std::vector<Item> items;
};

/// Decodes the instructions of one compute capability.
class Decoder {
 public:
  /// `capability` is 80 of 8.0.
  explicit Decoder(unsigned capability);

  /// The instruction that lies `address` bytes behind the begin of its function: "@!P0 IADD3 R1, R2, 0x1,
  /// RZ". Targets of jumps are addresses. Nothing if a bit is set whose meaning is not known, so that what is
  /// decoded is whole.
  [[nodiscard]] std::optional<std::string> decode(const Encoding& encoding, std::uint64_t address) const;

 private:
  unsigned capability_;
  std::vector<Row> rows_;
  std::array<std::vector<std::uint16_t>, 512> by_opcode_;  ///< Indices of rows, in the order of the table.
};

/// A line for people: "0x000fe40000000f00 0x000000ff00017202".
std::string to_text(const Encoding& encoding);

}  // namespace heddle::cubin
