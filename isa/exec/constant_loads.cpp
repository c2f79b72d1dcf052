#include "isa/exec/constant_loads.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/exec/narrow_data.h"

namespace heddle::exec {

void ConstantLoads::load(const Decoded& op, Warp& warp, LaneMask executed) {
  machine_.step.addresses = machine_.addresses.data();
  const std::vector<std::byte>& bank = bank_of(machine_.decoded, op.bank);
  const std::uint32_t* index = machine_.source(warp, op.a);
  const auto offset = static_cast<std::uint32_t>(op.offset);
  std::uint32_t* const to = machine_.out(op, warp);
  for_each_lane(executed, [&](unsigned lane) {
    const Addr address = machine_.addresses[lane] = index[lane] + offset;
    const bool is_aligned = address % op.bytes == 0;
    if (!is_aligned || address + op.bytes > bank.size()) {
      machine_.fail(warp, is_aligned ? stream::FaultKind::OutOfBounds : stream::FaultKind::Misaligned,
                    fmt::format("{} load of {} bytes at c[{:#x}][{:#x}] in lane {}{}",
                                is_aligned ? "out-of-bounds" : "misaligned", op.bytes, op.bank, address, lane,
                                is_aligned ? fmt::format(": the bank has {} bytes", bank.size()) : ""),
                    lane, address);
    }
    std::uint32_t words[4] = {};
    std::memcpy(words, bank.data() + address, op.bytes);
    if (op.bytes < 4) words[0] = widened(words[0], op.bytes, op.sign_extends);
    for (unsigned row = 0; row < op.out_rows; ++row) to[row * machine_.lanes + lane] = words[row];
  });
}

}  // namespace heddle::exec
