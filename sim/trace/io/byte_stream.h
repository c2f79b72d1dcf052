// Files as streams of bytes, compressed or not. Reading and writing hold only a small part of a file in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::trace {

/// The compression of a file.
enum class Compression : std::uint8_t { None, Gzip, Xz, Zstd };

/// Determined by the ending of the name: .gz, .xz, .zst, or none.
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

/// A file to write, and its name in messages. The two differ if the file is written under a temporary name
/// first.
struct SinkFile {
  std::string path;
  std::string name;

  SinkFile(const std::string& where) : path(where), name(where) {}
  SinkFile(std::string where, std::string called) : path(std::move(where)), name(std::move(called)) {}
};

/// A file that is read from beginning to end, and decompressed on the way.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `size` bytes; returns 0 only at the end. Throws InputError, with the position in the file,
  /// if a compressed stream is damaged or ends too early.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// How many bytes of the file itself have been read.
  [[nodiscard]] virtual std::uint64_t file_offset() const = 0;
  [[nodiscard]] virtual Compression compression() const = 0;
};

/// The compression is recognized by the first bytes, not by the name. Throws InputError if the file cannot be
/// read, or if it is not compressed though its name says so.
std::unique_ptr<ByteSource> open_source(const std::string& path);

/// A file that is written from beginning to end, and compressed on the way.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream and writes all bytes to the file. Throws std::runtime_error if that fails (disk full).
  virtual void finish() = 0;
};

/// Writes directly to a new file. A caller that needs a whole file or none must write to a temporary name and
/// rename it.
std::unique_ptr<ByteSink> open_sink(const SinkFile& file, Compression compression);

}  // namespace heddle::trace
