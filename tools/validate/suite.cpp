#include "tools/validate/suite.h"

#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/file_kind.h"
#include "tools/validate/case_reader.h"

namespace heddle::validate {

namespace {

std::string read_text(sim::YamlMap& map, const char* key, Diagnostics& problems) {
  const auto value = map.require(key);
  return value ? value->as_string(problems).value_or("") : "";
}

void read_not_compared(const std::optional<sim::YamlValue>& map, Group& group, Diagnostics& problems) {
  if (!map) return;
  if (!map->is_map()) return map->must_be(problems, "a map of figures and reasons");
  for (const sim::YamlValue& reason : map->items()) {
    group.not_compared.emplace_back(reason.key(), reason.as_string(problems).value_or(""));
  }
}

}  // namespace

Group load_suite(const std::string& path, const MeasuredFigures* figures) {
  Diagnostics problems;
  require_role_of_file(FileRole::Suite, path);
  const sim::YamlDocument document = sim::YamlDocument::load(path);
  sim::YamlMap map(document.root(), problems);
  Group group;
  group.name = read_text(map, "group", problems);
  group.title = read_text(map, "title", problems);
  group.source = read_text(map, "source", problems);
  SuiteSize size;
  CaseReader reader(read_case_keys(map), std::filesystem::path(path).parent_path().string(), figures, size,
                    problems);
  read_not_compared(map.find("not_compared"), group, problems);
  const auto cases = map.require("cases");
  map.finish();
  if (const auto list = cases ? cases->as_list(problems) : std::nullopt) {
    if (list->empty()) cases->error(problems, "a suite has at least one case");
    for (const sim::YamlValue& item : *list) reader.read(item, group.cases);
    reader.finish();
    for (Case& one : group.cases) {
      std::erase(one.files, path);
      one.files.insert(one.files.begin(), path);
    }
    group.left_out = reader.left_out();
  }
  problems.throw_each_once();  // rows of a table share their texts
  return group;
}

}  // namespace heddle::validate
