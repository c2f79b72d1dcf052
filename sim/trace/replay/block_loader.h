// Reads the blocks of a trace, each once, in the order of the file, and packs them: the launch's n-th block
// is the n-th of the file, wherever in the grid it says that it is. Blocks whose turn comes before theirs
// that were asked for wait packed: SMs that run apart ask out of order, by a few hundred at most.
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

struct LoadedWarp {
  PackedWarp steps;
  std::uint32_t first_line = 0;            ///< Of the file.
  std::shared_ptr<const CopyPlan> copies;  ///< Of the block; null if it has none.
};
struct LoadedBlock {
  std::array<std::uint32_t, 3> id{};  ///< In the grid, as the trace says.
  std::vector<LoadedWarp> warps;
};

class BlockLoader {
 public:
  /// `facts` is null unless the trace is a recording of our own. Blocks that are not `wanted` are passed
  /// over; without it all are.
  BlockLoader(TraceReader& reader, const stream::LaunchShape& shape, TraceOps& ops, PackedStore& store,
              FactsFile* facts, std::function<bool(BlockId)> wanted = {})
      : reader_(reader),
        shape_(shape),
        store_(store),
        steps_(reader, ops, facts),
        wanted_(std::move(wanted)) {}

  /// The block, which can be had once. Throws what the reader and the steps throw.
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
  BlockId next_ = 0;                  // to be read
  std::exception_ptr failure_;        // nothing can be read any more, whoever asks
  std::shared_ptr<CopyPlan> copies_;  // of the block that is being read
  std::map<BlockId, LoadedBlock> waiting_;
};

}  // namespace heddle::trace
