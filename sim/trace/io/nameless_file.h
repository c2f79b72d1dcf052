// A temporary file that disappears with the program, however it ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::trace {

/// An unnamed file in a given folder, or in the folder for temporary files. It is created when it is first
/// needed. All functions throw InputError, which names the folder, if they fail.
class NamelessFile {
 public:
  explicit NamelessFile(std::string folder = {}) : folder_(std::move(folder)) {}
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Creates the file now, so that a failure shows before other work is done.
  void open();
  /// Appends the bytes and returns their offset.
  std::uint64_t append(std::string_view bytes);
  void read(std::uint64_t offset, char* to, std::size_t size) const;
  /// Drops the contents; nothing that was written before can be read any more.
  void forget();

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::string folder_;  // empty: the folder for temporary files; not used once the file exists
  int file_ = -1;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::trace
