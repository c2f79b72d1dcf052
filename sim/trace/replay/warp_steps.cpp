#include "sim/trace/replay/warp_steps.h"

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "sim/trace/replay/line_mistake.h"

namespace heddle::trace {

namespace {

/// The lanes of a warp that are threads of the launch.
std::uint32_t lanes_of(const TraceHeader& header, std::uint32_t warp) {
  const std::uint64_t threads = header.block.count() - std::uint64_t{warp} * kLanes;
  return static_cast<std::uint32_t>(
      first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(threads, kLanes))));
}

}  // namespace

void WarpSteps::begin_warp() {
  const TraceHeader& header = reader_.header();
  const auto warps = static_cast<std::uint32_t>(divide_up(header.block.count(), kLanes));
  maker_.emplace(header, ops_, lanes_of(header, reader_.warp().index), warps);
  next_ = 0;
}

bool WarpSteps::make(TraceStep& step) {
  const std::uint64_t number = next_++;
  if (!make_or_refuse(step)) return false;
  if (facts_ != nullptr) facts_->complete(block(), reader_.warp().index, number, step);
  return true;
}

bool WarpSteps::make_or_refuse(TraceStep& step) {
  try {
    return maker_->make(reader_.line(), next_ == reader_.warp().instructions, step);
  } catch (const LineMistake& mistake) {
    throw InputError(reader_.where(), mistake.what());
  }
}

void WarpSteps::skip_block() {
  if (facts_ != nullptr) facts_->skip(block());
}

void WarpSteps::end() {
  if (facts_ != nullptr) facts_->require_end();
}

BlockId WarpSteps::block() const { return reader_.block().index_in(reader_.header().grid); }

}  // namespace heddle::trace
