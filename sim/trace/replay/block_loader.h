// Reads the blocks of a trace, each once, in the order of the file, and packs them. Blocks whose turn comes
// before theirs that were asked for wait packed: SMs that run apart ask out of order, by a few hundred at
// most.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/trace/read/trace_reader.h"
#include "sim/trace/replay/async_maker.h"
#include "sim/trace/replay/packed_store.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

struct LoadedWarp {
  PackedWarp steps;
  std::uint32_t first_line = 0;            ///< Of the file.
  std::shared_ptr<const CopyPlan> copies;  ///< Of the block; null if it has none.
};
using LoadedBlock = std::vector<LoadedWarp>;

class BlockLoader {
 public:
  /// `facts` is null unless the trace is a recording of our own. Blocks that are not `wanted` are passed
  /// over; without it all are.
  BlockLoader(TraceReader& reader, const stream::LaunchShape& shape, TraceOps& ops, PackedStore& store,
              FactsFile* facts, std::function<bool(BlockId)> wanted = {})
      : reader_(reader), shape_(shape), ops_(ops), store_(store), facts_(facts), wanted_(std::move(wanted)) {}

  /// The warps of a block, which can be had once. Throws InputError where the trace is not what its head
  /// promises: blocks in the order of their index, all of them; in each, all warps; in each, lanes that exit.
  LoadedBlock take(BlockId block);

 private:
  LoadedBlock load(BlockId block);
  void load_warp(BlockId id, LoadedBlock& block, std::vector<bool>& has_come);
  LoadedWarp read_warp(BlockId block, std::uint32_t index);
  void skip(BlockId block);
  void begin(BlockId block);
  void require_block(BlockId block) const;
  void require_end();
  void read_up_to(BlockId block);
  [[noreturn]] void fail(const std::string& what) const;

  TraceReader& reader_;
  const stream::LaunchShape& shape_;
  TraceOps& ops_;
  PackedStore& store_;
  FactsFile* facts_;
  std::function<bool(BlockId)> wanted_;
  BlockId next_ = 0;                  // to be read
  std::exception_ptr failure_;        // nothing can be read any more, whoever asks
  std::shared_ptr<CopyPlan> copies_;  // of the block that is being read
  std::map<BlockId, LoadedBlock> waiting_;
};

}  // namespace heddle::trace
