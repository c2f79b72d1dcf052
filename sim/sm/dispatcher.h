// The dispatcher of a sub-partition: hands what issues to a pipe, and reads its registers.
//
//   issue --> a pipe that is free, kept for the class's interval
//         --> register banks: what they cannot give in time holds up the dispatcher, and the pipe
//         --> MIO queue, if there is room
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/class_timings.h"
#include "sim/sm/pipes.h"
#include "sim/sm/register_file.h"

namespace heddle::sim {

/// The dispatcher of one sub-partition, with its pipes and its register file. It changes at issues, and when
/// the MIO queue gets or loses room.
class Dispatcher {
 public:
  Dispatcher(const SmSpec& spec, const ClassTimings& timings)
      : timings_(&timings), registers_(spec.register_file) {}

  [[nodiscard]] const ClassTimings& timings() const { return *timings_; }
  [[nodiscard]] const Pipes& pipes() const { return pipes_; }

  // -- may an instruction issue? ----------------------------------------------------------------------------
  /// The MIO queue has room, or has none any more.
  void set_mio_room(bool has_room) { roomless_ = has_room ? 0 : timings_->mio_groups(); }
  /// The groups among these that find room in their queue, or need none.
  [[nodiscard]] GroupSet with_room(GroupSet groups) const { return groups & ~roomless_; }
  [[nodiscard]] bool has_pipe(const PipeGroup& group, Cycle now) const {
    return pipes_.free_at(group.pipes) <= now;
  }
  /// When the first of the groups finds a pipe; those whose queue is full are told when it has room.
  [[nodiscard]] Cycle next_open(GroupSet groups) const;

  // -- an instruction issues --------------------------------------------------------------------------------
  /// The instruction takes the first free pipe of its group; there must be one. Returns the pipe.
  std::uint8_t take_pipe(const IssueDemand& demand, Cycle now) {
    taken_ = pipes_.first_free(timings_->group(demand.group).pipes, now);
    pipes_.take(taken_, now + demand.interval);
    return taken_;
  }
  /// The instruction that issued at `now` reads its registers. Returns by how many cycles bank conflicts
  /// delay it: the dispatcher loses them, and the pipe is free so much later.
  Cycle read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now);
  /// Until then the dispatcher hands out nothing more, because of the last issue.
  [[nodiscard]] Cycle held_until() const { return held_until_; }
  /// A warpgroup product follows those before it through its pipe, which it keeps for so many cycles. Returns
  /// when it begins.
  Cycle queue_product(Cycle now, Cycle cycles);

 private:
  const ClassTimings* timings_;
  GroupSet roomless_ = 0;   // those that go to the MIO queue, while it is full
  std::uint8_t taken_ = 0;  // the pipe that was taken last
  Pipes pipes_;
  Cycle held_until_ = 0;
  RegisterFile registers_;
};

}  // namespace heddle::sim
