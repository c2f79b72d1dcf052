#include "sim/trace/read/text_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "isa/base/read_number.h"
#include "sim/trace/read/column_scan.h"
#include "sim/trace/read/trimmed.h"

namespace heddle::trace {

namespace {

constexpr std::string_view kBegin = "#BEGIN_TB";
constexpr std::string_view kEnd = "#END_TB";

/// Whether the text is a line of structure. Lines of instructions never begin in this way.
bool is_structure(std::string_view text) {
  switch (text.empty() ? ' ' : text.front()) {
    case '#':
      return true;
    case 'w':
      return text.starts_with("warp");
    case 't':
      return text.starts_with("thread block");
    case 'i':
      return text.starts_with("insts");
    default:
      return false;
  }
}

bool is_place(std::string_view text, std::string_view key) {
  return text.starts_with(key) && text.substr(key.size()).starts_with(" = ");
}

template <typename Number>
bool read_value(std::string_view text, std::string_view key, Number& number) {
  if (!is_place(text, key)) return false;
  return read_number(text.substr(key.size() + 3), number);
}

/// Reads "key = x,y,z".
bool read_triple(std::string_view text, std::string_view key, std::array<std::uint32_t, 3>& triple) {
  if (!is_place(text, key)) return false;
  text.remove_prefix(key.size() + 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t comma = i == 2 ? text.size() : std::min(text.find(','), text.size());
    if (!read_number(text.substr(0, comma), triple[i])) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

}  // namespace

TextReader::TextReader(std::string path, std::unique_ptr<ByteSource> source, MistakeSink sink)
    : CheckedReader(std::move(path), std::move(sink)), window_(std::move(source)) {
  end_head(read_head());
}

SourceLocation TextReader::where() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {path_, static_cast<std::uint32_t>(std::min(window_.number(), kMost)), 0};
}

std::string TextReader::place_note() const {
  const ByteSource& source = window_.source();
  if (source.compression() == Compression::None) return {};
  return fmt::format(" (up to byte {} of the compressed file)", source.file_offset());
}

// -- lines -------------------------------------------------------------------------------------------------

/// Moves to the next line. False at the end, and if the source breaks off. Lines that are too long or lack
/// their end are reported and skipped.
bool TextReader::next_line() {
  for (;;) {
    LineWindow::Found found = LineWindow::Found::End;
    try {
      found = window_.next();
    } catch (const InputError& error) {
      place_ = Place::Over;
      std::vector<Diagnostic> list = error.list();
      for (Diagnostic& diagnostic : list) diagnostic.where = where();
      mistake(InputError(std::move(list)));
      return false;
    }
    if (found == LineWindow::Found::Line) return true;
    if (found == LineWindow::Found::End) return false;
    pass_over(found == LineWindow::Found::TooLong);
  }
}

void TextReader::pass_over(bool is_long) {
  check().forgive_warp();
  check().forgive_block();
  if (is_long && lines_left_ != 0) --lines_left_;
  if (!is_long) place_ = Place::Over;  // the file is cut off: what else is missing is not reported
  mistake(is_long ? "the line is longer than 1 MiB" : "the file ends in the middle of a line");
}

bool TextReader::next_filled_line() {
  while (next_line()) {
    if (!trimmed(window_.text()).empty()) return true;
  }
  return false;
}

// -- head --------------------------------------------------------------------------------------------------

/// Reads the head. False if the file ends before the head does.
bool TextReader::read_head() {
  while (next_filled_line()) {
    const std::string_view text = trimmed(window_.text());
    if (text.front() == '#') {
      if (text != kBegin) {
        head_.set_format(text);
        return true;
      }
      head_mistake("the line '#traces format = ...' is missing: it ends the head");
      window_.again();
      return true;
    }
    std::string message =
        text.front() == '-' ? head_.add(text) : fmt::format("{} is no line of a trace's head", quoted(text));
    if (!message.empty()) head_mistake(std::move(message));
  }
  if (place_ != Place::Over) head_mistake("the file ends within the head of the trace");
  place_ = Place::Over;
  return false;
}

// -- body --------------------------------------------------------------------------------------------------

TraceReader::Event TextReader::next() {
  for (;;) {
    const std::optional<Event> event = lines_left_ != 0 ? line_step() : structure_step();
    if (event) return *event;
  }
}

std::optional<TraceReader::Event> TextReader::line_step() {
  if (!next_line()) return end_here();
  if (lines_left_ == 0) {  // the last lines could not be read
    window_.again();
    return {};
  }
  const std::string_view text = window_.text();
  if (is_structure(text)) return too_few_lines();
  if (trimmed(text).empty()) return {};
  --lines_left_;
  if (!is_skipping() && take_line(text)) return Event::Line;
  return {};
}

std::optional<TraceReader::Event> TextReader::too_few_lines() {
  check().forgive_warp();
  window_.again();
  const std::uint64_t found = warp_.instructions - std::exchange(lines_left_, 0);
  mistake(fmt::format("warp {} has only {} of the {} lines that 'insts' says", warp_.index, found,
                      warp_.instructions));
  return {};
}

std::optional<TraceReader::Event> TextReader::structure_step() {
  if (place_ == Place::Over) return Event::End;
  if (!next_filled_line()) return end_here();
  const std::string_view text = trimmed(window_.text());
  if (text == kBegin) return begin_block_here();
  if (text == kEnd) return end_block_here();
  if (text.starts_with("warp")) return begin_warp_here(text);
  if (text.starts_with("thread block") && place_ == Place::Outside) {
    mistake("#BEGIN_TB is missing before the block");
    window_.again();
    return begin_block_here();
  }
  return stray(text);
}

std::optional<TraceReader::Event> TextReader::begin_block_here() {
  if (place_ != Place::Outside) {
    window_.again();
    mistake("#END_TB is missing before the next block");
    return close_block();
  }
  place_ = Place::Block;
  block_ = TraceBlock{};
  if (!next_filled_line()) return end_here();
  if (!read_triple(trimmed(window_.text()), "thread block", block_.id)) {
    check().forgive_block();
    const std::string_view text = trimmed(window_.text());
    if (!text.starts_with("thread block")) window_.again();
    mistake(fmt::format("{} stands where 'thread block = x,y,z' should be", quoted(text)));
    return {};
  }
  begin_block();
  read_cluster();
  return Event::Block;
}

/// Reads up to three lines between that of the block and that of its first warp.
void TextReader::read_cluster() {
  while (next_filled_line()) {
    const std::string_view text = trimmed(window_.text());
    if (!text.starts_with("cluster")) return window_.again();
    block_.has_cluster = true;
    if (!read_triple(text, "cluster id", block_.cluster) &&
        !read_triple(text, "cluster cta", block_.place_in_cluster) &&
        !read_value(text, "cluster rank", block_.rank_in_cluster)) {
      mistake(
          fmt::format("{} stands where 'cluster id = x,y,z', 'cluster cta = x,y,z' or 'cluster rank = n' "
                      "should be",
                      quoted(text)));
    }
  }
}

std::optional<TraceReader::Event> TextReader::begin_warp_here(std::string_view text) {
  close_warp();
  if (place_ == Place::Outside) {
    mistake("#BEGIN_TB is missing before the warp");
    place_ = Place::Block;
    block_ = TraceBlock{};
    check().forgive_block();
  }
  if (!read_value(text, "warp", warp_.index)) return bad_warp("warp = n");
  if (!next_filled_line()) return end_here();
  if (!read_value(trimmed(window_.text()), "insts", warp_.instructions)) {
    // The line may be a valid one of another kind, unless it is a damaged "insts" line.
    if (!trimmed(window_.text()).starts_with("insts")) window_.again();
    return bad_warp("insts = n");
  }
  place_ = Place::Warp;
  lines_left_ = warp_.instructions;
  begin_warp();
  return Event::Warp;
}

std::optional<TraceReader::Event> TextReader::bad_warp(std::string_view expected) {
  check().forgive_block();
  has_told_of_stray_ = true;  // the lines that follow belong to no warp; they are not reported again
  mistake(fmt::format("{} stands where '{}' should be", quoted(trimmed(window_.text())), expected));
  return {};
}

void TextReader::close_warp() {
  has_told_of_stray_ = false;
  if (std::exchange(place_, place_ == Place::Warp ? Place::Block : place_) == Place::Warp) end_warp();
}

std::optional<TraceReader::Event> TextReader::end_block_here() {
  if (place_ == Place::Outside) {
    mistake("#END_TB stands outside of a block");
    return {};
  }
  return close_block();
}

std::optional<TraceReader::Event> TextReader::close_block() {
  close_warp();
  place_ = Place::Outside;
  end_block();
  return Event::EndBlock;
}

std::optional<TraceReader::Event> TextReader::stray(std::string_view text) {
  if (std::exchange(has_told_of_stray_, true)) return {};
  check().forgive_warp();
  if (place_ == Place::Warp) {
    mistake(
        fmt::format("warp {} has more lines than the {} that 'insts' says", warp_.index, warp_.instructions));
  } else {
    mistake(fmt::format("{} has no place here; '{}' may stand here", quoted(text),
                        place_ == Place::Block ? "warp = n" : kBegin));
  }
  return {};
}

std::optional<TraceReader::Event> TextReader::end_here() {
  lines_left_ = 0;
  const Place place = std::exchange(place_, Place::Over);
  if (place == Place::Over) return Event::End;  // the reason was reported before
  if (place != Place::Outside) {
    mistake("the file ends within a block: #END_TB is missing");
  } else {
    end();
  }
  return Event::End;
}

}  // namespace heddle::trace
