#include "tools/heddle/base/data_files.h"

#include <algorithm>

#include "sim/config/load.h"

namespace heddle::command {

namespace fs = std::filesystem;

fs::path data_folder(std::string_view name) {
  return fs::path(sim::default_configs_directory()).parent_path() / name;
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace heddle::command
