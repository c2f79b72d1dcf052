// Files as streams of bytes, compressed or not. Reading and writing never hold more than a window of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::trace {

enum class Compression : std::uint8_t { None, Gzip, Xz, Zstd };

/// By the end of its name: .gz, .xz, .zst, or none.
Compression compression_of(std::string_view path);

constexpr std::string_view format_of(Compression compression) {
  switch (compression) {
    case Compression::Gzip:
      return "gzip";
    case Compression::Xz:
      return "xz";
    case Compression::Zstd:
      return "zstd";
    case Compression::None:
      break;
  }
  return "no";
}

constexpr std::string_view ending_of(Compression compression) {
  switch (compression) {
    case Compression::Gzip:
      return ".gz";
    case Compression::Xz:
      return ".xz";
    case Compression::Zstd:
      return ".zst";
    case Compression::None:
      break;
  }
  return "";
}

/// A file to be written, and what messages call it: a file that is not in its place yet goes by the name of
/// that.
struct SinkFile {
  std::string path;
  std::string name;

  SinkFile(const std::string& where) : path(where), name(where) {}
  SinkFile(std::string where, std::string called) : path(std::move(where)), name(std::move(called)) {}
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` bytes; 0 at the end only. Throws InputError, with the place in the file, where a compressed
  /// stream is damaged or ends too early.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// How many bytes of the file itself have been taken.
  [[nodiscard]] virtual std::uint64_t file_offset() const = 0;
  [[nodiscard]] virtual Compression compression() const = 0;
};

/// Finds the compression by the first bytes, whichever the name says. Throws InputError if the file cannot be
/// read, or is not compressed though its name says so.
std::unique_ptr<ByteSource> open_source(const std::string& path);

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream: all bytes are with the file. Throws std::runtime_error if they cannot be (disk full).
  virtual void finish() = 0;
};

/// Writes to a new file, as it is: whoever wants it whole or not at all renames it afterwards.
std::unique_ptr<ByteSink> open_sink(const SinkFile& file, Compression compression);

}  // namespace heddle::trace
