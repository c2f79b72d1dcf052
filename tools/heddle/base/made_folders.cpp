#include "tools/heddle/base/made_folders.h"

#include <fmt/format.h>
#include <unistd.h>

#include "isa/base/diagnostic.h"

namespace heddle::command {

MadeFolders::MadeFolders(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto is_missing = [&error](const fs::path& path) {
    return fs::symlink_status(path, error).type() == fs::file_type::not_found;
  };
  for (fs::path path = folder; !path.empty() && is_missing(path); path = path.parent_path())
    made_.push_back(path);
  fs::create_directories(folder, error);
  if (!error) return;
  remove_empty();
  throw InputError({folder, 0, 0}, fmt::format("the folder cannot be made: {}", error.message()));
}

/// rmdir removes only empty folders, even if something else has been put in their place.
void MadeFolders::remove_empty() noexcept {
  for (const std::filesystem::path& path : made_) ::rmdir(path.c_str());
}

std::string nearest_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (fs::path path = folder; !path.empty(); path = path.parent_path()) {
    if (fs::is_directory(path, ignored)) return path.string();
  }
  return ".";
}

}  // namespace heddle::command
