#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "sim/trace/io/codecs.h"

namespace heddle::trace {

namespace {

constexpr int kGzipWrapper = 16;  // added to the window's bits; then zlib reads and writes gzip's header

Bytef* bytes_of(const char* data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data)); }

uInt limited(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipWrapper) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    stream_.next_out = bytes_of(to);
    stream_.avail_out = limited(size);
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && step()) {
    }
    return room - stream_.avail_out;
  }
  [[nodiscard]] std::uint64_t file_offset() const override { return file_->taken(); }
  [[nodiscard]] Compression compression() const override { return Compression::Gzip; }

 private:
  /// False at the end of the file.
  bool step() {
    const std::span<const char> input = file_->peek();
    if (input.empty()) {
      if (is_inside_) throw file_->error("the gzip stream ends too early");
      return false;
    }
    stream_.next_in = bytes_of(input.data());
    stream_.avail_in = limited(input.size());
    is_inside_ = true;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    file_->take(input.size() - stream_.avail_in);
    if (result == Z_STREAM_END) {  // another gzip member may follow
      is_inside_ = false;
      inflateReset(&stream_);
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      const char* reason = stream_.msg != nullptr ? stream_.msg : "it is not gzip";
      throw file_->error(fmt::format("the gzip stream is damaged: {}", reason));
    }
    return true;
  }

  std::unique_ptr<InputFile> file_;
  z_stream stream_{};
  bool is_inside_ = true;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(const SinkFile& file) : file_(file) {
    constexpr int kMemoryLevel = 8;  // zlib's default
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipWrapper, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      stream_.next_in = bytes_of(bytes.data());
      stream_.avail_in = limited(bytes.size());
      const uInt given = stream_.avail_in;
      step(Z_NO_FLUSH);
      bytes.remove_prefix(given - stream_.avail_in);
    }
  }
  void finish() override {
    stream_.avail_in = 0;
    while (step(Z_FINISH) != Z_STREAM_END) {
    }
    file_.close();
  }

 private:
  int step(int flush) {
    stream_.next_out = bytes_of(piece_.data());
    stream_.avail_out = limited(piece_.size());
    const int result = deflate(&stream_, flush);
    file_.write({piece_.data(), piece_.size() - stream_.avail_out});
    return result;
  }

  OutputFile file_;
  z_stream stream_{};
  std::array<char, kSinkPiece> piece_;
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<InputFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

std::unique_ptr<ByteSink> gzip_sink(const SinkFile& file) { return std::make_unique<GzipSink>(file); }

}  // namespace heddle::trace
