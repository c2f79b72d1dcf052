#include "sim/device/streams.h"

#include <algorithm>

namespace heddle::sim {

StreamId Streams::add(int priority) {
  streams_.push_back({priority, false, 0, {}});
  return static_cast<StreamId>(streams_.size() - 1);
}

void Streams::launch(StreamId stream, GridId grid) { of(stream).work.push_back({Item::Kind::Launch, grid}); }

EventId Streams::record(StreamId stream, Cycle now) {
  if (is_empty(stream)) of(stream).done_at = std::max(of(stream).done_at, now);
  of(stream).work.push_back({Item::Kind::Record, static_cast<std::uint32_t>(events_.size())});
  events_.push_back(kNever);
  return static_cast<EventId>(events_.size() - 1);
}

void Streams::wait(StreamId stream, EventId event) {
  of(stream).work.push_back({Item::Kind::Wait, static_cast<std::uint32_t>(event)});
}

std::vector<GridId> Streams::take_launchable(Cycle now, std::size_t most) {
  std::vector<GridId> launchable;
  const auto advances = [&](Stream& stream) { return advance(stream, now, most, launchable); };
  // What one stream records may be what another waits for.
  while (std::count_if(streams_.begin(), streams_.end(), advances) != 0) {
  }
  std::sort(launchable.begin(), launchable.end());
  return launchable;
}

/// As far as it can by itself; says whether it could at all.
bool Streams::advance(Stream& stream, Cycle now, std::size_t most, std::vector<GridId>& launchable) {
  bool has_advanced = false;
  while (!stream.runs && !stream.work.empty()) {
    const Item item = stream.work.front();
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
                     [](const Stream& stream) { return !stream.runs && stream.work.empty(); });
}

}  // namespace heddle::sim
