// The spans in which warps do not issue, as observers hear them: the ledger's stalls, warp by warp.
#include <map>
#include <string>
#include <tuple>

#include "sim/config/load.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/sm_harness.h"
#include "tools/launch/launch_file.h"

namespace heddle::test {
namespace {

using WarpId = std::tuple<SmId, BlockId, std::uint32_t>;

/// Adds up the spans.
class SpanReader final : public sim::Observer {
 public:
  explicit SpanReader(std::uint32_t sms) : sms_(sms) {}

  [[nodiscard]] sim::EventKinds wanted() const override { return {true, true, true, sms_}; }
  void warp_stalled(const sim::WarpStalled& event) override {
    ++spans;
    if (event.sm >= sms_ || event.from >= event.until || event.until > event.cycle + 1) ++wrong;
    stalls[event.stall] += event.until - event.from;
    by_pc[event.pc][event.stall] += event.until - event.from;
    by_warp[{{event.sm, event.block, event.warp_in_block}, event.pc}][event.stall] +=
        event.until - event.from;
  }
  void warp_sampled(const sim::WarpSampled& event) override {
    if (event.state != sim::WarpSampled::State::Stalled) return;
    sampled[{{event.sm, event.block, event.warp_in_block}, event.pc}][event.stall] += 1;
  }

  std::uint64_t spans = 0;
  std::uint64_t wrong = 0;
  sim::StallCounts stalls;
  std::map<Pc, sim::StallCounts> by_pc;
  std::map<std::pair<WarpId, Pc>, sim::StallCounts> by_warp;
  std::map<std::pair<WarpId, Pc>, sim::StallCounts> sampled;

 private:
  std::uint32_t sms_;
};

sim::RunResult run_example(const std::string& name, SpanReader& reader, sim::CycleRange samples) {
  launch::LaunchFile file = launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + name + ".yaml");
  const sim::GpuSpec gpu = sim::load_gpu("tiny", {}, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel = session::live_kernel(gpu, file.launch, file.memory, exec::Divergence::Stack);
  sim::RunOptions options;
  options.observer = &reader;
  options.samples = samples;
  return run_by_instruction(kernel, gpu, options);
}

}  // namespace

TEST_CASE("Spans of stalled warps add up to the ledger, by reason and by instruction") {
  for (const char* name : {"reduce_v1", "shared_stride", "divergent_16_16", "strided_copy", "bitonic_sort",
                           "histogram_shared", "try_lock", "spmv_csr"}) {
    INFO(name);
    SpanReader reader(~0U);
    const sim::RunResult run = run_example(name, reader, {});
    CHECK(reader.wrong == 0);
    CHECK(reader.stalls == run.total.stalls);
    for (Pc pc = 0; pc < run.by_pc.size(); ++pc) CHECK(reader.by_pc[pc] == run.by_pc[pc].stalls);
  }
}

TEST_CASE("Spans say of each warp and instruction what samples of every cycle say") {
  for (const char* name : {"reduce_v1", "shared_stride", "divergent_16_16"}) {
    INFO(name);
    SpanReader reader(~0U);
    run_example(name, reader, {0, kNever});
    CHECK(reader.spans > 100);
    CHECK((reader.by_warp == reader.sampled));
  }
}

TEST_CASE("Spans are told of the SMs that are asked for alone") {
  SpanReader none(0);
  const sim::RunResult alone = run_example("reduce_v1", none, {});
  CHECK(none.spans == 0);
  SpanReader one(1);
  const sim::RunResult watched = run_example("reduce_v1", one, {});
  CHECK(one.spans > 0);
  CHECK(one.wrong == 0);
  CHECK(one.stalls == watched.sms[0].stalls);
  CHECK(alone.total == watched.total);
}

}  // namespace heddle::test
