// Reads a file of tracks as Perfetto does, as far as heddle writes it: a reader of its own, after the public
// .proto files, that shares nothing with the writer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

struct ReadSlice {
  std::string name;
  std::uint64_t from = 0;
  std::uint64_t until = 0;
  std::size_t depth = 0;  ///< 0 if it is in no other slice.
};

struct ReadTrack {
  std::string name;
  std::uint64_t parent = 0;  ///< 0: none.
  bool is_process = false;
  bool is_counter = false;
  std::string unit;
  std::vector<ReadSlice> slices;  ///< In the order in which they end.
  std::vector<std::pair<std::uint64_t, std::string>> marks;
  std::vector<std::pair<std::uint64_t, double>> values;
};

struct ReadFile {
  std::map<std::uint64_t, ReadTrack> tracks;
  std::vector<std::string> mistakes;  ///< What Perfetto would drop or show wrongly.

  /// The first track of this name; it must exist.
  [[nodiscard]] const ReadTrack& track(std::string_view name) const;
};

ReadFile read_tracks(std::string_view bytes);

}  // namespace heddle::test
