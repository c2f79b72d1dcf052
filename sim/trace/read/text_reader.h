// Reads traces in text form: Accel-Sim's .traceg, versions 1.2 to 6.
#pragma once

#include <memory>

#include "sim/trace/read/checked_reader.h"
#include "sim/trace/read/line_window.h"

namespace heddle::trace {

/// Reads a text trace. Lines that cannot be understood are reported and skipped.
class TextReader final : public CheckedReader {
 public:
  /// Reads the head.
  TextReader(std::string path, std::unique_ptr<ByteSource> source, MistakeSink sink);

  Event next() override;
  [[nodiscard]] SourceLocation where() const override;

 private:
  /// The part of the file that is being read.
  enum class Place { Outside, Block, Warp, Over };

  bool read_head();
  bool next_line();
  bool next_filled_line();
  [[nodiscard]] std::string place_note() const override;

  void pass_over(bool is_long);

  // -- A step returns an event, or nothing if more steps are needed. ----------------------------------
  std::optional<Event> line_step();
  std::optional<Event> too_few_lines();
  std::optional<Event> structure_step();
  std::optional<Event> begin_block_here();
  void read_cluster();
  std::optional<Event> begin_warp_here(std::string_view text);
  std::optional<Event> bad_warp(std::string_view expected);
  void close_warp();
  std::optional<Event> end_block_here();
  std::optional<Event> close_block();
  std::optional<Event> stray(std::string_view text);
  std::optional<Event> end_here();

  LineWindow window_;
  Place place_ = Place::Outside;
  std::uint64_t lines_left_ = 0;    // a run of lines outside of any warp is reported only once
  bool has_told_of_stray_ = false;  // once is enough for a run of lines without a place
};

}  // namespace heddle::trace
