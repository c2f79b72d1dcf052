#include <fmt/format.h>
#include <zstd.h>

#include <new>

#include "sim/trace/io/codecs.h"
#include "sim/trace/io/zstd_result.h"

namespace heddle::trace {

namespace {

struct FreeDecoder {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
struct FreeEncoder {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// Decompresses zstd. The library refuses windows above 128 MiB by default.
class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<InputFile> file) : file_(std::move(file)), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer output{to, size, 0};
    while (output.pos == 0 && step(output)) {
    }
    return output.pos;
  }
  [[nodiscard]] std::uint64_t file_offset() const override { return file_->taken(); }
  [[nodiscard]] Compression compression() const override { return Compression::Zstd; }

 private:
  /// False at the end of the file.
  bool step(ZSTD_outBuffer& output) {
    const std::span<const char> bytes = file_->peek();
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    if (bytes.empty() && !is_inside_) return false;
    const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    file_->take(input.pos);
    is_inside_ = checked(result, [this](std::string_view reason) {
                   return file_->error(fmt::format("the zstd stream is damaged: {}", reason));
                 }) != 0;
    // Decoded bytes may still have been waiting for room. If there were none, the stream lacks its end.
    if (bytes.empty() && is_inside_ && output.pos == 0) throw file_->error("the zstd stream ends too early");
    return true;
  }

  std::unique_ptr<InputFile> file_;
  std::unique_ptr<ZSTD_DCtx, FreeDecoder> context_;
  bool is_inside_ = true;
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(const SinkFile& file) : name_(file.name), file_(file), context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1), name_, kFailed);
  }

  void write(std::string_view bytes) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos != input.size) step(input, ZSTD_e_continue);
  }
  void finish() override {
    ZSTD_inBuffer input{nullptr, 0, 0};
    while (step(input, ZSTD_e_end) != 0) {
    }
    file_.close();
  }

 private:
  std::size_t step(ZSTD_inBuffer& input, ZSTD_EndDirective directive) {
    ZSTD_outBuffer output{piece_.data(), piece_.size(), 0};
    const std::size_t result =
        checked(ZSTD_compressStream2(context_.get(), &output, &input, directive), name_, kFailed);
    file_.write({piece_.data(), output.pos});
    return result;
  }

  static constexpr std::string_view kFailed = "the file cannot be compressed";

  std::string name_;
  OutputFile file_;
  std::unique_ptr<ZSTD_CCtx, FreeEncoder> context_;
  std::array<char, kSinkPiece> piece_;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<InputFile> file) {
  return std::make_unique<ZstdSource>(std::move(file));
}

std::unique_ptr<ByteSink> zstd_sink(const SinkFile& file) { return std::make_unique<ZstdSink>(file); }

}  // namespace heddle::trace
