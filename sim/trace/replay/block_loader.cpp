#include "sim/trace/replay/block_loader.h"

#include <stdexcept>

#include "sim/trace/replay/packed_step.h"

namespace heddle::trace {

using Event = TraceReader::Event;

LoadedBlock BlockLoader::take(BlockId block) {
  try {
    if (failure_ == nullptr) read_up_to(block);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
  auto found = waiting_.extract(block);
  if (!found.empty()) return std::move(found.mapped());
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  throw std::logic_error("a block of a trace starts twice");
}

void BlockLoader::read_up_to(BlockId block) {
  while (next_ <= block) {
    const BlockId next = next_++;
    require(Event::Block);
    if (!wanted_ || wanted_(next)) {
      waiting_.emplace(next, load());
    } else {
      skip();
    }
    if (next_ != shape_.blocks()) continue;
    require(Event::End);
    steps_.end();
  }
}

LoadedBlock BlockLoader::load() {
  copies_ = nullptr;
  LoadedBlock block{reader_.block().id, {}};
  for (std::uint32_t i = 0; i < shape_.warps_per_block(); ++i)
    block.warps.push_back({PackedWarp(store_), 0, nullptr});
  for (Event event = reader_.next(); event == Event::Warp;) {
    event = load_warp(block.warps.at(reader_.warp().index));
  }
  for (LoadedWarp& warp : block.warps) warp.copies = copies_;
  return block;
}

/// Returns the event that follows the warp's lines.
Event BlockLoader::load_warp(LoadedWarp& warp) {
  steps_.begin_warp();
  PackState state;
  TraceStep step;
  std::string bytes;
  Event event = reader_.next();
  warp.first_line = reader_.where().line;
  for (; event == Event::Line; event = reader_.next()) {
    if (!steps_.make(step)) continue;
    if (step.has_async) {
      if (copies_ == nullptr) copies_ = std::make_shared<CopyPlan>();
      copies_->note(step.async);
    }
    pack(step, state, bytes);
    if (bytes.size() < PackedStore::kPiece) continue;
    warp.steps.add_piece(bytes);
    bytes.clear();
  }
  if (!bytes.empty()) warp.steps.add_piece(bytes);
  return event;
}

void BlockLoader::skip() {
  reader_.skip_block();
  steps_.skip_block();
}

void BlockLoader::require(Event expected) {
  if (reader_.next() == expected) return;
  throw std::logic_error("a trace's reader gives other blocks than those of its grid");
}

}  // namespace heddle::trace
