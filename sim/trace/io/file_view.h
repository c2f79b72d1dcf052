// A file with random access.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::trace {

/// A file of which any part can be read.
class FileView {
 public:
  explicit FileView(const std::string& path);
  ~FileView();
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Reads as many bytes as `to` holds, unless the file ends before. Returns how many.
  std::size_t read(std::uint64_t offset, std::span<char> to) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Reads a part of a file from its beginning to its end. Numbers are little-endian.
class FileCursor {
 public:
  FileCursor(const FileView& file, std::uint64_t begin, std::uint64_t end)
      : file_(&file), offset_(begin), end_(end) {}

  /// These three throw InputError if the part ends too early; `what` names the part of the file for the
  /// message.
  std::uint32_t u32(const char* what);
  std::uint64_t u64(const char* what);
  void read(std::span<char> to, const char* what);

  /// Passes over what is before this offset, which lies ahead and within the part.
  void move_to(std::uint64_t offset);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t left() const { return end_ - offset_; }

 private:
  void fill();

  const FileView* file_;
  std::uint64_t offset_;
  std::uint64_t end_;
  std::vector<char> bytes_;
  std::size_t at_ = 0;  // next byte in `bytes_`
};

}  // namespace heddle::trace
