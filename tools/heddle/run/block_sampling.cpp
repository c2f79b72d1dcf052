#include "tools/heddle/run/block_sampling.h"

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "isa/cfg/polling.h"
#include "isa/exec/functional.h"
#include "isa/text/disassemble.h"
#include "sim/device/extrapolated.h"
#include "sim/device/sample.h"
#include "sim/occupancy/occupancy.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/sample/block_sample.h"

namespace heddle::command {

namespace {

/// Blocks of the rest that are executed to see whether they differ: some of each of so many parts.
constexpr std::uint64_t kParts = 16;
constexpr std::uint64_t kOfPart = 4;
constexpr std::uint64_t kSectorBytes = 32;

/// Keeps when each block began and ended.
class BlockTimes final : public sim::Observer {
 public:
  explicit BlockTimes(std::uint64_t blocks) : blocks_(blocks) {}

  [[nodiscard]] sim::EventKinds wanted() const override { return {false, true, false}; }
  void block_started(const sim::BlockStarted& event) override { blocks_.at(event.block).begin = event.cycle; }
  void block_ended(const sim::BlockEnded& event) override { blocks_.at(event.block).end = event.cycle; }

  std::vector<sample::BlockEvidence::Block> by_end() && {
    std::stable_sort(blocks_.begin(), blocks_.end(),
                     [](const auto& left, const auto& right) { return left.end < right.end; });
    return std::move(blocks_);
  }

 private:
  std::vector<sample::BlockEvidence::Block> blocks_;  // by number
};

/// The contents of global memory, to begin anew with.
class SavedMemory {
 public:
  explicit SavedMemory(const exec::GlobalMemory& memory) {
    for (const auto& buffer : memory.buffers())
      contents_.emplace_back(buffer->bytes().begin(), buffer->bytes().end());
  }
  void restore(exec::GlobalMemory& memory) const {
    for (std::size_t i = 0; i < contents_.size(); ++i)
      std::copy(contents_[i].begin(), contents_[i].end(), memory.buffers()[i]->bytes().begin());
  }

 private:
  std::vector<std::vector<std::byte>> contents_;
};

std::uint64_t l2_bytes(const sim::RunResult& result) {
  return result.total.memory.dram_read_bytes + kSectorBytes * result.total.memory.l2_store_sectors;
}

class BlockSampling {
 public:
  BlockSampling(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                const WatchRun* watch)
      : request_(request), spec_(spec), file_(file), watch_(watch), saved_(file.memory) {
    const exec::LiveKernel kernel = live_kernel(spec, file);
    blocks_ = kernel.shape().blocks();
    wave_ =
        std::uint64_t{sim::theoretical_occupancy(spec.occupancy, kernel.shape()).blocks_per_sm} * spec.sms;
  }

  WatchedRun run(bool needs_results);

 private:
  WatchedRun time(std::uint64_t blocks, sim::Observer* observer);
  bool try_level(const sample::BlockPlan& plan);
  void probe(const sample::BlockPlan& plan);
  WatchedRun whole();
  void execute_rest(std::uint64_t from);

  const RunRequest& request_;
  const sim::GpuSpec& spec_;
  launch::LaunchFile& file_;
  const WatchRun* watch_;
  SavedMemory saved_;
  std::uint64_t blocks_ = 0;
  std::uint64_t wave_ = 1;  // the blocks that the GPU holds at a time
  std::uint64_t timed_ = 0;
  sample::BlockEvidence evidence_;
  std::set<BlockId> probed_;
  WatchedRun found_;
  std::string reason_ = "the grid has too few waves";
};

/// From the memory that the launch finds, on a new device.
WatchedRun BlockSampling::time(std::uint64_t blocks, sim::Observer* observer) {
  saved_.restore(file_.memory);
  timed_ += blocks;
  exec::LiveKernel kernel = live_kernel(spec_, file_);
  sim::FirstBlocksKernel first(kernel, blocks);
  const auto instruction = [&kernel](Pc pc) { return text::disassemble(kernel.launch().kernel, pc); };
  sim::Device device(spec_, device_options(request_));
  copy_from_host(file_, device);
  return run_watched(request_, spec_, first, instruction, device, watch_, observer);
}

/// Executes some of the blocks that were not timed, and notes how many instructions they have.
void BlockSampling::probe(const sample::BlockPlan& plan) {
  exec::LiveKernel kernel = live_kernel(spec_, file_);
  std::mt19937_64 random(plan.second);
  const std::uint64_t rest = blocks_ - plan.second;
  const std::uint64_t parts = std::min(kParts, rest / kOfPart);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t begin = plan.second + rest * part / parts;
    const std::uint64_t end = plan.second + rest * (part + 1) / parts;
    std::set<BlockId> drawn;
    while (drawn.size() < kOfPart) drawn.insert(begin + random() % (end - begin));
    const exec::FunctionalCounts counts =
        exec::run_functionally(kernel, [&drawn](BlockId block) { return drawn.contains(block); });
    evidence_.others.push_back(static_cast<double>(counts.warp_instructions) / kOfPart);
    probed_.merge(drawn);
  }
}

/// Whether the two runs are a measure of the rest; then what was found is the whole launch's.
bool BlockSampling::try_level(const sample::BlockPlan& plan) {
  const WatchedRun first = time(plan.first, nullptr);
  BlockTimes times(plan.second);
  found_ = time(plan.second, &times);
  evidence_ = {};
  evidence_.first_cycles = first.result.cycles;
  evidence_.second_cycles = found_.result.cycles;
  evidence_.blocks = std::move(times).by_end();
  evidence_.first_instructions = first.result.total.warp_instructions;
  evidence_.second_instructions = found_.result.total.warp_instructions;
  evidence_.first_l2_bytes = l2_bytes(first.result);
  evidence_.second_l2_bytes = l2_bytes(found_.result);
  evidence_.l2_capacity = spec_.l2.bytes;
  if (const auto why = sample::unsteadiness(plan, evidence_)) {
    reason_ = *why;
    return false;
  }
  probe(plan);
  if (const auto why = sample::difference_of_blocks(plan, evidence_)) {
    reason_ = *why;
    return false;
  }
  found_.result = sim::extrapolated(first.result, found_.result, plan.stretches);
  return true;
}

WatchedRun BlockSampling::whole() {
  WatchedRun run = time(blocks_, nullptr);
  run.blocks = report::BlockSample{blocks_, blocks_, 0, 0, reason_};
  return run;
}

void BlockSampling::execute_rest(std::uint64_t from) {
  exec::LiveKernel kernel = live_kernel(spec_, file_);
  exec::run_functionally(kernel, [&](BlockId block) { return block >= from && !probed_.contains(block); });
}

WatchedRun BlockSampling::run(bool needs_results) {
  if (!cfg::polling_accesses(file_.launch.kernel).empty()) {
    reason_ = "its blocks may wait for one another";
    return whole();
  }
  std::optional<sample::BlockPlan> before;
  for (unsigned level = 0;; ++level) {
    const auto plan = sample::block_plan(blocks_, wave_, level);
    if (!plan) return whole();
    if (before && sample::is_too_short(*plan, *before, evidence_)) continue;
    before = plan;
    const bool is_measure = try_level(*plan);
    if (!is_measure && !probed_.empty()) return whole();  // blocks differ, however many are timed
    if (!is_measure) continue;
    found_.blocks =
        report::BlockSample{plan->second, blocks_, timed_, sample::half_width(*plan, evidence_), {}};
    found_.result.launch = live_kernel(spec_, file_).shape();
    if (needs_results) execute_rest(plan->second);
    return std::move(found_);
  }
}

}  // namespace

WatchedRun run_sample_of_blocks(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                                bool needs_results, const WatchRun* watch) {
  return BlockSampling(request, spec, file, watch).run(needs_results);
}

}  // namespace heddle::command
