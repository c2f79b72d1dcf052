// Bulk copies between global and shared memory: of bytes (UBLKCP, UBLKRED) and of tiles of tensors (UTMALDG, UTMASTG,
// UTMAREDG).
#pragma once

#include <vector>

#include "isa/exec/bulk_pieces.h"
#include "isa/exec/decode.h"
#include "isa/exec/mbarrier_instructions.h"
#include "isa/exec/tensor_map.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/async_step.h"

namespace heddle::exec {

/// The family of bulk copies. One copies for the whole warp. The data arrive when the instruction issues; in time the
/// step's mbarrier, or the group of the copy, tells when. Reductions issue as stores of as many bytes.
class BulkInstructions {
 public:
  BulkInstructions(WarpMachine& machine, Addressing& addressing, MemoryInstructions& memory,
                   MbarrierInstructions& mbarriers)
      : machine_(machine), addressing_(addressing), pieces_(machine, addressing, memory), mbarriers_(mbarriers) {}

  /// At least one lane executes. Throws KernelFault if it goes where it may not.
  void copy(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  /// What the copy is told by the instruction or by the map.
  struct Tile {
    std::vector<BulkRow> rows;   ///< What lies in the tensor.
    std::vector<BulkRow> zeros;  ///< What does not, in shared memory.
    std::uint64_t bytes = 0;     ///< All of them.
    std::uint32_t barrier = 0;   ///< Of a load.
    AtomicFunction reduction = nullptr;  ///< Of a store that combines; null: it replaces.
    unsigned element_bytes = 0;
  };

  [[nodiscard]] Tile bytes_of_instruction(const Decoded& op, Warp& warp);
  [[nodiscard]] Tile tile_of_tensor(const Decoded& op, Warp& warp);
  void require_reduction(const Decoded& op, const Warp& warp, const Tile& tile) const;
  [[nodiscard]] TensorMap map_of(const Decoded& op, Warp& warp);
  void add_rows(const TensorMap& map, const std::uint32_t* first, Addr shared, Tile& tile) const;
  void tell(const Tile& tile);
  [[nodiscard]] std::uint32_t word(const Warp& warp, const SourceRows& rows, unsigned which = 0) const;
  [[nodiscard]] Addr address(const Warp& warp, const SourceRows& rows) const;

  WarpMachine& machine_;
  Addressing& addressing_;
  BulkPieces pieces_;
  MbarrierInstructions& mbarriers_;
  stream::AsyncStep step_;
};

}  // namespace heddle::exec
