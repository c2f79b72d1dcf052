// What the instructions of a loop are made from.
#pragma once

#include <bitset>
#include <unordered_map>
#include <vector>

#include "isa/cfg/components.h"
#include "isa/cfg/loop.h"
#include "isa/ir/register_use.h"

namespace heddle::cfg {

/// How a kernel's instructions use registers: asked once for all its loops.
struct Uses {
  explicit Uses(const ir::Kernel& kernel);

  std::vector<ir::RegisterUse> of;       ///< By Pc.
  std::vector<std::vector<Pc>> writers;  ///< By slot, in the order of the text.
};

/// From each instruction of a loop, edges to those of the loop that may have written what it reads, round
/// after round. Its first nodes are the loop's places. Between a reader and what it finds may lie nodes of
/// two other kinds, so that edges are not many more than instructions: what a register holds where a block
/// begins, and what it holds behind a write that not all lanes may do.
class Provenance {
 public:
  Provenance(const ir::Kernel& kernel, const Uses& uses, const Loop& loop);

  /// The nodes of what the registers hold that an instruction's addresses in global memory are made of.
  [[nodiscard]] std::vector<Node> address_of(std::uint32_t place);
  /// By place: all that these are made from, with themselves only if they are made from what they were
  /// before.
  [[nodiscard]] std::vector<bool> sources_of(const std::vector<std::uint32_t>& places) const;
  [[nodiscard]] const Edges& edges() const { return edges_; }

 private:
  /// A register where a block begins, or behind a guarded write.
  struct Value {
    std::uint32_t at;  // a block of the loop; the places follow behind all blocks
    ir::RegisterSlot slot;
  };

  [[nodiscard]] Node node_of(Value value);
  [[nodiscard]] Node value_in(std::uint32_t block, Pc pc, ir::RegisterSlot slot);
  [[nodiscard]] Node value_before(std::uint32_t place, ir::RegisterSlot slot);
  void add_reads(std::uint32_t place);
  void add_value(Value value);
  void complete();

  const ir::Kernel& kernel_;
  const Uses& uses_;
  const Loop& loop_;
  std::bitset<ir::kSlots> written_;
  std::vector<Value> values_;  // by node, behind the places
  std::unordered_map<std::uint64_t, Node> known_;
  Edges edges_;
};

}  // namespace heddle::cfg
