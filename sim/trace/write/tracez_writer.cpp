#include <fmt/format.h>
#include <zstd.h>

#include <limits>
#include <new>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/trace/format/marks.h"
#include "sim/trace/format/trace_text.h"
#include "sim/trace/io/codecs.h"
#include "sim/trace/io/zstd_result.h"
#include "sim/trace/write/trace_writer.h"

namespace heddle::trace {

namespace {

constexpr int kLevel = 3;                                 // same as Accel-Sim
constexpr std::size_t kMostText = std::size_t{64} << 20;  // limit for a chunk that a spin loop makes long

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDictionary {
  void operator()(ZSTD_CDict* dictionary) const { ZSTD_freeCDict(dictionary); }
};

template <typename Number>
void append(std::string& bytes, Number number) {
  for (unsigned bit = 0; bit < 8 * sizeof number; bit += 8) bytes += static_cast<char>(number >> bit & 0xff);
}

class TracezWriter final : public TraceWriter {
 public:
  TracezWriter(TraceHeader header, const SinkFile& file, const TracezOptions& options)
      : header_(std::move(header)),
        form_(header_),
        name_(file.name),
        file_(file),
        lines_of_chunk_(options.lines_of_chunk == 0 ? std::numeric_limits<std::uint32_t>::max()
                                                    : options.lines_of_chunk),
        context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    if (!options.dictionary.empty()) {
      dictionary_.reset(ZSTD_createCDict(options.dictionary.data(), options.dictionary.size(), kLevel));
      if (dictionary_ == nullptr) throw InputError({name_, 0, 0}, "the dictionary is damaged");
    }
    std::string head = to_text(header_);
    head += '\0';
    append(head, static_cast<std::uint32_t>(options.dictionary.size()));
    append(head, options.lines_of_chunk);
    head.append(options.dictionary.begin(), options.dictionary.end());
    put(head);
  }

  void block(const TraceBlock& block) override {
    ++blocks_;
    warps_ = 0;
    for (const auto& triple : {block.id, block.cluster, block.place_in_cluster}) {
      for (const std::uint32_t number : triple) append(index_, number);
    }
    append(index_, block.rank_in_cluster);
    warps_of_block_.clear();
  }
  void warp(const TraceWarp& warp) override {
    close_warp();
    if (warp.index != warps_ || warp.instructions > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError({name_, 0, 0},
                       fmt::format("a .tracez container cannot hold warp {} here, of {} instructions",
                                   warp.index, warp.instructions));
    }
    ++warps_;
    is_in_warp_ = true;
    warp_begin_ = written_;
    instructions_ = warp.instructions;
    std::string record;
    append(record, static_cast<std::uint32_t>(warp.instructions));
    append(record, std::uint32_t{0});  // the number of chunks is filled in later
    put(record);
  }
  void line(const TraceLine& line) override {
    append_line(text_, line, form_);
    ++lines_;
    const Mark mark = mark_of(line.instruction->opcode);
    if (mark != Mark::None) is_in_region_ = mark == Mark::RegionBegin;
    if (lines_ >= lines_of_chunk_ && (!is_in_region_ || text_.size() > kMostText)) close_chunk();
  }
  void end_block() override {
    close_warp();
    append(index_, warps_);
    index_ += warps_of_block_;
  }
  void finish() override {
    std::string end;
    append(end, blocks_);
    end += index_;
    append(end, written_);
    file_.write(end);
    file_.close();
  }

 private:
  void put(std::string_view bytes) {
    file_.write(bytes);
    written_ += bytes.size();
  }

  void close_chunk() {
    if (lines_ == 0) return;
    text_.pop_back();  // the last line of a chunk has no newline
    frame_.resize(ZSTD_compressBound(text_.size()));
    const std::size_t size = checked(compress_chunk(), name_, "a chunk cannot be compressed");
    std::string head;
    append(head, static_cast<std::uint32_t>(size));
    put(head);
    put({frame_.data(), size});
    chunks_.push_back(lines_);
    lines_ = 0;
    text_.clear();
  }

  std::size_t compress_chunk() {
    if (dictionary_ == nullptr) {
      return ZSTD_compressCCtx(context_.get(), frame_.data(), frame_.size(), text_.data(), text_.size(),
                               kLevel);
    }
    return ZSTD_compress_usingCDict(context_.get(), frame_.data(), frame_.size(), text_.data(), text_.size(),
                                    dictionary_.get());
  }

  void close_warp() {
    if (!is_in_warp_) return;
    close_chunk();
    is_in_warp_ = is_in_region_ = false;
    const auto chunks = static_cast<std::uint32_t>(chunks_.size());
    append(warps_of_block_, static_cast<std::uint32_t>(instructions_));
    append(warps_of_block_, chunks);
    append(warps_of_block_, warp_begin_);
    for (const std::uint32_t lines : chunks_) append(warps_of_block_, lines);
    chunks_.clear();
    std::string count;
    append(count, chunks);
    file_.write_at(warp_begin_ + 4, count);
  }

  TraceHeader header_;
  LineForm form_;
  std::string name_;
  OutputFile file_;
  std::uint32_t lines_of_chunk_;
  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
  std::unique_ptr<ZSTD_CDict, FreeDictionary> dictionary_;
  std::uint64_t written_ = 0;
  std::string index_;           // without the number of blocks
  std::string warps_of_block_;  // their part of the index
  std::uint32_t blocks_ = 0;
  std::uint32_t warps_ = 0;
  std::uint64_t warp_begin_ = 0;
  std::uint64_t instructions_ = 0;
  std::vector<std::uint32_t> chunks_;  // lines of each chunk of the warp
  std::uint32_t lines_ = 0;            // lines of the chunk
  std::string text_;
  std::vector<char> frame_;
  bool is_in_warp_ = false;
  bool is_in_region_ = false;
};

}  // namespace

std::unique_ptr<TraceWriter> tracez_writer(TraceHeader header, const SinkFile& file,
                                           const TracezOptions& options) {
  return std::make_unique<TracezWriter>(std::move(header), file, options);
}

}  // namespace heddle::trace
