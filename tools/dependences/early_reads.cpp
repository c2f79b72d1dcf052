#include "tools/dependences/early_reads.h"

#include <algorithm>
#include <utility>

namespace heddle::dependences {

EarlyReads::EarlyReads(const ir::Kernel& kernel, const sim::ClassTimings& timings) {
  for (const ir::Instruction& instruction : kernel.instructions) {
    Row& row = rows_.emplace_back();
    row.use = ir::register_use(instruction);
    row.timing_class = ir::info(instruction.opcode).timing_class;
    row.timing = &timings.of(row.timing_class);
    row.control = instruction.control;
  }
}

void EarlyReads::warp_issued(const sim::WarpIssued& event) {
  Warp& warp = warps_[{event.sm, event.slot}];
  if (warp.values.empty() || warp.block != event.block || warp.warp_in_block != event.warp_in_block) {
    warp = {event.block, event.warp_in_block, {}, {}};
    warp.values.resize(ir::kSlots);
  }
  const Row& row = rows_[event.pc];
  await(row, warp);
  read(event, row, warp);
  if (event.executed != 0) write(event, row, warp);
}

/// Values whose barriers are waited for are there, and what the load/store unit has answered before them.
void EarlyReads::await(const Row& row, Warp& warp) const {
  if (row.control.wait_mask == 0) return;
  std::map<ir::TimingClass, Cycle> last;  // of those with a barrier that is waited for, by class
  for (const ir::RegisterSlot slot : warp.unawaited) {
    Value& value = warp.values[slot];
    const Row& producer = rows_[value.producer];
    if (!producer.has_barrier() || (row.control.wait_mask >> producer.control.write_barrier & 1U) == 0)
      continue;
    value.is_awaited = true;
    Cycle& issued = last[producer.timing_class];
    issued = std::max(issued, value.issued);
  }
  std::erase_if(warp.unawaited, [&](ir::RegisterSlot slot) {
    Value& value = warp.values[slot];
    const Row& producer = rows_[value.producer];
    const auto found = last.find(producer.timing_class);
    if (!producer.has_barrier() && found != last.end() && value.issued <= found->second)
      value.is_awaited = true;
    return value.is_awaited;
  });
}

void EarlyReads::read(const sim::WarpIssued& event, const Row& row, const Warp& warp) {
  std::vector<ir::RegisterSlot> slots(row.use.reads.begin(), row.use.reads.end());
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  for (const ir::RegisterSlot slot : slots) {
    const Value& value = warp.values[slot];
    const bool is_guard = ir::is_guard_slot(slot);
    if ((value.lanes & (is_guard ? event.active : event.executed)) == 0) continue;
    ++reads_;
    Cycle early = 0;
    if (is_there(value, is_guard, row, event.cycle, early)) continue;
    EarlyRead& found = found_[{event.pc, value.producer, slot}];
    found = {event.pc, value.producer, slot, std::max(found.cycles, early), found.count + 1};
  }
}

bool EarlyReads::is_there(const Value& value, bool is_guard, const Row& reader, Cycle now,
                          Cycle& early) const {
  if (value.is_awaited) return true;
  const sim::ClassTiming& made = *rows_[value.producer].timing;
  if (made.is_told_later) return false;
  const Cycle latency = (is_guard ? made.guard : made.result.across(reader.timing->bypass)).cycle();
  if (value.issued + latency <= now) return true;
  early = value.issued + latency - now;
  return false;
}

void EarlyReads::write(const sim::WarpIssued& event, const Row& row, Warp& warp) const {
  const bool may_be_awaited = row.has_barrier() || row.timing->is_told_later;
  for (const ir::RegisterSlot slot : row.use.writes) {
    std::erase(warp.unawaited, slot);
    warp.values[slot] = {event.pc, event.cycle, event.executed, false};
    if (may_be_awaited) warp.unawaited.push_back(slot);
  }
}

std::vector<EarlyRead> EarlyReads::found() const {
  std::vector<EarlyRead> found;
  for (const auto& [key, each] : found_) found.push_back(each);
  return found;
}

}  // namespace heddle::dependences
