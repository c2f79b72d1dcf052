#include "isa/stream/still_stand.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::stream {

bool StillStand::is_for_good(const std::vector<GoingWarp>& going,
                             const std::function<std::uint64_t()>& memory) {
  if (watched_.empty()) {
    if (pause_ != 0) --pause_;
    const auto seems_to_spin = [](const GoingWarp& warp) { return warp.source->seems_to_spin(warp.slot); };
    if (pause_ != 0 || going.empty() || !std::all_of(going.begin(), going.end(), seems_to_spin)) return false;
    for (const GoingWarp& warp : going) warp.source->watch_spin(warp.slot);
    watched_ = going;
    memory_ = memory();
    return false;
  }
  if (going != watched_) return give_up();
  bool all_known = true;
  for (const GoingWarp& warp : going) {
    const std::optional<bool> spins = warp.source->spins(warp.slot);
    if (spins == false) return give_up();
    all_known = all_known && spins;
  }
  if (!all_known) return false;
  return memory() == memory_ || give_up();
}

bool StillStand::give_up() {
  watched_.clear();
  pause_ = next_pause_;
  next_pause_ *= 2;
  return false;
}

std::string StillStand::text(std::size_t spinning) {
  return fmt::format("{}; all others that have started have ended or wait at barriers",
                     spinning == 1 ? "one warp spins" : fmt::format("{} warps spin", spinning));
}

}  // namespace heddle::stream
