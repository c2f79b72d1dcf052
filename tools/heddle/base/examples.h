// The launches that come with Heddle, by their names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// Sorted: "bad_reduce", "bfs_step", ...
std::vector<std::string> example_names();

/// The launch file of an example. Throws UsageError, with the nearest name, if there is none of this name.
std::filesystem::path example_path(const std::string& name);

/// The launch file that an operand means: a file if there is one, "vecadd.yaml" here for "vecadd", else the
/// example of this name. What cannot be an example's name, as it has a dot or a slash, stays as it is.
std::optional<std::string> find_launch(const std::string& operand);
/// The same, which throws UsageError if there is none.
std::string launch_path(const std::string& operand);

/// "did you mean 'vecadd'?", or something else where no known word is near: they are too many to be listed.
std::string nearest_of(const std::string& word, const std::vector<std::string>& known,
                       std::string_view otherwise);

}  // namespace heddle::command
