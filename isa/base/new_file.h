// A file that is to be there whole, or not at all: written beside its place, then put there.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"

namespace heddle {

/// A new file in the folder of its target, gone again unless it takes the target's place. Where the file
/// system can, the file has no name until then, so that it goes with the process however that ends.
/// Everything throws InputError, which names the target, where the file cannot be written.
class NewFile {
 public:
  /// Symbolic links to the target stay. A target that is there already must be a regular file.
  explicit NewFile(const std::string& path);
  /// The same for a target whose folder may be missing until it is kept: if it is, the bytes lie in another
  /// one of the same file system.
  NewFile(const std::string& path, const std::string& until_then);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Where the bytes are until then, for whoever writes them otherwise: a path of this process.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

  /// All bytes are written: the file replaces an older one, complete.
  void keep();

 private:
  void open_in(const std::string& folder);
  bool open_nameless(const std::string& folder);
  void open_named(const std::string& folder);
  void give_name();

  std::string path_;
  std::string target_;
  std::string name_;  // beside the target, until it is kept; empty while there is none
  std::string temporary_;
  int descriptor_ = -1;
};

/// Throws InputError if it is plain already that NewFile will fail, so that nobody waits for a run in vain.
void require_writable(const std::string& path);

}  // namespace heddle
