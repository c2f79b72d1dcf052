// Folders that stand beside the GPU files, in a checkout and in an installation: examples, suites.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace heddle::command {

/// The folder with this name, such as "traces".
std::filesystem::path data_folder(std::string_view name);

/// The YAML files of a folder, sorted by name. Empty if there is no such folder.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

}  // namespace heddle::command
