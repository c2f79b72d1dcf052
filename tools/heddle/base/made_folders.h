// Creates folders for files that are written later.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::command {

/// A folder and its parents. Folders that had to be created are removed at the end if they are empty.
class MadeFolders {
 public:
  /// Throws InputError if the folders cannot be created.
  explicit MadeFolders(const std::string& folder);
  ~MadeFolders() { remove_empty(); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

 private:
  void remove_empty() noexcept;

  std::vector<std::filesystem::path> made_;  // innermost first
};

/// The innermost existing folder among a folder and its parents.
std::string nearest_folder(const std::string& folder);

}  // namespace heddle::command
