#include "tools/heddle/made_folders.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"

namespace heddle::command {

MadeFolders::MadeFolders(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path path = folder; !path.empty() && !fs::exists(path, error); path = path.parent_path()) {
    made_.push_back(path);
  }
  fs::create_directories(folder, error);
  if (!error) return;
  remove_empty();
  throw InputError({folder, 0, 0}, fmt::format("the folder cannot be made: {}", error.message()));
}

void MadeFolders::remove_empty() noexcept {
  std::error_code is_used;
  for (const std::filesystem::path& path : made_) std::filesystem::remove(path, is_used);
}

}  // namespace heddle::command
