#include "tools/launch/override_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.h"

namespace heddle::launch {

namespace {

std::string quoted_names(std::vector<std::string> names) {
  if (names.empty()) return "there are none";
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  return (names.size() == 1 ? "there is " : "there are ") + text;
}

std::string extents_text(Dim3 extents) {
  if (extents.y == 1 && extents.z == 1) return fmt::format("{}", extents.x);
  return fmt::format("[{}, {}, {}]", extents.x, extents.y, extents.z);
}

}  // namespace

OverrideValues::OverrideValues(const LaunchOverrides& options, Diagnostics& problems) : problems_(problems) {
  for (const Override& param : options.params) add_param(param);
  if (options.grid) add_size("grid", extents_text(*options.grid));
  if (options.block) add_size("block", extents_text(*options.block));
  if (options.registers) add_size("registers", std::to_string(*options.registers));
  if (options.dynamic_shared_bytes) add_size("shared", std::to_string(*options.dynamic_shared_bytes));
}

void OverrideValues::add_param(const Override& param) {
  if (param.key.empty() || param.value.empty())
    return problems_.add({param.source, 0, 0}, "must be NAME=VALUE");
  // Quotes keep YAML from interpreting the expression.
  std::string quoted = "'";
  for (const char c : param.value) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  try {
    params_.push_back(
        {param.key, sim::YamlDocument::parse_argument(quoted + "'", param.source, param.key).root()});
  } catch (const InputError& error) {
    problems_.add(error);
  }
}

void OverrideValues::add_size(const std::string& name, const std::string& text) {
  const std::string argument = fmt::format("--{} {}", name, text);
  sizes_.push_back({name, sim::YamlDocument::parse_argument(text, argument, name).root()});
}

const sim::YamlValue* OverrideValues::find_param(std::string_view name) {
  // The last one counts, as usual for command lines.
  const sim::YamlValue* found = nullptr;
  for (Given& candidate : params_) {
    if (candidate.name != name) continue;
    candidate.used = true;
    found = &candidate.value;
  }
  return found;
}

const sim::YamlValue* OverrideValues::find_size(std::string_view name) const {
  const auto found = std::find_if(sizes_.begin(), sizes_.end(),
                                  [&](const Given& candidate) { return candidate.name == name; });
  return found == sizes_.end() ? nullptr : &found->value;
}

void OverrideValues::refuse_unused(const std::string& file, const std::vector<std::string>& names) {
  for (const Given& candidate : params_) {
    if (candidate.used) continue;
    const std::string near = sim::suggestion(candidate.name, names);
    candidate.value.error(problems_,
                          fmt::format("{} has no value '{}', nor has its kernel such a parameter; {}", file,
                                      candidate.name, near.starts_with("did") ? near : quoted_names(names)));
  }
}

}  // namespace heddle::launch
