#include "sim/trace/replay/block_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "isa/base/diagnostic.h"
#include "sim/trace/replay/packed_step.h"
#include "sim/trace/replay/step_maker.h"

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
    if (!wanted_ || wanted_(next)) {
      waiting_.emplace(next, load(next));
    } else {
      skip(next);
    }
    if (next_ == shape_.blocks()) require_end();
  }
}

LoadedBlock BlockLoader::load(BlockId block) {
  begin(block);
  copies_ = nullptr;
  LoadedBlock warps;
  for (std::uint32_t i = 0; i < shape_.warps_per_block(); ++i)
    warps.push_back({PackedWarp(store_), 0, nullptr});
  std::vector<bool> has_come(warps.size());
  while (reader_.next() == Event::Warp) load_warp(block, warps, has_come);
  const auto missing = std::find(has_come.begin(), has_come.end(), false);
  if (missing != has_come.end()) {
    fail(fmt::format("block {} ends without warp {}", block, missing - has_come.begin()));
  }
  for (LoadedWarp& warp : warps) warp.copies = copies_;
  return warps;
}

void BlockLoader::skip(BlockId block) {
  begin(block);
  while (reader_.next() == Event::Warp) {
    for (std::uint64_t left = reader_.warp().instructions; left != 0; --left) reader_.next();
  }
  if (facts_ != nullptr) facts_->skip(block);
}

void BlockLoader::begin(BlockId block) {
  if (reader_.next() == Event::End) {
    fail(fmt::format("the trace ends after {} of the {} blocks of its grid", block, shape_.blocks()));
  }
  require_block(block);
}

/// The position in the grid, in the order of the index.
void BlockLoader::require_block(BlockId block) const {
  const Dim3 expected = shape_.grid.position_of(block);
  const std::array<std::uint32_t, 3>& found = reader_.block().id;
  if (found == std::array{expected.x, expected.y, expected.z}) return;
  fail(fmt::format("thread block {},{},{} where {},{},{} should be: blocks stand in the order of their index",
                   found[0], found[1], found[2], expected.x, expected.y, expected.z));
}

void BlockLoader::load_warp(BlockId id, LoadedBlock& block, std::vector<bool>& has_come) {
  const std::uint32_t index = reader_.warp().index;
  if (index >= block.size()) {
    fail(fmt::format("warp {}: the block has {} threads, that is warps 0 to {}", index,
                     shape_.threads_per_block(), block.size() - 1));
  }
  if (has_come[index]) fail(fmt::format("warp {} stands in the block twice", index));
  has_come[index] = true;
  block[index] = read_warp(id, index);
}

LoadedWarp BlockLoader::read_warp(BlockId block, std::uint32_t index) {
  const std::uint64_t threads = shape_.threads_per_block() - std::uint64_t{index} * kLanes;
  const auto lanes = static_cast<std::uint32_t>(
      first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(threads, kLanes))));
  StepMaker maker(reader_.header(), ops_, lanes, shape_.warps_per_block());
  LoadedWarp warp{PackedWarp(store_), 0, nullptr};
  PackState state;
  TraceStep step;
  std::string bytes;
  const std::uint64_t instructions = reader_.warp().instructions;
  bool is_empty = true;
  for (std::uint64_t i = 0; i < instructions; ++i) {
    if (reader_.next() != Event::Line)
      throw std::logic_error("a trace's reader gives fewer lines than it says");
    if (i == 0) warp.first_line = reader_.where().line;
    try {
      if (!maker.make(reader_.line(), i + 1 == instructions, step)) continue;
    } catch (const std::logic_error& error) {
      fail(error.what());
    }
    if (facts_ != nullptr) facts_->complete(block, index, i, step);
    is_empty = false;
    if (step.has_async) {
      if (copies_ == nullptr) copies_ = std::make_shared<CopyPlan>();
      copies_->note(step.async);
    }
    pack(step, state, bytes);
    if (bytes.size() < PackedStore::kPiece) continue;
    warp.steps.add_piece(bytes);
    bytes.clear();
  }
  if (is_empty) fail(fmt::format("warp {} has no instruction", index));
  if (maker.live() != 0) {
    fail(fmt::format("warp {} ends, but its lanes {:08x} have not exited: each needs an EXIT", index,
                     maker.live()));
  }
  if (!bytes.empty()) warp.steps.add_piece(bytes);
  return warp;
}

void BlockLoader::require_end() {
  if (reader_.next() != Event::End) {
    fail(fmt::format("the trace goes on after the {} blocks of its grid", shape_.blocks()));
  }
}

void BlockLoader::fail(const std::string& what) const { throw InputError(reader_.where(), what); }

}  // namespace heddle::trace
