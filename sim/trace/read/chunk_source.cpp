#include "sim/trace/read/chunk_source.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <vector>

#include "sim/trace/io/zstd_result.h"

namespace heddle::trace {

namespace {

constexpr std::size_t kPiece = 64 * 1024;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
struct FreeDictionary {
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};

}  // namespace

struct ChunkDecoder::State {
  std::string path;
  std::unique_ptr<ZSTD_DDict, FreeDictionary> dictionary;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context{ZSTD_createDCtx()};
};

namespace {

class ChunkSource final : public ByteSource {
 public:
  ChunkSource(ZSTD_DCtx& context, std::string path, FileCursor& cursor, std::uint32_t bytes)
      : context_(context), path_(std::move(path)), cursor_(cursor), begin_(cursor.offset()), left_(bytes) {
    fill();
    const unsigned long long size = ZSTD_getFrameContentSize(input_.data(), input_.size());
    if (size == ZSTD_CONTENTSIZE_ERROR) throw error("is no zstd frame");
    if (size == ZSTD_CONTENTSIZE_UNKNOWN) throw error("does not say how large it is");
  }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer output{to, size, 0};
    while (output.pos == 0 && !is_over_) step(output);
    return output.pos;
  }
  [[nodiscard]] std::uint64_t file_offset() const override { return cursor_.offset(); }
  [[nodiscard]] Compression compression() const override { return Compression::Zstd; }

 private:
  void fill() {
    input_.resize(std::min<std::size_t>(kPiece, left_));
    cursor_.read(input_, "the chunk");
    left_ -= static_cast<std::uint32_t>(input_.size());
    at_ = 0;
  }
  void step(ZSTD_outBuffer& output) {
    if (at_ == input_.size()) fill();
    ZSTD_inBuffer input{input_.data(), input_.size(), at_};
    const std::size_t result = ZSTD_decompressStream(&context_, &output, &input);
    const bool is_stuck = input.pos == at_ && output.pos == 0;
    at_ = input.pos;
    is_over_ = checked(result, [this](std::string_view reason) {
                 return error(fmt::format("is damaged: {}", reason));
               }) == 0;
    if (is_over_ && (at_ != input_.size() || left_ != 0)) throw error("has more than one zstd frame");
    if (!is_over_ && is_stuck && left_ == 0) throw error("ends too early");
  }
  [[nodiscard]] InputError error(std::string_view what) const {
    return {{path_, 0, 0}, fmt::format("the chunk at byte {} of the file {}", begin_, what)};
  }

  ZSTD_DCtx& context_;
  std::string path_;
  FileCursor& cursor_;
  std::uint64_t begin_;
  std::uint32_t left_;  // bytes of the chunk that are still in the file
  std::vector<char> input_;
  std::size_t at_ = 0;
  bool is_over_ = false;
};

}  // namespace

ChunkDecoder::ChunkDecoder(const std::string& path, std::span<const char> dictionary)
    : state_(std::make_unique<State>()) {
  if (state_->context == nullptr) throw std::bad_alloc();
  state_->path = path;
  if (dictionary.empty()) return;
  state_->dictionary.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
  if (state_->dictionary == nullptr) throw InputError({path, 0, 0}, "the dictionary is damaged");
}

ChunkDecoder::~ChunkDecoder() = default;

std::unique_ptr<ByteSource> ChunkDecoder::open(FileCursor& cursor, std::uint32_t bytes) {
  constexpr std::string_view kFailed = "no chunk can be decompressed";
  checked(ZSTD_DCtx_reset(state_->context.get(), ZSTD_reset_session_only), state_->path, kFailed);
  checked(ZSTD_DCtx_refDDict(state_->context.get(), state_->dictionary.get()), state_->path, kFailed);
  return std::make_unique<ChunkSource>(*state_->context, state_->path, cursor, bytes);
}

}  // namespace heddle::trace
