// Operands of encoded instructions as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/cubin/pattern.h"

namespace heddle::cubin {

/// An encoding that is being read. It notes which of its bits have been looked at.
class Reading {
 public:
  Reading(const Encoding& encoding, std::uint64_t address, unsigned capability)
      : encoding_(encoding), address_(address), capability_(capability) {}

  std::uint64_t take(BitRange range) {
    mark(range);
    return bits_of(encoding_, range);
  }
  bool bit(unsigned at) { return take({at, 1}) != 0; }
  void mark(BitRange range) {
    for (unsigned i = range.first; i < range.first + range.count; ++i)
      seen_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  /// Whether a bit is set that nobody has looked at.
  [[nodiscard]] bool has_unknown() const {
    return ((encoding_[0] & ~seen_[0]) | (encoding_[1] & ~seen_[1])) != 0;
  }

  [[nodiscard]] const Encoding& encoding() const { return encoding_; }
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] unsigned capability() const { return capability_; }
  /// Bits 9 to 11: which of the sources is no register.
  [[nodiscard]] unsigned form() const { return static_cast<unsigned>(bits_of(encoding_, {9, 3})); }

 private:
  Encoding encoding_;
  Encoding seen_ = {};
  std::uint64_t address_;
  unsigned capability_;
};

std::string register_text(std::uint64_t index);
/// The uniform register whose number begins at bit `first`: it has 6 bits, and 8 from compute capability 10.0
/// on. URZ is the last one.
std::string uniform_at(unsigned first, Reading& reading);
std::string predicate_text(std::uint64_t index, bool is_uniform);

/// What an item of a pattern that names an operand stands for. Nothing if it has no meaning that is known.
std::optional<std::string> operand_text(const Item& item, bool is_uniform, Reading& reading);

}  // namespace heddle::cubin
