#include <fmt/format.h>
#include <lzma.h>

#include <new>

#include "sim/trace/io/codecs.h"

namespace heddle::trace {

namespace {

constexpr std::uint64_t kMostMemory = 128 << 20;  // xz -9 needs 65 MiB
constexpr std::uint32_t kPreset = 6;              // xz's default

const std::uint8_t* bytes_of(const char* data) { return reinterpret_cast<const std::uint8_t*>(data); }
std::uint8_t* bytes_of(char* data) { return reinterpret_cast<std::uint8_t*>(data); }

/// liblzma's state, freed by the destructor.
struct Stream {
  Stream() = default;
  ~Stream() { lzma_end(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  lzma_stream state = LZMA_STREAM_INIT;
};

std::string_view reason_of(lzma_ret result) {
  switch (result) {
    case LZMA_MEMLIMIT_ERROR:
      return "its dictionary is larger than 128 MiB";
    case LZMA_FORMAT_ERROR:
      return "it is not xz";
    case LZMA_OPTIONS_ERROR:
      return "it has options that are not known";
    default:
      return "data do not fit their checks";
  }
}

class XzSource final : public ByteSource {
 public:
  explicit XzSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {
    if (lzma_stream_decoder(&stream_.state, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }

  std::size_t read(char* to, std::size_t size) override {
    stream_.state.next_out = bytes_of(to);
    stream_.state.avail_out = size;
    while (stream_.state.avail_out == size && !is_over_) step();
    return size - stream_.state.avail_out;
  }
  [[nodiscard]] std::uint64_t file_offset() const override { return file_->taken(); }
  [[nodiscard]] Compression compression() const override { return Compression::Xz; }

 private:
  void step() {
    const std::span<const char> input = file_->peek();
    stream_.state.next_in = bytes_of(input.data());
    stream_.state.avail_in = input.size();
    const lzma_ret result = lzma_code(&stream_.state, input.empty() ? LZMA_FINISH : LZMA_RUN);
    file_->take(input.size() - stream_.state.avail_in);
    if (result == LZMA_STREAM_END) {
      is_over_ = true;
    } else if (result == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result == LZMA_BUF_ERROR) {
      if (input.empty()) throw file_->error("the xz stream ends too early");
    } else if (result != LZMA_OK) {
      throw file_->error(fmt::format("the xz stream is damaged: {}", reason_of(result)));
    }
  }

  std::unique_ptr<InputFile> file_;
  Stream stream_;
  bool is_over_ = false;
};

class XzSink final : public ByteSink {
 public:
  explicit XzSink(const SinkFile& file) : file_(file) {
    if (lzma_easy_encoder(&stream_.state, kPreset, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }

  void write(std::string_view bytes) override {
    stream_.state.next_in = bytes_of(bytes.data());
    stream_.state.avail_in = bytes.size();
    while (stream_.state.avail_in != 0) step(LZMA_RUN);
  }
  void finish() override {
    while (step(LZMA_FINISH) != LZMA_STREAM_END) {
    }
    file_.close();
  }

 private:
  lzma_ret step(lzma_action action) {
    stream_.state.next_out = bytes_of(piece_.data());
    stream_.state.avail_out = piece_.size();
    const lzma_ret result = lzma_code(&stream_.state, action);
    if (result != LZMA_OK && result != LZMA_STREAM_END) throw std::bad_alloc();
    file_.write({piece_.data(), piece_.size() - stream_.state.avail_out});
    return result;
  }

  OutputFile file_;
  Stream stream_;
  std::array<char, kSinkPiece> piece_;
};

}  // namespace

std::unique_ptr<ByteSource> xz_source(std::unique_ptr<InputFile> file) {
  return std::make_unique<XzSource>(std::move(file));
}

std::unique_ptr<ByteSink> xz_sink(const SinkFile& file) { return std::make_unique<XzSink>(file); }

}  // namespace heddle::trace
