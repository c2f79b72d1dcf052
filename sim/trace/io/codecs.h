// The parts that byte_stream.cpp combines. Only this folder includes this file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "sim/trace/io/byte_stream.h"

namespace heddle::trace {

/// A file that is read from beginning to end, piece by piece.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The bytes that have been read from the file but not taken yet: at least `least`, unless the file ends
  /// before. Empty at the end of the file.
  std::span<const char> peek(std::size_t least = 1);
  void take(std::size_t bytes);
  /// Takes up to `size` bytes; returns 0 only at the end.
  std::size_t read(char* to, std::size_t size);
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// An error at the next byte.
  [[nodiscard]] InputError error(std::string_view message) const;

 private:
  void fill();
  std::size_t read_file(char* to, std::size_t size);

  static constexpr std::size_t kPiece = 64 * 1024;

  std::string path_;
  int descriptor_ = -1;
  std::array<char, kPiece> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_over_ = false;
  std::uint64_t taken_ = 0;
};

/// A file that is written from beginning to end.
class OutputFile {
 public:
  explicit OutputFile(const SinkFile& file);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Overwrites bytes that were written before.
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// Throws InputError if not all bytes could be written to the file. They may not be on the disk yet; the
  /// code that moves the file to its final name takes care of that.
  void close();

 private:
  std::string name_;
  int descriptor_ = -1;
};

/// Compressed bytes that are buffered before they are written to a file.
inline constexpr std::size_t kSinkPiece = 64 * 1024;

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<InputFile> file);
std::unique_ptr<ByteSource> xz_source(std::unique_ptr<InputFile> file);
std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<InputFile> file);

std::unique_ptr<ByteSink> gzip_sink(const SinkFile& file);
std::unique_ptr<ByteSink> xz_sink(const SinkFile& file);
std::unique_ptr<ByteSink> zstd_sink(const SinkFile& file);

}  // namespace heddle::trace
