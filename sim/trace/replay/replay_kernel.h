// Replays a recorded launch: the source of dynamic instructions when a trace says what happened.
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

struct ReplayOptions {
  AbsentClasses absent{};                          ///< What the GPU does not have.
  std::uint64_t most_packed_bytes = 128ULL << 20;  ///< In memory; what is more goes to a file.
  std::function<bool(BlockId)> wanted;             ///< The blocks that will start; without it all.
};

/// A trace, to be replayed once: it is read as blocks start. Its Pc is TraceInstruction::index. A recording
/// of our own is the launch again that it was, to the byte: with its kernel's Pc.
class ReplayKernel final : public stream::KernelSource {
 public:
  /// Throws InputError if what stands beside a recording of our own is not there, or does not fit it.
  explicit ReplayKernel(std::unique_ptr<TraceReader> reader, const ReplayOptions& options = {});

  ReplayKernel(const ReplayKernel&) = delete;
  ReplayKernel& operator=(const ReplayKernel&) = delete;

  [[nodiscard]] const stream::LaunchShape& shape() const override { return shape_; }
  /// As far as they have been met.
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return ops_.all(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;

  [[nodiscard]] const TraceHeader& header() const { return reader_->header(); }
  [[nodiscard]] const TraceInstruction& instruction(Pc pc) const { return reader_->instruction(pc); }
  /// The instruction as text: its opcode; with operands, where the trace is a recording of our own.
  [[nodiscard]] std::string instruction_text(Pc pc) const;
  /// What was timed as something else, in the blocks that have started.
  [[nodiscard]] std::vector<Approximation> approximations() const { return ops_.approximations(); }

 private:
  friend class ReplaySource;

  std::unique_ptr<TraceReader> reader_;
  std::string file_;
  std::unique_ptr<FactsFile> facts_;  // null but for recordings of our own
  stream::LaunchShape shape_;
  TraceOps ops_;
  PackedStore store_;
  BlockLoader loader_;
  std::mutex shared_;  // of the reader, the loader and the store: SMs ask for blocks and pieces at any time
};

}  // namespace heddle::trace
