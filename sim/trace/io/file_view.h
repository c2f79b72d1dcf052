// A file of which any part can be read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::trace {

class FileView {
 public:
  explicit FileView(const std::string& path);
  ~FileView();
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// As many bytes as are asked for, unless the file ends before.
  std::size_t read(std::uint64_t offset, std::span<char> to) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Goes through a part of a file. Numbers are little-endian, as x86 writes them.
class FileCursor {
 public:
  FileCursor(const FileView& file, std::uint64_t begin, std::uint64_t end)
      : file_(&file), offset_(begin), end_(end) {}

  /// Both throw InputError where the part ends too early; `what` says in which part of the file.
  std::uint32_t u32(const char* what);
  std::uint64_t u64(const char* what);
  void read(std::span<char> to, const char* what);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t left() const { return end_ - offset_; }

 private:
  void fill();

  const FileView* file_;
  std::uint64_t offset_;
  std::uint64_t end_;
  std::vector<char> bytes_;
  std::size_t at_ = 0;  // in `bytes_`, what comes next
};

}  // namespace heddle::trace
