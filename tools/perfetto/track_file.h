// A file of tracks for Perfetto (https://ui.perfetto.dev): slices, counters and marks over time. The numbers
// of fields are those of protos/perfetto/trace in its repository.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "isa/base/types.h"
#include "tools/perfetto/proto_writer.h"

namespace heddle::perfetto {

/// A track of the file.
enum class TrackId : std::uint64_t {};

/// Writes the packets one after another. A cycle is shown as a nanosecond, so that times are integers. What
/// happens on a track must be written in the order of time, slices inside of one another.
class TrackFile {
 public:
  /// A group at the top.
  TrackId add_process(std::string_view name);
  /// Below `parent`, after those that were added before.
  TrackId add_track(TrackId parent, std::string_view name);
  TrackId add_counter(TrackId parent, std::string_view name, std::string_view unit);

  void begin(TrackId track, Cycle cycle, std::string_view name);
  void end(TrackId track, Cycle cycle);
  /// A slice of one cycle, with a number that is shown for it.
  void cycle(TrackId track, Cycle cycle, std::string_view name, std::string_view key, std::uint64_t value);
  void mark(TrackId track, Cycle cycle, std::string_view name);
  void count(TrackId counter, Cycle cycle, double value);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  TrackId add_descriptor(Message descriptor);
  /// The number of a text; its packet precedes the first that uses it.
  std::uint64_t number_of(std::map<std::string, std::uint64_t, std::less<>>& numbers, std::string_view text,
                          unsigned field);
  Message event(TrackId track, unsigned type) const;
  Message named_event(TrackId track, unsigned type, std::string_view name);
  void add_event(Cycle cycle, const Message& event);
  void add_packet(Message packet);

  std::string bytes_;
  std::uint64_t tracks_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> names_;
  std::map<std::string, std::uint64_t, std::less<>> keys_;
};

}  // namespace heddle::perfetto
