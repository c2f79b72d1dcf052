#include "tests/support/sm_harness.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "isa/base/lane_addresses.h"
#include "isa/text/assemble.h"
#include "sim/config/load.h"
#include "sim/session/live_kernel.h"

namespace heddle::test {

namespace {

class IssueLog final : public sim::Observer {
 public:
  explicit IssueLog(std::vector<sim::WarpIssued>& events) : events_(events) {}
  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& event) override { events_.push_back(event); }

 private:
  std::vector<sim::WarpIssued>& events_;
};

/// Reads each warp's script from the top.
class ScriptedSource final : public stream::WarpSource {
 public:
  ScriptedSource(const Script& script, std::uint32_t slots) : script_(script), warps_(slots) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const Script::Warp& warp = script_.blocks[block][i];
      warps_[slots[i]] = {&warp, 0};
      first[i] = &script_.ops[warp.steps.front().op];
    }
  }

  const stream::WarpStep& issue(WarpSlot slot, Cycle) override {
    Place& place = warps_[slot];
    const Script::Step& step = place.warp->steps[place.at++];
    const bool is_last = place.at == place.warp->steps.size();
    told_ = {.live = place.warp->lanes,
             .active = step.active,
             .executed = step.executed,
             .next = is_last ? nullptr : &script_.ops[place.warp->steps[place.at].op],
             .addresses = step.addresses.empty() ? nullptr : step.addresses.data(),
             .span = span_if_any(script_.ops[step.op], step),
             .shared_addresses = step.addresses.empty() ? nullptr : step.addresses.data(),
             .barrier = step.barrier,
             .nanoseconds = step.nanoseconds};
    return told_;
  }

  void end_block(std::span<const WarpSlot>) override {}

  [[nodiscard]] std::string describe(WarpSlot slot) const override {
    return "slot " + std::to_string(slot) + ", step " + std::to_string(warps_[slot].at);
  }

 private:
  static LaneSpan span_if_any(const stream::StaticOp& op, const Script::Step& step) {
    if (step.addresses.empty()) return {};
    return span_of(step.addresses.data(), step.executed, op.bytes_per_lane);
  }

  struct Place {
    const Script::Warp* warp = nullptr;
    std::size_t at = 0;
  };

  const Script& script_;
  std::vector<Place> warps_;
  stream::WarpStep told_;
};

}  // namespace

std::vector<Cycle> Timeline::cycles(std::uint32_t warp_in_block, BlockId block) const {
  std::vector<Cycle> cycles;
  for (const sim::WarpIssued& event : issued) {
    if (event.warp_in_block == warp_in_block && event.block == block) cycles.push_back(event.cycle);
  }
  return cycles;
}

std::vector<Cycle> Timeline::cycles_at(Pc pc, std::uint32_t warp_in_block, BlockId block) const {
  std::vector<Cycle> cycles;
  for (const sim::WarpIssued& event : issued) {
    if (event.pc == pc && event.warp_in_block == warp_in_block && event.block == block) {
      cycles.push_back(event.cycle);
    }
  }
  return cycles;
}

std::vector<Cycle> Timeline::cycles_in(unsigned sub_partition, const sim::GpuSpec& spec, Pc pc) const {
  std::vector<Cycle> cycles;
  for (const sim::WarpIssued& event : issued) {
    if (event.pc == pc && event.slot % spec.sm.sub_partitions == sub_partition) cycles.push_back(event.cycle);
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

sim::GpuSpec launching_at_once(const std::string& gpu, Overrides settings) {
  settings.emplace_back("dispatch.warp_launch=0");
  return sim::load_gpu(gpu, settings);
}

std::vector<Cycle> steps(const std::vector<Cycle>& cycles) {
  std::vector<Cycle> result;
  for (std::size_t i = 1; i < cycles.size(); ++i) result.push_back(cycles[i] - cycles[i - 1]);
  return result;
}

Timeline simulate(stream::KernelSource& kernel, const sim::GpuSpec& spec, sim::RunOptions options) {
  Timeline timeline;
  IssueLog log(timeline.issued);
  options.observer = &log;
  timeline.result = run_by_instruction(kernel, spec, options);
  return timeline;
}

TextKernel::TextKernel(std::string_view body, Dim3 block, Dim3 grid, std::string_view directives) {
  std::string text = ".kernel test\n";
  const std::string_view code = body.starts_with('[') ? "[B------:R-:W-:-:S01] " : "";
  text.append(directives).append("\n").append(body).append("\n").append(code).append("EXIT\n");
  launch_.kernel = text::assemble(text, "test.sass").front();
  launch_.grid = grid;
  launch_.block = block;
}

exec::Buffer& TextKernel::add_buffer(const std::string& param, std::uint64_t bytes) {
  exec::Buffer& buffer = memory_.allocate(param, bytes);
  put(param, buffer.address(), 8);
  return buffer;
}

void TextKernel::set(const std::string& param, std::uint32_t value) { put(param, value, 4); }

void TextKernel::put(const std::string& param, std::uint64_t value, unsigned bytes) {
  for (const ir::Param& row : launch_.kernel.params) {
    if (row.name != param) continue;
    const std::size_t at = row.offset - ir::kParamOffset;
    launch_.params.resize(std::max(launch_.params.size(), at + bytes));
    std::memcpy(launch_.params.data() + at, &value, bytes);
    return;
  }
  throw std::logic_error("no parameter " + param);
}

Pc TextKernel::pc_of(std::string_view label) const {
  for (const ir::Label& row : launch_.kernel.labels) {
    if (row.name == label) return row.pc;
  }
  throw std::logic_error("no label " + std::string(label));
}

Timeline TextKernel::run(const sim::GpuSpec& spec, const sim::RunOptions& options) {
  exec::LiveKernel kernel = session::live_kernel(spec, launch_, memory_);
  return simulate(kernel, spec, options);
}

sim::RunResult TextKernel::run_heard(const sim::GpuSpec& spec, sim::RunOptions options,
                                     sim::Observer& observer) {
  exec::LiveKernel kernel = session::live_kernel(spec, launch_, memory_);
  options.observer = &observer;
  return run_by_instruction(kernel, spec, options);
}

std::string repeat(std::string_view body, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text.append(body).append("\n");
  return text;
}

std::size_t Script::add(const stream::StaticOp& op) {
  ops.push_back(op);
  ops.back().pc = static_cast<Pc>(ops.size() - 1);
  return ops.size() - 1;
}

std::unique_ptr<stream::WarpSource> ScriptedKernel::make_warp_source(SmId, std::uint32_t warp_slots) {
  return std::make_unique<ScriptedSource>(script_, warp_slots);
}

}  // namespace heddle::test
