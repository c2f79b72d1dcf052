// A temporary file that is gone when the program is, however it ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::trace {

/// In a folder with room for it, or in that for temporary files. Made when it is first needed. Everything
/// throws InputError, which names the folder, where it cannot be.
class NamelessFile {
 public:
  explicit NamelessFile(std::string folder = {}) : folder_(std::move(folder)) {}
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Makes it now, so that nobody works in vain.
  void open();
  /// Writes behind what there is and returns where.
  std::uint64_t append(std::string_view bytes);
  void read(std::uint64_t offset, char* to, std::size_t size) const;
  /// Nobody will read what there is.
  void forget();

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::string folder_;  // until the file is made, empty for that of temporary files
  int file_ = -1;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::trace
