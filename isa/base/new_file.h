// A file that is written whole or not at all: it is written beside its target and then moved there.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"

namespace heddle {

/// A new file in the folder of its target. It disappears unless keep() moves it to the target. If the file
/// system allows it, the file has no name until then, so it disappears with the process however that ends.
/// All functions throw InputError, which names the target, if the file cannot be written.
class NewFile {
 public:
  /// Symbolic links to the target are followed and stay. If the target exists, it must be a regular file.
  explicit NewFile(const std::string& path);
  /// The same for a target whose folder may not exist yet. If so, the bytes are stored in the folder
  /// `until_then`, which must be in the same file system.
  NewFile(const std::string& path, const std::string& until_then);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The path of the bytes until keep(), for code that writes them in another way. Valid only in this
  /// process.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

  /// Call this when all bytes are written. The complete file replaces the target.
  void keep();

 private:
  void open_in(const std::string& folder);
  bool open_nameless(const std::string& folder);
  void open_named(const std::string& folder);
  void give_name();

  std::string path_;
  std::string target_;
  std::string name_;  // temporary name beside the target; empty if there is none
  std::string temporary_;
  int descriptor_ = -1;
};

/// Throws InputError if it is already clear that NewFile will fail, so that a long run does not end without
/// its result.
void require_writable(const std::string& path);

}  // namespace heddle
