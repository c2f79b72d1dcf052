#include "isa/cubin/control.h"

#include <fmt/format.h>

#include "isa/cubin/bits.h"

namespace heddle::cubin {

namespace {

constexpr unsigned kBarriers = 6;

char barrier_name(std::uint8_t barrier) {
  return barrier < kBarriers ? static_cast<char>('0' + barrier) : '-';
}

}  // namespace

Control control_of(const Encoding& encoding) {
  const auto field = [&](unsigned first, unsigned count) {
    return static_cast<std::uint8_t>(bits_of(encoding, {first, count}));
  };
  return {field(105, 4), field(109, 1) == 0, field(110, 3), field(113, 3), field(116, 6), field(122, 4)};
}

std::string to_text(const Control& control) {
  std::string waits = "------";
  for (unsigned i = 0; i < kBarriers; ++i)
    if ((control.wait_mask >> i & 1U) != 0) waits[i] = barrier_name(static_cast<std::uint8_t>(i));
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", waits, barrier_name(control.read_barrier),
                     barrier_name(control.write_barrier), control.yield ? 'Y' : '-', control.stall);
}

}  // namespace heddle::cubin
