// Finds which instructions of a loop a value depends on.
#pragma once

#include <bitset>
#include <unordered_map>
#include <vector>

#include "isa/cfg/components.h"
#include "isa/cfg/loop.h"
#include "isa/ir/register_use.h"

namespace heddle::cfg {

/// The register reads and writes of a kernel's instructions. Computed once for all its loops.
struct Uses {
  explicit Uses(const ir::Kernel& kernel);

  std::vector<ir::RegisterUse> of;       ///< By Pc.
  std::vector<std::vector<Pc>> writers;  ///< By register slot, in program order.
};

/// A graph with edges from each instruction of a loop to the instructions of the loop that may have written
/// what it reads, in this or an earlier iteration. Its first nodes are the loop's places. Two other kinds of
/// nodes keep the number of edges small: a register's value at the beginning of a block, and its value behind
/// a write that some lanes may skip.
class Provenance {
 public:
  Provenance(const ir::Kernel& kernel, const Uses& uses, const Loop& loop);

  /// The nodes of the register values from which an instruction's address in global memory is computed.
  [[nodiscard]] std::vector<Node> address_of(std::uint32_t place);
  /// By place: whether one of `places` depends on it. One of `places` itself is included only if it depends
  /// on its own earlier value.
  [[nodiscard]] std::vector<bool> sources_of(const std::vector<std::uint32_t>& places) const;
  [[nodiscard]] const Edges& edges() const { return edges_; }

 private:
  /// A register's value at the beginning of a block, or behind a guarded write.
  struct Value {
    std::uint32_t at;  // a block of the loop, or behind all blocks, a place
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
  std::vector<Value> values_;  // by node; these follow the places
  std::unordered_map<std::uint64_t, Node> known_;
  Edges edges_;
};

}  // namespace heddle::cfg
