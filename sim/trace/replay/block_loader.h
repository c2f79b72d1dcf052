// Reads each block of a trace once, in the order of the file, and packs it. The n-th block of the launch is
// the n-th block of the file, whatever its position in the grid. SMs that are simulated in parallel ask for
// blocks out of order, by a few hundred at most; blocks that are read before they are asked for are kept
// packed.
#pragma once

#include <array>
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
#include "sim/trace/replay/warp_steps.h"

namespace heddle::trace {

/// The packed instructions of one warp.
struct LoadedWarp {
  PackedWarp steps;
  std::uint32_t first_line = 0;            ///< Line number in the file.
  std::shared_ptr<const CopyPlan> copies;  ///< The copies of its block; null if the block has none.
};
/// A block that is ready to be replayed.
struct LoadedBlock {
  std::array<std::uint32_t, 3> id{};  ///< Position in the grid, according to the trace.
  std::vector<LoadedWarp> warps;
};

/// Reads and packs the blocks of one trace.
class BlockLoader {
 public:
  /// `facts` is null unless the trace was recorded by Heddle. Only blocks that are `wanted` are packed;
  /// without the function, all are.
  BlockLoader(TraceReader& reader, const stream::LaunchShape& shape, TraceOps& ops, PackedStore& store,
              FactsFile* facts, std::function<bool(BlockId)> wanted = {})
      : reader_(reader),
        shape_(shape),
        store_(store),
        steps_(reader, ops, facts),
        wanted_(std::move(wanted)) {}

  /// Returns a block; this works once for each block. Throws what the reader and the steps throw.
  LoadedBlock take(BlockId block);

 private:
  void read_up_to(BlockId block);
  LoadedBlock load();
  TraceReader::Event load_warp(LoadedWarp& warp);
  void skip();
  void require(TraceReader::Event expected);

  TraceReader& reader_;
  const stream::LaunchShape& shape_;
  PackedStore& store_;
  WarpSteps steps_;
  std::function<bool(BlockId)> wanted_;
  BlockId next_ = 0;                  // next block to read
  std::exception_ptr failure_;        // why nothing can be read any more; thrown at each later call
  std::shared_ptr<CopyPlan> copies_;  // copies of the block that is being read
  std::map<BlockId, LoadedBlock> waiting_;
};

}  // namespace heddle::trace
