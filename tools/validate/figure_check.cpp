#include "tools/validate/figure_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/config/suggest.h"

namespace heddle::validate {

namespace {

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Removes and returns the path at the front: "memory.l1_hit_rate".
std::string take_path(std::string_view& text) {
  const auto is_end = [](char c) { return !is_name_part(c) && c != '.'; };
  const auto end = std::find_if(text.begin(), text.end(), is_end);
  std::string path(text.begin(), end);
  text.remove_prefix(path.size());
  // ".." is Lua's operator for concatenation.
  return path.substr(0, path.find(".."));
}

/// Skips "[4]" or "[2 * w]".
void skip_index(std::string_view& text) {
  if (!text.starts_with('[')) return;
  text.remove_prefix(std::min(text.find(']'), text.size() - 1) + 1);
}

bool is_known(const std::string& path, std::span<const std::string> names) {
  for (const char* own : {"pipes", "values", "buffers"}) {
    if (path.starts_with(own)) return true;
  }
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name == path || name.starts_with(path + '.'); });
}

/// Suggests names in the same object: those of "memory." for "memory.l1_hit_rat".
std::string suggestion_for(const std::string& path, std::span<const std::string> names) {
  const std::string place = path.substr(0, path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
  std::vector<std::string> near;
  for (const std::string& name : names) {
    if (name.starts_with(place)) near.push_back(name);
  }
  return sim::suggestion(path, near.empty() ? std::vector(names.begin(), names.end()) : near);
}

/// "at" for "at.8".
std::set<std::string> run_names(const Case& one) {
  std::set<std::string> names;
  for (const Run& run : one.runs) names.insert(run.name.substr(0, run.name.find('.')));
  return names;
}

}  // namespace

void check_figures(const Case& one, std::span<const std::string> names, Diagnostics& problems) {
  const std::set<std::string> runs = run_names(one);
  std::string_view text = one.simulated.text();
  while (!text.empty()) {
    if (!is_name_part(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    std::string path = take_path(text);
    const std::size_t point = path.find('.');
    if (runs.count(path.substr(0, point)) == 0) continue;
    if (point == std::string::npos) {
      skip_index(text);
      if (!text.starts_with('.')) continue;
      text.remove_prefix(1);
      path = take_path(text);
    } else {
      path.erase(0, point + 1);
    }
    if (is_known(path, names)) continue;
    one.simulated.error(problems,
                        fmt::format("there is no figure '{}'; {}", path, suggestion_for(path, names)));
  }
}

}  // namespace heddle::validate
