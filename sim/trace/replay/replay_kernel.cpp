#include "sim/trace/replay/replay_kernel.h"

#include "isa/text/disassemble.h"
#include "sim/trace/replay/replay_source.h"

namespace heddle::trace {

namespace {

stream::LaunchShape shape_of(const TraceHeader& header, std::uint32_t register_slots) {
  stream::LaunchShape shape;
  shape.kernel = header.kernel;
  shape.grid = header.grid;
  shape.block = header.block;
  shape.registers_per_thread = header.registers;
  shape.shared_bytes_per_block = header.shared_bytes;
  shape.warp_size = kLanes;
  shape.register_slots = register_slots;
  return shape;
}

}  // namespace

ReplayKernel::ReplayKernel(std::unique_ptr<TraceReader> reader, const ReplayOptions& options)
    : reader_(std::move(reader)),
      file_(reader_->where().file),
      facts_(open_facts(file_, reader_->header())),
      ops_(reader_->header(), options.absent),
      store_(options.most_packed_bytes),
      loader_(*reader_, shape_, ops_, store_, facts_.get(), options.wanted) {
  shape_ = shape_of(reader_->header(), ops_.register_slots());
  if (!facts_) return;
  ops_.know(*facts_);
  shape_.barriers_per_block = facts_->barriers();
  shape_.register_slots = ir::kSlots;
}

std::string ReplayKernel::instruction_text(Pc pc) const {
  return facts_ ? text::disassemble(facts_->kernel(), pc) : instruction(pc).opcode;
}

std::unique_ptr<stream::WarpSource> ReplayKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  return std::make_unique<ReplaySource>(*this, sm, warp_slots);
}

}  // namespace heddle::trace
