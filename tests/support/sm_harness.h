// Runs small kernels on the timing model and says what it did: when each warp issued what, and whether the
// books balance.
//
//   TextKernel kernel("MOV R0, RZ\n FADD R0, R0, R0\n", {.x = 32});
//   const Timeline run = kernel.run(load_gpu("tiny"));
//   run.cycles(0)            // when warp 0 of block 0 issued MOV, FADD, EXIT
//   broken_laws(run.result, spec)   // empty
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/base/override.h"
#include "isa/exec/live_kernel.h"
#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/run.h"

namespace heddle::test {

/// A run and all its issues, in the order in which the observer heard of them.
struct Timeline {
  sim::RunResult result;
  std::vector<sim::WarpIssued> issued;

  /// When a warp issued its instructions, in their order.
  [[nodiscard]] std::vector<Cycle> cycles(std::uint32_t warp_in_block, BlockId block = 0) const;
  /// When that warp issued instruction `pc`, each time.
  [[nodiscard]] std::vector<Cycle> cycles_at(Pc pc, std::uint32_t warp_in_block = 0, BlockId block = 0) const;
  /// When any warp in the sub-partition issued instruction `pc`, ascending.
  [[nodiscard]] std::vector<Cycle> cycles_in(unsigned sub_partition, const sim::GpuSpec& spec, Pc pc) const;
};

/// The differences between neighbours.
std::vector<Cycle> steps(const std::vector<Cycle>& cycles);

/// A GPU that launches all warps of a block in one cycle, so that they come together to what is tested.
sim::GpuSpec launching_at_once(const std::string& gpu, Overrides settings = {});

/// Jumps from event to event, or visits every cycle.
inline sim::RunOptions mode(bool visit_every_cycle) {
  sim::RunOptions options;
  options.visit_every_cycle = visit_every_cycle;
  return options;
}

/// Runs any source with counters by instruction, and checks that they sum to the run's.
sim::RunResult run_by_instruction(stream::KernelSource& kernel, const sim::GpuSpec& spec,
                                  sim::RunOptions options = {});

/// Likewise, with an observer.
Timeline simulate(stream::KernelSource& kernel, const sim::GpuSpec& spec, sim::RunOptions options = {});

/// A kernel from text: the directives and the body without `.kernel` and the last EXIT. That has a control code
/// if the body begins with one.
class TextKernel {
 public:
  TextKernel(std::string_view body, Dim3 block, Dim3 grid = {}, std::string_view directives = "");

  /// A zeroed buffer whose address becomes the parameter of that name.
  exec::Buffer& add_buffer(const std::string& param, std::uint64_t bytes);
  void set(const std::string& param, std::uint32_t value);

  [[nodiscard]] Pc pc_of(std::string_view label) const;
  /// Each run works on the buffers as the last one left them.
  Timeline run(const sim::GpuSpec& spec, const sim::RunOptions& options = {});
  /// With another observer.
  sim::RunResult run_heard(const sim::GpuSpec& spec, sim::RunOptions options, sim::Observer& observer);

 private:
  void put(const std::string& param, std::uint64_t value, unsigned bytes);

  exec::Launch launch_;
  exec::GlobalMemory memory_;
};

/// The body `count` times.
std::string repeat(std::string_view body, unsigned count);

/// A launch whose every dynamic instruction is written down: what is left of a kernel when nothing executes.
struct Script {
  struct Step {
    std::size_t op = 0;  ///< Index in Script::ops.
    LaneMask active = 0;
    LaneMask executed = 0;
    std::vector<Addr> addresses;  ///< One a lane, for memory operations; of copies, both addresses.
    stream::BarrierUse barrier = {};
    std::uint32_t nanoseconds = 0;
  };
  struct Warp {
    LaneMask lanes = 0;
    std::vector<Step> steps;  ///< The last one is an exit of all lanes.
  };

  stream::LaunchShape shape;
  std::vector<stream::StaticOp> ops;
  std::vector<std::vector<Warp>> blocks;  ///< By block, then warp of the block.

  /// Adds an operation; its Pc is its index, which is returned.
  std::size_t add(const stream::StaticOp& op);
};

class ScriptedKernel final : public stream::KernelSource {
 public:
  explicit ScriptedKernel(Script script) : script_(std::move(script)) {}

  [[nodiscard]] const stream::LaunchShape& shape() const override { return script_.shape; }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return script_.ops; }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;

 private:
  Script script_;
};

/// What does not hold of a run though it must hold of every run: that each ledger's parts sum to its total,
/// and that what one component counts agrees with what another does.
std::vector<std::string> broken_laws(const sim::RunResult& result, const sim::GpuSpec& spec);

/// What does not hold of a run's counters by instruction: that they sum to the run's, above all.
std::vector<std::string> broken_pc_laws(const sim::RunResult& result);

/// The figures in which two runs differ; those by instruction, if both have them.
std::vector<std::string> differences(const sim::RunResult& a, const sim::RunResult& b);

}  // namespace heddle::test
