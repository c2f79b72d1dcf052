#include "sim/sm/dispatcher.h"

#include <algorithm>

namespace heddle::sim {

Cycle Dispatcher::next_open(GroupSet groups) const {
  Cycle first = kNever;
  for_each_group(with_room(groups), [&](unsigned number) {
    first = std::min(first, pipes_.free_at(timings_->group(number).pipes));
  });
  return first;
}

Cycle Dispatcher::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = registers_.read(warp, reads, now);
  if (late == 0) return 0;
  held_until_ = now + 1 + late;
  pipes_.hold(taken_, pipes_.free_at(taken_) + late);
  pipes_.hold_first(timings_->pipes() + 1, held_until_);
  return late;
}

Cycle Dispatcher::queue_product(Cycle now, Cycle cycles) {
  const std::uint8_t pipe = timings_->product_pipe();
  const Cycle begin = std::max(now, pipes_.free_at(pipe));
  pipes_.take(pipe, begin + cycles);
  return begin;
}

}  // namespace heddle::sim
