// What lies beside the GPU files, in a checkout and where Heddle is installed: examples, suites.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace heddle::command {

/// "traces", say.
std::filesystem::path data_folder(std::string_view name);

/// In the order of their names; none if there is no such folder.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

}  // namespace heddle::command
