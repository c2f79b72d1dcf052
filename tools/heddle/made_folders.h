// Folders for files that are still to come.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::command {

/// A folder with those around it, as far as they have to be made; those that were are gone again afterwards
/// where nothing has come into them.
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

}  // namespace heddle::command
