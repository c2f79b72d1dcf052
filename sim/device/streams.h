// What was submitted to a device, stream by stream: grids, events to record, events to wait for. A stream
// does one thing after the other; streams know nothing of each other but what events say.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

enum class StreamId : std::uint32_t {};
enum class EventId : std::uint32_t {};

class Streams {
 public:
  /// Of two streams the one of the lower priority number comes first, as with CUDA's.
  StreamId add(int priority);
  [[nodiscard]] int priority(StreamId stream) const { return of(stream).priority; }

  // -- at the end of a stream -----------------------------------------------------------------------------
  void launch(StreamId stream, GridId grid);
  /// What has been done already counts as done by `now`.
  EventId record(StreamId stream, Cycle now);
  void wait(StreamId stream, EventId event);

  // -- as time goes on -------------------------------------------------------------------------------------
  /// The grids that can be launched at `now`, at most so many, in the order in which they were submitted;
  /// they run from here on. Records what can be recorded.
  std::vector<GridId> take_launchable(Cycle now, std::size_t most);
  /// The grid that runs in the stream has ended, at a time that is not after the next call's.
  void grid_ended(StreamId stream, Cycle at);

  /// When what was before it in its stream had been done; kNever if that is not so yet.
  [[nodiscard]] Cycle time_of(EventId event) const { return events_[static_cast<std::size_t>(event)]; }
  [[nodiscard]] bool is_empty(StreamId stream) const { return !of(stream).runs && of(stream).work.empty(); }
  [[nodiscard]] bool are_empty() const;

 private:
  struct Item {
    enum class Kind : std::uint8_t { Launch, Record, Wait };
    Kind kind;
    std::uint32_t number;  // of the grid or the event
  };
  struct Stream {
    int priority = 0;
    bool runs = false;  // a grid
    Cycle done_at = 0;  // all before the first item
    std::deque<Item> work;
  };

  [[nodiscard]] const Stream& of(StreamId stream) const { return streams_[static_cast<std::size_t>(stream)]; }
  [[nodiscard]] Stream& of(StreamId stream) { return streams_[static_cast<std::size_t>(stream)]; }
  bool advance(Stream& stream, Cycle now, std::size_t most, std::vector<GridId>& launchable);

  std::vector<Stream> streams_;
  std::vector<Cycle> events_;  // when each was recorded; kNever: not yet
};

}  // namespace heddle::sim
