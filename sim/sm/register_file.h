// The banks of a sub-partition's registers: a port each, which gives one register of all lanes in a cycle.
//
// An instruction of fixed latency books the ports for a window of cycles; what does not fit holds up the
// dispatcher, and with it whatever would issue next. Beside each bank and operand slot lies one kept register
// (the reuse cache): it is there for the next instruction that reads this bank in this slot, whose port it
// saves if it is the same register of the same warp. As measured in arXiv 2503.20481.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/register_reads.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// The register file of one sub-partition: when its ports are free, and what the reuse caches hold. It
/// changes at issues.
class RegisterFile {
 public:
  explicit RegisterFile(const RegisterFileSpec& spec);

  /// A warp's instruction, issued at `now`, reads its registers; returns by how many cycles it is late. The
  /// times of calls ascend.
  Cycle read(unsigned warp, const stream::RegisterReads& reads, Cycle now);

 private:
  static constexpr unsigned kOperands = stream::RegisterReads::kOperands;

  /// One bank: its port, and the register that the reuse cache keeps for each operand slot.
  struct Bank {
    Cycle free_at = 0;  // its port
    std::array<std::uint16_t, kOperands> kept{};
  };

  static bool needs_port(Bank& bank, unsigned operand, unsigned warp, const stream::RegisterReads& reads);

  std::uint32_t window_;
  std::vector<Bank> banks_;
};

}  // namespace heddle::sim
