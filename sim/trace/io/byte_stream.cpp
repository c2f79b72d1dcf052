#include "sim/trace/io/byte_stream.h"

#include <fmt/format.h>

#include "sim/trace/io/codecs.h"

namespace heddle::trace {

namespace {

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}

  std::size_t read(char* to, std::size_t size) override { return file_->read(to, size); }
  [[nodiscard]] std::uint64_t file_offset() const override { return file_->taken(); }
  [[nodiscard]] Compression compression() const override { return Compression::None; }

 private:
  std::unique_ptr<InputFile> file_;
};

class PlainSink final : public ByteSink {
 public:
  explicit PlainSink(const SinkFile& file) : file_(file) {}

  void write(std::string_view bytes) override {
    if (waiting_.size() + bytes.size() > kSinkPiece) flush();
    if (bytes.size() > kSinkPiece) {
      file_.write(bytes);
    } else {
      waiting_ += bytes;
    }
  }
  void finish() override {
    flush();
    file_.close();
  }

 private:
  void flush() {
    file_.write(waiting_);
    waiting_.clear();
  }

  OutputFile file_;
  std::string waiting_;
};

bool begins_with(std::span<const char> bytes, std::string_view magic) {
  return std::string_view(bytes.data(), bytes.size()).starts_with(magic);
}

// The magic numbers of RFC 1952 (gzip), the .xz file format 1.2.1, and RFC 8878 (zstd) with its skippable
// frames.
Compression compression_by_content(std::span<const char> bytes) {
  if (begins_with(bytes, "\x1f\x8b")) return Compression::Gzip;
  if (begins_with(bytes, std::string_view("\xfd\x37zXZ\0", 6))) return Compression::Xz;
  if (begins_with(bytes, "\x28\xb5\x2f\xfd")) return Compression::Zstd;
  const bool is_skippable =
      bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 && begins_with(bytes.subspan(1), "\x2a\x4d\x18");
  return is_skippable ? Compression::Zstd : Compression::None;
}

/// Without this check, a file with the name of another compression would be read as text, with one mistake
/// per line.
void refuse_if_named_compressed(const std::string& path, std::span<const char> bytes) {
  const Compression named = compression_of(path);
  if (named == Compression::None) return;
  throw InputError(
      {path, 0, 0},
      fmt::format("the name ends in {}, so the file must be {} data, but it is {}", ending_of(named),
                  format_of(named), bytes.empty() ? "empty" : "compressed by none of gzip, xz and zstd"));
}

}  // namespace

Compression compression_of(std::string_view path) {
  for (const Compression compression : {Compression::Gzip, Compression::Xz, Compression::Zstd}) {
    if (path.ends_with(ending_of(compression))) return compression;
  }
  return Compression::None;
}

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  auto file = std::make_unique<InputFile>(path);
  constexpr std::size_t kLongestMagic = 6;
  const std::span<const char> begin = file->peek(kLongestMagic);
  switch (compression_by_content(begin)) {
    case Compression::Gzip:
      return gzip_source(std::move(file));
    case Compression::Xz:
      return xz_source(std::move(file));
    case Compression::Zstd:
      return zstd_source(std::move(file));
    case Compression::None:
      refuse_if_named_compressed(path, begin);
      break;
  }
  return std::make_unique<PlainSource>(std::move(file));
}

std::unique_ptr<ByteSink> open_sink(const SinkFile& file, Compression compression) {
  switch (compression) {
    case Compression::Gzip:
      return gzip_sink(file);
    case Compression::Xz:
      return xz_sink(file);
    case Compression::Zstd:
      return zstd_sink(file);
    case Compression::None:
      break;
  }
  return std::make_unique<PlainSink>(file);
}

}  // namespace heddle::trace
