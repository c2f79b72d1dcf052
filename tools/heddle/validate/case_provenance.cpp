#include "tools/heddle/validate/case_provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::command {

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const Values& values, const std::string& key) {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == key; });
  return found == values.end() ? nullptr : &found->second;
}

/// The value of a key in all runs.
std::string merged(const std::vector<NamedProvenance>& runs, Values report::Provenance::*values,
                   const std::string& key) {
  std::string text;
  bool is_same = true;
  const std::string* first = find(runs.front().second.*values, key);
  for (const auto& [name, run] : runs) {
    const std::string* value = find(run.*values, key);
    is_same = is_same && value != nullptr && first != nullptr && *value == *first;
    if (value != nullptr) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *value);
  }
  return is_same ? *first : text;
}

Values merged(const std::vector<NamedProvenance>& runs, Values report::Provenance::*values) {
  Values all;
  for (const auto& [name, run] : runs) {
    for (const auto& [key, value] : run.*values) {
      if (find(all, key) == nullptr) all.emplace_back(key, merged(runs, values, key));
    }
  }
  return all;
}

}  // namespace

report::Provenance merged_provenance(const std::vector<NamedProvenance>& runs) {
  report::Provenance all;
  all.gpu_changes = merged(runs, &report::Provenance::gpu_changes);
  all.parameters = merged(runs, &report::Provenance::parameters);
  for (const auto& [name, run] : runs) all.add_files(run.files);
  return all;
}

namespace {

/// The GPU changes that all cases have in common.
Values common_changes(const validate::Results& results) {
  std::optional<Values> common;
  for (const validate::GroupResult& group : results.groups) {
    for (const validate::Comparison& one : group.cases) {
      const Values& own = one.provenance.gpu_changes;
      if (!common) common = own;
      std::erase_if(*common, [&own](const auto& change) {
        return std::find(own.begin(), own.end(), change) == own.end();
      });
    }
  }
  return common.value_or(Values());
}

}  // namespace

void complete_provenance(const ValidateRequest& request, const std::vector<std::string>& read,
                         validate::Results& results) {
  results.provenance = request.provenance;
  for (const std::string& path : read) add_file(results.provenance, path);
  const report::Provenance head = results.provenance;
  results.provenance.gpu_changes = common_changes(results);
  for (validate::GroupResult& group : results.groups) {
    for (validate::Comparison& one : group.cases) {
      report::Provenance own = head;
      own.gpu_changes = std::move(one.provenance.gpu_changes);
      own.parameters = std::move(one.provenance.parameters);
      own.add_files(one.provenance.files);
      results.provenance.add_files(own.files);
      one.provenance = std::move(own);
    }
  }
}

}  // namespace heddle::command
