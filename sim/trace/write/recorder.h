// Records a launch while it runs. Each issued instruction becomes a line of a trace.
#pragma once

#include <memory>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/stream/warp_source.h"
#include "sim/trace/format/sass_form.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/io/byte_stream.h"
#include "sim/trace/write/spool.h"

namespace heddle::trace {

/// The lines and the facts of one block.
struct RecordedBlock {
  SpooledText lines;
  SpooledText facts;
};

/// A kernel source that passes everything through from another one and records it. Blocks end in any order;
/// they are written in grid order, which is the order in which Accel-Sim starts them.
class RecordingKernel final : public stream::KernelSource {
 public:
  /// All arguments must outlive this. `kernel` is what `source` runs. Throws InputError if the warp size is
  /// not 32, which the format requires.
  RecordingKernel(stream::KernelSource& source, const ir::Kernel& kernel, Spool& spool);

  [[nodiscard]] const stream::LaunchShape& shape() const override { return source_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return source_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void commit_writes(ThreadTeam& team) override { source_.commit_writes(team); }

  [[nodiscard]] const TraceHeader& header() const { return header_; }
  [[nodiscard]] const SassForm& form(Pc pc) const { return forms_[pc]; }
  [[nodiscard]] bool is_guarded(Pc pc) const { return !kernel_.instructions[pc].guard.always(); }
  [[nodiscard]] Spool& spool() { return spool_; }
  RecordedBlock& block(BlockId id) { return blocks_[id]; }

  /// Writes the trace, with its number in the kernels list, and the facts file that it names. Call this after
  /// the run.
  void write(std::uint64_t id, const std::string& facts_name, ByteSink& trace, ByteSink& facts);

  /// Sets the GPU generation of the opcodes, for example "8.9". Accel-Sim knows only some; the trace names
  /// the nearest older one.
  void set_compute_capability(const std::string& text);

 private:
  stream::KernelSource& source_;
  const ir::Kernel& kernel_;
  Spool& spool_;
  TraceHeader header_;
  std::vector<SassForm> forms_;        // by Pc
  std::vector<RecordedBlock> blocks_;  // by id; only the SM that runs the block touches it
};

}  // namespace heddle::trace
