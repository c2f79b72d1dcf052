// What byte_stream.cpp puts its compressions together from. Of this folder only.
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

/// A file that is read from its beginning to its end, a piece at a time.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// What has been read and not been taken; at least `least` bytes, unless the file ends before. Empty at its
  /// end.
  std::span<const char> peek(std::size_t least = 1);
  void take(std::size_t bytes);
  /// Takes up to `size` bytes; 0 at the end only.
  std::size_t read(char* to, std::size_t size);
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// An error at the byte that comes next.
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

/// A file that is written from its beginning to its end.
class OutputFile {
 public:
  explicit OutputFile(const SinkFile& file);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Over what has been written there before.
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// Throws InputError if not all bytes can be with the file. Whether they are on the disk already is left to
  /// whoever puts the file into its place.
  void close();

 private:
  std::string name_;
  int descriptor_ = -1;
};

/// Compressed bytes on their way to a file.
inline constexpr std::size_t kSinkPiece = 64 * 1024;

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<InputFile> file);
std::unique_ptr<ByteSource> xz_source(std::unique_ptr<InputFile> file);
std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<InputFile> file);

std::unique_ptr<ByteSink> gzip_sink(const SinkFile& file);
std::unique_ptr<ByteSink> xz_sink(const SinkFile& file);
std::unique_ptr<ByteSink> zstd_sink(const SinkFile& file);

}  // namespace heddle::trace
