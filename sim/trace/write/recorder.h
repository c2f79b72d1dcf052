// Records a launch while it runs: every issued instruction becomes a line of a trace.
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

/// A block's lines, and its facts beyond them.
struct RecordedBlock {
  SpooledText lines;
  SpooledText facts;
};

/// Stands between a launch and the timing model, and changes nothing. Blocks end in any order; they are
/// written in that of the grid, in which Accel-Sim hands them out.
class RecordingKernel final : public stream::KernelSource {
 public:
  /// All must outlive this. `kernel` is what `source` runs. Throws InputError if its warps do not have the 32
  /// lanes that the format has.
  RecordingKernel(stream::KernelSource& source, const ir::Kernel& kernel, Spool& spool);

  [[nodiscard]] const stream::LaunchShape& shape() const override { return source_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return source_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void exchange(ThreadTeam& team) override { source_.exchange(team); }

  [[nodiscard]] const TraceHeader& header() const { return header_; }
  [[nodiscard]] const SassForm& form(Pc pc) const { return forms_[pc]; }
  [[nodiscard]] bool is_guarded(Pc pc) const { return !kernel_.instructions[pc].guard.always(); }
  [[nodiscard]] Spool& spool() { return spool_; }
  RecordedBlock& block(BlockId id) { return blocks_[id]; }

  /// After the run: the trace under the number that its list gives it, and its facts, whose file it names.
  void write(std::uint64_t id, const std::string& facts_name, ByteSink& trace, ByteSink& facts);

  /// For which GPU the trace says that its opcodes are: "8.9". Accel-Sim knows some only, so the nearest
  /// older one is named.
  void set_compute_capability(const std::string& text);

 private:
  stream::KernelSource& source_;
  const ir::Kernel& kernel_;
  Spool& spool_;
  TraceHeader header_;
  std::vector<SassForm> forms_;        // by Pc
  std::vector<RecordedBlock> blocks_;  // by id; each is touched by the SM that has it only
};

}  // namespace heddle::trace
