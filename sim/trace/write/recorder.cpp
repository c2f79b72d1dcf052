#include "sim/trace/write/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "isa/base/diagnostic.h"
#include "isa/stream/forwarding_source.h"
#include "isa/text/disassemble.h"
#include "sim/trace/format/facts.h"
#include "sim/trace/format/trace_text.h"

namespace heddle::trace {

namespace {

/// Windows for generic addresses of shared and local memory. Heddle's traces have no generic accesses, but a
/// parser that finds 0 takes all addresses for shared ones.
constexpr Addr kSharedBase = 0x00007fff00000000;
constexpr Addr kLocalBase = 0x00007ffe00000000;

/// The versions for which Accel-Sim has opcode tables.
constexpr std::uint32_t kBinaryVersions[] = {35, 60, 61, 70, 75, 80, 86, 90};

TraceHeader header_of(const stream::LaunchShape& shape) {
  TraceHeader header;
  header.kernel = shape.kernel;
  header.grid = shape.grid;
  header.block = shape.block;
  header.shared_bytes = shape.shared_bytes_per_block;
  header.registers = shape.registers_per_thread;
  header.binary_version = 70;
  header.shared_base = kSharedBase;
  header.local_base = kLocalBase;
  header.nvbit_version = kRecordedByHeddle;
  header.tracer_version.assign(1, '5');  // GCC 12 warns of an overlapping copy at ="5"
  header.format =
      "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
      "[mem_addresses] immediate";
  return header;
}

/// The warps of one SM while they run and are recorded.
class RecordingSource final : public stream::ForwardingSource {
 public:
  RecordingSource(RecordingKernel& kernel, std::unique_ptr<stream::WarpSource> source, std::uint32_t slots)
      : ForwardingSource(std::move(source)), kernel_(kernel), warps_(slots), form_(kernel.header()) {}

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override {
    ForwardingSource::start_block(block, slots, first);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      warps_[slots[i]] = Warp{};
      warps_[slots[i]].block = block;
      warps_[slots[i]].next = first[i];
    }
  }

  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override {
    const stream::WarpStep& step = ForwardingSource::issue(slot, now);
    Warp& warp = warps_[slot];
    note_line(warp, step);
    note_facts(warp, step);
    ++warp.instructions;
    warp.active = static_cast<std::uint32_t>(step.active);
    warp.next = step.next;
    return step;
  }

  void end_block(std::span<const WarpSlot> slots) override {
    const BlockId id = warps_[slots[0]].block;
    RecordedBlock& block = kernel_.block(id);
    Spool& spool = kernel_.spool();
    const Dim3 place = kernel_.shape().grid.position_of(id);
    append_block_begin(block.lines.tail(), {{place.x, place.y, place.z}, {}, {}, 0, false});
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      Warp& warp = warps_[slots[i]];
      append_warp_begin(block.lines.tail(), {i, warp.instructions});
      block.lines.append(warp.lines, spool);
      if (warp.facts.empty()) continue;
      if (block.facts.empty()) block.facts.tail() += fmt::format("{}{}\n", kFactsBlock, id);
      block.facts.tail() += fmt::format("{}{}\n", kFactsWarp, i);
      block.facts.append(warp.facts, spool);
    }
    append_block_end(block.lines.tail());
    block.lines.put_by(spool);
    block.facts.put_by(spool);
    ForwardingSource::end_block(slots);
  }

 private:
  struct Warp {
    BlockId block = 0;
    const stream::StaticOp* next = nullptr;
    std::uint32_t active = 0;  // lanes that were active at the last instruction
    std::uint64_t instructions = 0;
    SpooledText lines;
    SpooledText facts;
  };

  void note_line(Warp& warp, const stream::WarpStep& step) {
    const stream::StaticOp& op = *warp.next;
    const SassForm& form = kernel_.form(op.pc);
    line_.instruction = &form.instruction;
    line_.mask = static_cast<std::uint32_t>(step.executed);
    line_.immediate = form.immediate;
    line_.width = stream::is_memory(op.kind) ? op.bytes_per_lane : 0;
    if (line_.width != 0) {
      copy_lanes(line_.addresses, step.addresses, line_.mask);
      line_.format = shortest_format(line_.mask, line_.addresses);
    }
    append_line(warp.lines.tail(), line_, form_);
    warp.lines.settle(kernel_.spool());
  }

  void note_facts(Warp& warp, const stream::WarpStep& step) {
    const stream::StaticOp& op = *warp.next;
    const auto mask = static_cast<std::uint32_t>(step.executed);
    const auto active = static_cast<std::uint32_t>(step.active);
    const auto live = static_cast<std::uint32_t>(step.live);
    const std::uint32_t before = warp.instructions == 0 ? live : warp.active;
    Facts facts;
    facts.number = warp.instructions;
    if (active != expected_active(mask, kernel_.is_guarded(op.pc), before, live)) facts.active = active;
    if (mask != 0) {
      if (stream::is_barrier(op.kind)) facts.barrier = step.barrier;
      if (op.kind == stream::OpKind::Sleep) facts.nanoseconds = step.nanoseconds;
      if (op.kind == stream::OpKind::Copy) copy_lanes(facts.shared.emplace(), step.shared_addresses, mask);
      if (op.has_constant_address) copy_lanes(facts.constant.emplace(), step.addresses, mask);
    }
    append_facts(warp.facts.tail(), facts, mask);
    warp.facts.settle(kernel_.spool());
  }

  static void copy_lanes(std::array<Addr, kLanes>& to, const Addr* from, std::uint32_t mask) {
    for_each_lane(mask, [&](unsigned lane) { to[lane] = from[lane]; });
  }

  RecordingKernel& kernel_;
  std::vector<Warp> warps_;
  LineForm form_;
  TraceLine line_;
};

/// Their lines would need the values of registers, which only traces of hardware have.
void require_recordable(const ir::Kernel& kernel, std::span<const stream::StaticOp> ops) {
  for (const stream::StaticOp& op : ops) {
    if (op.kind != stream::OpKind::Mbarrier && !stream::is_bulk(op.kind)) continue;
    const ir::Instruction& instruction = kernel.instructions[op.pc];
    throw InputError({kernel.file, instruction.line},
                     fmt::format("kernel '{}' cannot be recorded: traces with {} are read, but not written",
                                 kernel.name, ir::info(instruction.opcode).mnemonic));
  }
}

}  // namespace

RecordingKernel::RecordingKernel(stream::KernelSource& source, const ir::Kernel& kernel, Spool& spool)
    : source_(source),
      kernel_(kernel),
      spool_(spool),
      header_(header_of(source.shape())),
      blocks_(shape().blocks()) {
  if (shape().warp_size != kLanes) {
    throw InputError(
        {}, fmt::format("traces have warps of {} lanes; this GPU's have {}", kLanes, shape().warp_size));
  }
  require_recordable(kernel, source.static_ops());
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) forms_.push_back(sass_form(kernel, pc));
}

std::unique_ptr<stream::WarpSource> RecordingKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  return std::make_unique<RecordingSource>(*this, source_.make_warp_source(sm, warp_slots), warp_slots);
}

void RecordingKernel::set_compute_capability(const std::string& text) {
  unsigned major = 0;
  unsigned minor = 0;
  const char* const end = text.data() + text.size();
  const auto [point, error] = std::from_chars(text.data(), end, major);
  if (error == std::errc{} && point != end) std::from_chars(point + 1, end, minor);
  const auto* const newer =
      std::upper_bound(std::begin(kBinaryVersions), std::end(kBinaryVersions), 10 * major + minor);
  header_.binary_version = newer == std::begin(kBinaryVersions) ? *newer : *std::prev(newer);
}

void RecordingKernel::write(std::uint64_t id, const std::string& facts_name, ByteSink& trace,
                            ByteSink& facts) {
  header_.id = id;
  header_.unknown = {fmt::format("{}{}", kFactsKey, facts_name)};
  trace.write(to_text(header_));
  facts.write(to_text(FactsHead{shape().barriers_per_block, text::disassemble(kernel_)}));
  for (const RecordedBlock& block : blocks_) {
    block.lines.read(spool_, [&trace](std::string_view text) { trace.write(text); });
    block.facts.read(spool_, [&facts](std::string_view text) { facts.write(text); });
  }
  trace.finish();
  facts.finish();
}

}  // namespace heddle::trace
