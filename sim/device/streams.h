// What was submitted to a device, stream by stream: grids, events to record, events to wait for, tasks. A stream
// does one thing after the other; streams know nothing of each other but what events say, and that they share
// copy engines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

/// Numbers the streams of a device, from 0, in the order in which they were made.
enum class StreamId : std::uint32_t {};
/// Numbers the events of a device, likewise.
enum class EventId : std::uint32_t {};

/// Does one task after the other. None: the task keeps no other waiting.
enum class Engine : std::uint8_t { None, ToDevice, ToHost };
inline constexpr std::size_t kEngines = 3;

/// What a stream does besides grids: a copy, or something that the host does.
struct Task {
  Engine engine = Engine::None;
  Cycle duration = 0;
  std::function<void()> action = nullptr;  ///< Called when it ends: what comes after it finds it done.
  Cycle not_before = 0;                    ///< It does not end earlier.
  std::function<Cycle()> takes = nullptr;  ///< Asked when it begins, in place of `duration`.
};

/// The streams of a device. It owns what they hold, and changes at submissions and at the ends of quanta.
class Streams {
 public:
  /// A stream of a lower priority number comes before one of a higher number, as with CUDA's.
  StreamId add(int priority);
  [[nodiscard]] int priority(StreamId stream) const { return of(stream).priority; }

  // -- at the end of a stream -----------------------------------------------------------------------------
  void launch(StreamId stream, GridId grid);
  /// What has been done already counts as done by `now`.
  EventId record(StreamId stream, Cycle now);
  /// An event that will be recorded: who waits for it waits until then.
  EventId add_event();
  void record(StreamId stream, EventId event, Cycle now);
  void wait(StreamId stream, EventId event);
  /// Begins at `now` or later.
  void submit(StreamId stream, Task task, Cycle now);

  // -- as time goes on -------------------------------------------------------------------------------------
  /// The grids that can be launched at `now`, at most so many, in the order in which they were submitted;
  /// they run from here on. Records what can be recorded, and ends the tasks that end by `now`.
  std::vector<GridId> take_launchable(Cycle now, std::size_t most);
  /// The grid that runs in the stream has ended, at a time that is not after the next call's.
  void grid_ended(StreamId stream, Cycle at);

  /// When what was before it in its stream had been done; kNever if that is not so yet.
  [[nodiscard]] Cycle time_of(EventId event) const { return events_[static_cast<std::size_t>(event)]; }
  [[nodiscard]] bool is_empty(StreamId stream) const { return of(stream).is_empty(); }
  /// When the first of the tasks that run ends; kNever if none runs.
  [[nodiscard]] Cycle next_end() const;
  [[nodiscard]] bool are_empty() const;

 private:
  /// One thing that a stream does.
  struct Item {
    /// What it is.
    enum class Kind : std::uint8_t { Launch, Record, Wait, Task };
    Kind kind;
    std::uint32_t number;  // the grid, the event, or the task in the order of submission
  };
  /// A stream: what it does now, and what waits in it.
  struct Stream {
    int priority = 0;
    bool runs = false;  // a grid
    Cycle done_at = 0;  // all before the first item
    std::deque<Item> work;
    std::optional<std::uint32_t> task = std::nullopt;  // that runs
    Cycle task_end = kNever;

    [[nodiscard]] bool is_busy() const { return runs || task.has_value(); }
    [[nodiscard]] bool is_empty() const { return !is_busy() && work.empty(); }
  };

  [[nodiscard]] const Stream& of(StreamId stream) const { return streams_[static_cast<std::size_t>(stream)]; }
  [[nodiscard]] Stream& of(StreamId stream) { return streams_[static_cast<std::size_t>(stream)]; }
  bool advance(Stream& stream, Cycle now, std::size_t most, std::vector<GridId>& launchable);
  bool start_task();
  bool end_task(Cycle now);
  static void begin_now(Stream& stream, Cycle now);

  std::vector<Stream> streams_;
  std::vector<Task> tasks_;                   // by number
  std::array<Cycle, kEngines> engine_free_{};  // from then on
  std::vector<Cycle> events_;  // when each was recorded; kNever: not yet
};

}  // namespace heddle::sim
