// Fetches from textures, loads and stores of surfaces.
#pragma once

#include "isa/exec/decode.h"
#include "isa/exec/memory_instructions.h"
#include "isa/exec/texture.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// For the timing model, a fetch is a load of the word with the nearest texel's first bytes, whatever it filters;
/// surfaces are loaded and stored like other global memory, lanes beyond the end at the nearest place.
class TextureInstructions {
 public:
  TextureInstructions(WarpMachine& machine, MemoryInstructions& memory) : machine_(machine), memory_(memory) {}

  /// At least one lane executes. Throws KernelFault if a lane's handle is no object's.
  void fetch(const Decoded& op, Warp& warp, LaneMask executed);
  /// Likewise, and where .TRAP is asked for, if a lane's place lies beyond the surface's end.
  void access_surface(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  [[nodiscard]] const Texture& texture_of(const Decoded& op, const Warp& warp, unsigned lane);
  void fetch_lane(const Decoded& op, Warp& warp, unsigned lane);
  [[nodiscard]] std::uint32_t place_word(const Decoded& op, const Warp& warp, unsigned word, unsigned lane) const;
  /// Sets the addresses. Returns the lanes whose places the surface has, or for which the nearest one serves.
  LaneMask place_on_surface(const Decoded& op, Warp& warp, LaneMask executed);

  WarpMachine& machine_;
  MemoryInstructions& memory_;
  std::optional<Texture> texture_;  // that of the handle, within one instruction
  std::uint32_t handle_ = 0;
};

}  // namespace heddle::exec
