// Folders for files that are still to come.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::command {

/// A folder with those around it. Those that had to be made are removed again at the end, unless something
/// has come into them.
class MadeFolders {
 public:
  /// Throws InputError where they cannot be made.
  explicit MadeFolders(const std::string& folder);
  ~MadeFolders() { remove_empty(); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

 private:
  void remove_empty() noexcept;

  std::vector<std::filesystem::path> made_;  // the innermost first
};

/// The innermost folder that is there, of a folder and those around it.
std::string nearest_folder(const std::string& folder);

}  // namespace heddle::command
