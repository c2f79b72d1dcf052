#include "sim/memory/tag_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::sim {

TagBanks::TagBanks(std::uint32_t banks, std::uint32_t line_bytes, bool look_up)
    : line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      bank_bits_(static_cast<unsigned>(std::countr_zero(banks))),
      look_up_(look_up) {}

unsigned TagBanks::bank_of(Addr line) const {
  if (bank_bits_ == 0) return 0;
  Addr number = line >> line_shift_;
  for (unsigned shift = bank_bits_ << 5; shift >= bank_bits_; shift >>= 1) {  // halves of what is left
    if (shift < 64) number ^= number >> shift;
  }
  return static_cast<unsigned>(number & ((1U << bank_bits_) - 1));
}

unsigned TagBanks::take_turns(LineAccesses& lines) const {
  const unsigned count = lines.size();
  if (count <= 1) return count;  // its turn is 0
  std::array<std::uint16_t, 64> taken{};
  std::array<std::uint16_t, kMaxWarpSize> turns;
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned bank = look_up_ ? bank_of(lines[i].line) : i & ((1U << bank_bits_) - 1);
    turns[i] = taken[bank];
    most = std::max<unsigned>(most, ++taken[bank]);
  }
  lines.order_by_turns(turns, most);
  return most;
}

}  // namespace heddle::sim
