#include "tools/heddle/base/examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/base/data_files.h"

namespace heddle::command {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

bool can_name_example(const std::string& operand) {
  return !operand.empty() && operand.front() != '-' && operand.find_first_of("./") == std::string::npos;
}

fs::path file_of(const std::string& name) { return data_folder("traces") / fmt::format("{}.yaml", name); }

}  // namespace

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const fs::path& path : yaml_files(data_folder("traces"))) names.push_back(path.stem().string());
  return names;
}

fs::path example_path(const std::string& name) {
  const std::vector<std::string> names = example_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return file_of(name);
  throw UsageError(fmt::format("there is no example '{}'; {}", name,
                               nearest_of(name, names, "heddle examples lists them")));
}

std::optional<std::string> find_launch(const std::string& operand) {
  if (!can_name_example(operand) || is_there(operand)) return operand;
  const std::string here = fmt::format("{}.yaml", operand);
  if (is_there(here)) return here;
  if (is_there(file_of(operand))) return file_of(operand).string();
  std::error_code ignored;
  if (fs::is_directory(operand, ignored)) return operand;  // the caller refuses a directory
  return std::nullopt;
}

std::string launch_path(const std::string& operand) {
  if (const auto found = find_launch(operand)) return *found;
  throw UsageError(fmt::format("there is no file '{}', and no example of this name; {}", operand,
                               nearest_of(operand, example_names(), "heddle examples lists them")));
}

std::string nearest_of(const std::string& word, const std::vector<std::string>& known,
                       std::string_view otherwise) {
  const std::string nearest = sim::suggestion(word, known);
  return nearest.starts_with("did you mean") ? nearest : std::string(otherwise);
}

}  // namespace heddle::command
