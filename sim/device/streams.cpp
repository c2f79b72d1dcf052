#include "sim/device/streams.h"

#include <algorithm>
#include <utility>

namespace heddle::sim {

StreamId Streams::add(int priority) {
  streams_.emplace_back().priority = priority;
  return static_cast<StreamId>(streams_.size() - 1);
}

void Streams::launch(StreamId stream, GridId grid) { of(stream).work.push_back({Item::Kind::Launch, grid}); }

/// What an idle stream is given begins at `now`.
void Streams::begin_now(Stream& stream, Cycle now) {
  if (stream.is_empty()) stream.done_at = std::max(stream.done_at, now);
}

EventId Streams::add_event() {
  events_.push_back(kNever);
  return static_cast<EventId>(events_.size() - 1);
}

EventId Streams::record(StreamId stream, Cycle now) {
  const EventId event = add_event();
  record(stream, event, now);
  return event;
}

void Streams::record(StreamId stream, EventId event, Cycle now) {
  begin_now(of(stream), now);
  of(stream).work.push_back({Item::Kind::Record, static_cast<std::uint32_t>(event)});
}

void Streams::wait(StreamId stream, EventId event) {
  of(stream).work.push_back({Item::Kind::Wait, static_cast<std::uint32_t>(event)});
}

void Streams::submit(StreamId stream, Task task, Cycle now) {
  begin_now(of(stream), now);
  of(stream).work.push_back({Item::Kind::Task, static_cast<std::uint32_t>(tasks_.size())});
  tasks_.push_back(std::move(task));
}

std::vector<GridId> Streams::take_launchable(Cycle now, std::size_t most) {
  std::vector<GridId> launchable;
  const auto advances = [&](Stream& stream) { return advance(stream, now, most, launchable); };
  // What one stream records may be what another waits for, and what ends may be what both wait for.
  do {
    while (std::count_if(streams_.begin(), streams_.end(), advances) != 0 || start_task()) {
    }
  } while (end_task(now));
  std::sort(launchable.begin(), launchable.end());
  return launchable;
}

/// Starts the task whose stream came to it first, if any task can start. Whether one did.
bool Streams::start_task() {
  Stream* first = nullptr;
  for (Stream& stream : streams_) {
    if (stream.is_busy() || stream.work.empty() || stream.work.front().kind != Item::Kind::Task) continue;
    const auto order = [](const Stream& one) { return std::pair(one.done_at, one.work.front().number); };
    if (first == nullptr || order(stream) < order(*first)) first = &stream;
  }
  if (first == nullptr) return false;
  first->task = first->work.front().number;
  first->work.pop_front();
  const Task& task = tasks_[*first->task];
  Cycle& is_free = engine_free_[static_cast<std::size_t>(task.engine)];
  const Cycle begin = task.engine == Engine::None ? first->done_at : std::max(first->done_at, is_free);
  const Cycle duration = task.takes ? task.takes() : task.duration;
  first->task_end = is_free = std::max(begin + duration, task.not_before);
  return true;
}

/// The first that ends by `now`; false if none does.
bool Streams::end_task(Cycle now) {
  Stream* first = nullptr;
  for (Stream& stream : streams_) {
    const auto order = [](const Stream& one) { return std::pair(one.task_end, one.task); };
    if (stream.task && stream.task_end <= now && (first == nullptr || order(stream) < order(*first)))
      first = &stream;
  }
  if (first == nullptr) return false;
  first->done_at = std::exchange(first->task_end, kNever);
  const std::function<void()> action = std::move(tasks_[*first->task].action);
  first->task.reset();
  if (action) action();
  return true;
}

Cycle Streams::next_end() const {
  Cycle next = kNever;
  for (const Stream& stream : streams_) next = std::min(next, stream.task_end);
  return next;
}

/// As far as it can by itself; says whether it could at all.
bool Streams::advance(Stream& stream, Cycle now, std::size_t most, std::vector<GridId>& launchable) {
  bool has_advanced = false;
  while (!stream.is_busy() && !stream.work.empty()) {
    const Item item = stream.work.front();
    if (item.kind == Item::Kind::Task) break;
    if (item.kind == Item::Kind::Launch) {
      if (launchable.size() == most) break;
      launchable.push_back(item.number);
      stream.runs = true;
    } else if (item.kind == Item::Kind::Record) {
      events_[item.number] = stream.done_at;
    } else {
      if (events_[item.number] == kNever || events_[item.number] > now) break;
      stream.done_at = std::max(stream.done_at, events_[item.number]);
    }
    stream.work.pop_front();
    has_advanced = true;
  }
  return has_advanced;
}

void Streams::grid_ended(StreamId stream, Cycle at) {
  of(stream).runs = false;
  of(stream).done_at = at;
}

bool Streams::are_empty() const {
  return std::all_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.is_empty(); });
}

}  // namespace heddle::sim
