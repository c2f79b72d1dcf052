#include "sim/trace/read/tracez_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::trace {

namespace {

constexpr std::size_t kMostHead = 32 << 20;
constexpr std::uint32_t kMostDictionary = 16 << 20;
constexpr std::uint64_t kPlaceBytes = 8;  // at the end of the file: the position of the index
constexpr std::uint64_t kLeastIndex = 4;  // an index has at least the number of blocks
constexpr std::uint32_t kFirstWithClusters = 90;

/// The text up to the first 0 byte. Nothing if there is none.
std::optional<std::string> text_of_head(const FileView& file) {
  std::string text;
  constexpr std::size_t kPiece = 64 * 1024;
  for (std::vector<char> piece(kPiece); text.size() < kMostHead;) {
    const std::size_t got = file.read(text.size(), piece);
    const auto end = std::find(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got), '\0');
    text.append(piece.begin(), end);
    if (end != piece.begin() + static_cast<std::ptrdiff_t>(got)) return text;
    if (got < kPiece) break;
  }
  return {};
}

class NoBytes final : public ByteSource {
 public:
  std::size_t read(char* /*to*/, std::size_t /*size*/) override { return 0; }
  [[nodiscard]] std::uint64_t file_offset() const override { return 0; }
  [[nodiscard]] Compression compression() const override { return Compression::None; }
};

}  // namespace

TracezReader::TracezReader(const std::string& path, MistakeSink sink)
    : CheckedReader(path, std::move(sink)),
      file_(path),
      index_(file_, 0, 0),
      data_(file_, 0, 0),
      window_(std::make_unique<NoBytes>()) {
  try {
    FileCursor cursor(file_, read_head(), file_.size());
    read_dictionary(cursor);
    data_ = cursor;
    read_places();
    end_head(true);
  } catch (const InputError& error) {
    is_over_ = true;
    mistake(error);
  }
}

InputError TracezReader::broken(std::string message) const { return {where(), std::move(message)}; }

std::string TracezReader::place_note() const {
  if (!is_in_block_) return {};
  std::string note = fmt::format(" (block {},{},{}", block_.id[0], block_.id[1], block_.id[2]);
  if (is_in_warp_) note += fmt::format(", warp {}", warp_.index);
  if (is_in_chunk_)
    note += fmt::format(", instruction {}, up to byte {} of the file", number_, data_.offset());
  return note + ")";
}

// -- head --------------------------------------------------------------------------------------------------

/// Reads the head and returns where its text ends.
std::uint64_t TracezReader::read_head() {
  const std::optional<std::string> text = text_of_head(file_);
  if (!text) throw broken("this is no .tracez container: no byte 0 ends its head");
  bool has_format = false;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with('-')) {
      std::string message = head_.add(line);
      if (!message.empty()) head_mistake(std::move(message));
    } else if (line.starts_with('#')) {
      if (!std::exchange(has_format, true)) head_.set_format(line);
    } else if (line.find_first_not_of(' ') != std::string_view::npos) {
      head_mistake(fmt::format("{} is no line of a trace's head", quoted(line)));
    }
  }
  return text->size() + 1;
}

void TracezReader::read_dictionary(FileCursor& cursor) {
  const std::uint32_t size = cursor.u32("the head of the container");
  cursor.u32("the head of the container");  // lines per chunk; not needed
  if (size > kMostDictionary)
    throw broken(fmt::format("the dictionary has {} bytes, more than 16 MiB", size));
  std::vector<char> dictionary(std::min<std::uint64_t>(size, cursor.left()));
  if (dictionary.size() != size) throw broken("the dictionary ends too early");
  cursor.read(dictionary, "the dictionary");
  decoder_.emplace(path_, dictionary);
}

void TracezReader::read_places() {
  if (data_.left() < kLeastIndex + kPlaceBytes) throw broken("the container ends before its index");
  const std::uint64_t index_end = file_.size() - kPlaceBytes;
  const std::uint64_t place = FileCursor(file_, index_end, file_.size()).u64("the place of the index");
  if (place < data_.offset() || place > index_end - kLeastIndex) {
    throw broken(fmt::format("the index cannot be at byte {} of {}", place, file_.size()));
  }
  data_ = FileCursor(file_, data_.offset(), place);
  index_ = FileCursor(file_, place, index_end);
  blocks_left_ = index_.u32("the index");
}

std::uint64_t TracezReader::instructions_in_index() const {
  constexpr unsigned kPlaceOfBlock = 10;  // numbers before that of its warps
  FileCursor index = index_;
  std::uint64_t sum = 0;
  for (std::uint32_t block = 0; block < blocks_left_; ++block) {
    for (unsigned i = 0; i < kPlaceOfBlock; ++i) index.u32("the index");
    for (std::uint32_t warps = index.u32("the index"); warps != 0; --warps) {
      sum += index.u32("the index");
      const std::uint32_t chunks = index.u32("the index");
      index.u64("the index");
      for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) index.u32("the index");
    }
  }
  return sum;
}

// -- body --------------------------------------------------------------------------------------------------

TraceReader::Event TracezReader::next() {
  if (is_over_) return Event::End;
  try {
    return next_or_throw();
  } catch (const InputError& error) {  // the container is damaged, and what follows cannot be trusted
    is_over_ = true;
    mistake(error);
    return Event::End;
  }
}

TraceReader::Event TracezReader::next_or_throw() {
  for (;;) {
    if (is_in_chunk_) {
      if (const std::optional<Event> event = chunk_step()) return *event;
    } else if (chunks_left_ != 0) {
      begin_chunk();
      is_skipping() ? close_chunk() : open_chunk();
    } else {
      if (std::exchange(is_in_warp_, false)) end_warp();
      if (warps_left_ != 0) return open_warp();
      if (is_in_block_) return close_block();
      return blocks_left_ != 0 ? open_block() : close();
    }
  }
}

TraceReader::Event TracezReader::open_block() {
  --blocks_left_;
  const auto triple = [&] {
    std::array<std::uint32_t, 3> numbers{};
    for (std::uint32_t& number : numbers) number = index_.u32("the index");
    return numbers;
  };
  block_.id = triple();
  block_.cluster = triple();
  block_.place_in_cluster = triple();
  block_.rank_in_cluster = index_.u32("the index");
  // for older GPUs the cluster fields are zeros
  block_.has_cluster = header().binary_version >= kFirstWithClusters;
  warps_left_ = index_.u32("the index");
  next_warp_ = 0;
  is_in_block_ = true;
  begin_block();
  return Event::Block;
}

TraceReader::Event TracezReader::open_warp() {
  --warps_left_;
  warp_.index = next_warp_++;
  is_in_warp_ = true;
  const std::uint32_t lines = index_.u32("the index");
  chunks_left_ = index_.u32("the index");
  const std::uint64_t place = index_.u64("the index");
  if (place != data_.offset()) {
    throw broken(fmt::format("warp {} is to begin at byte {}, but what is before it ends at {}{}",
                             warp_.index, place, data_.offset(), place_note()));
  }
  const std::uint32_t lines_again = data_.u32("a warp");
  const std::uint32_t chunks_again = data_.u32("a warp");
  if (lines != lines_again || chunks_left_ != chunks_again) {
    throw broken(fmt::format("the index says {} instructions in {} chunks, the warp at byte {} {} in {}{}",
                             lines, chunks_left_, place, lines_again, chunks_again, place_note()));
  }
  warp_.instructions = lines_left_ = lines;
  number_ = 0;
  require_lines();
  begin_warp();
  return Event::Warp;
}

void TracezReader::require_lines() const {
  if (chunks_left_ != 0 || lines_left_ == 0) return;
  throw broken(fmt::format("the chunks of warp {} have {} fewer instructions than the warp{}", warp_.index,
                           lines_left_, place_note()));
}

/// Finds out where the chunk ends.
void TracezReader::begin_chunk() {
  --chunks_left_;
  lines_of_chunk_ = index_.u32("the index");
  if (lines_of_chunk_ > lines_left_) {
    throw broken(fmt::format("the chunks of warp {} have more instructions than the warp{}", warp_.index,
                             place_note()));
  }
  lines_left_ -= lines_of_chunk_;
  first_of_chunk_ = number_;
  require_lines();
  const std::uint32_t size = data_.u32("a chunk");
  if (size > data_.left())
    throw broken(fmt::format("a chunk of {} bytes reaches beyond the warps{}", size, place_note()));
  chunk_end_ = data_.offset() + size;
  is_in_chunk_ = true;
}

void TracezReader::open_chunk() {
  try {
    window_.restart(decoder_->open(data_, static_cast<std::uint32_t>(chunk_end_ - data_.offset())));
  } catch (const InputError& error) {
    damaged_chunk(error);
  }
}

std::optional<TraceReader::Event> TracezReader::chunk_step() {
  LineWindow::Found found = LineWindow::Found::End;
  try {
    found = window_.next();
  } catch (const InputError& error) {
    damaged_chunk(error);
    return {};
  }
  if (found == LineWindow::Found::End || window_.number() > lines_of_chunk_) {
    if (window_.number() != lines_of_chunk_) wrong_count(found == LineWindow::Found::End);
    close_chunk();
    return {};
  }
  number_ = first_of_chunk_ + window_.number() - 1;
  if (found == LineWindow::Found::TooLong) {
    check().forgive_warp();
    mistake("the line is longer than 1 MiB");
    return {};
  }
  if (take_line(window_.text())) return Event::Line;
  return {};
}

void TracezReader::wrong_count(bool is_fewer) {
  check().forgive_warp();
  mistake(fmt::format("the chunk has {} than the {} lines that the index says", is_fewer ? "fewer" : "more",
                      lines_of_chunk_));
}

void TracezReader::damaged_chunk(const InputError& error) {
  check().forgive_warp();
  mistake(error);
  close_chunk();
}

/// Moves to the end of the chunk, even if it was not read to its end.
void TracezReader::close_chunk() {
  data_.move_to(chunk_end_);
  number_ = first_of_chunk_ + lines_of_chunk_;
  is_in_chunk_ = false;
}

TraceReader::Event TracezReader::close_block() {
  end_block();
  is_in_block_ = false;
  return Event::EndBlock;
}

TraceReader::Event TracezReader::close() {
  is_over_ = true;
  if (index_.left() != 0) {
    mistake(fmt::format("{} bytes follow the last block of the index", index_.left()));
  } else if (data_.left() != 0) {
    mistake(fmt::format("{} bytes between the last warp and the index belong to no block", data_.left()));
  }
  end();
  return Event::End;
}

}  // namespace heddle::trace
