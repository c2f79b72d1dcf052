// Replays a recorded launch: a source of dynamic instructions that reads them from a trace.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/trace/read/trace_reader.h"
#include "sim/trace/replay/block_loader.h"
#include "sim/trace/replay/packed_store.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

/// How a trace is replayed.
struct ReplayOptions {
  AbsentClasses absent{};                          ///< Timing classes that the GPU does not have.
  std::uint64_t most_packed_bytes = 128ULL << 20;  ///< Limit in memory; the rest goes to a file.
  std::function<bool(BlockId)> wanted;             ///< The blocks that will start; without it, all blocks.
};

/// A trace that can be replayed once; it is read while blocks start. A Pc is a TraceInstruction::index. For a
/// trace that Heddle recorded, the replay equals the recorded launch exactly, and a Pc is that of the kernel.
class ReplayKernel final : public stream::KernelSource {
 public:
  /// Throws InputError if the facts file of a trace that Heddle recorded is missing or does not fit it.
  explicit ReplayKernel(std::unique_ptr<TraceReader> reader, const ReplayOptions& options = {});

  ReplayKernel(const ReplayKernel&) = delete;
  ReplayKernel& operator=(const ReplayKernel&) = delete;

  [[nodiscard]] const stream::LaunchShape& shape() const override { return shape_; }
  /// Only the operations that have come up so far.
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return ops_.all(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;

  [[nodiscard]] const TraceHeader& header() const { return reader_->header(); }
  [[nodiscard]] const TraceInstruction& instruction(Pc pc) const { return reader_->instruction(pc); }
  /// The instruction as text: its opcode; with operands if Heddle recorded the trace.
  [[nodiscard]] std::string instruction_text(Pc pc) const;
  /// The opcodes that were timed as something else, in the blocks that have started.
  [[nodiscard]] std::vector<Approximation> approximations() const { return ops_.approximations(); }

 private:
  friend class ReplaySource;

  std::unique_ptr<TraceReader> reader_;
  std::string file_;
  std::unique_ptr<FactsFile> facts_;  // null unless Heddle recorded the trace
  stream::LaunchShape shape_;
  TraceOps ops_;
  PackedStore store_;
  BlockLoader loader_;
  // protects the reader, the loader and the store: SMs ask for blocks and pieces at any time
  std::mutex shared_;
};

}  // namespace heddle::trace
