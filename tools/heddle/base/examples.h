// The example launches that come with Heddle.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// Sorted: "bad_reduce", "bfs_step", ...
std::vector<std::string> example_names();

/// The launch file of an example. Throws UsageError, with the most similar name, if there is no such example.
std::filesystem::path example_path(const std::string& name);

/// Finds the launch file for an operand: the file with this path, or "vecadd.yaml" in the current folder for
/// "vecadd", or else the example with this name. An operand with a dot or a slash cannot be an example and is
/// returned unchanged.
std::optional<std::string> find_launch(const std::string& operand);
/// The same, but throws UsageError if there is none.
std::string launch_path(const std::string& operand);

/// "did you mean 'vecadd'?", or `otherwise` if no known word is similar. There are too many words to list
/// them.
std::string nearest_of(const std::string& word, const std::vector<std::string>& known,
                       std::string_view otherwise);

}  // namespace heddle::command
