#include "tools/heddle/bench/bench_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "isa/base/file_kind.h"
#include "sim/config/suggest.h"
#include "tools/heddle/base/data_files.h"
#include "tools/heddle/base/examples.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

struct KnownCase {
  std::string_view name;
  std::string_view example;
  std::string_view params;
  std::string_view settings;
};

constexpr KnownCase kKnown[] = {
#define HEDDLE_BENCH_CASE(name, example, params, settings) {#name, #example, params, settings},
#include "tools/heddle/bench/bench_cases.def"
#undef HEDDLE_BENCH_CASE
};

Overrides overrides_in(std::string_view text) {
  std::istringstream stream{std::string(text)};
  Overrides overrides;
  for (std::string word; stream >> word;) overrides.emplace_back(word);
  return overrides;
}

fs::path examples_directory() {
  fs::path directory = fs::absolute(data_folder("traces"));
  if (fs::is_directory(directory)) return directory;
  throw UsageError(fmt::format("no launch is given, and there are no examples in {}", directory.string()));
}

BenchCase to_case(const KnownCase& known) {
  const fs::path path = examples_directory() / fmt::format("{}.yaml", known.example);
  return {std::string(known.name), path.string(), overrides_in(known.params), overrides_in(known.settings),
          false};
}

void add_all(std::vector<BenchCase>& cases) {
  for (const KnownCase& known : kKnown) cases.push_back(to_case(known));
  for (const fs::path& path : yaml_files(examples_directory()))
    cases.push_back({path.stem().string(), path.string(), {}, {}, false});
}

bool is_known(const std::string& name) {
  return std::any_of(std::begin(kKnown), std::end(kKnown),
                     [&](const KnownCase& known) { return name == known.name; });
}

[[noreturn]] void refuse(const std::string& name) {
  const std::vector<std::string> cases = bench_case_names();
  std::vector<std::string> names = example_names();
  names.insert(names.end(), cases.begin(), cases.end());
  throw UsageError(fmt::format("'{}' is no launch file, no trace and no case of heddle bench; {}", name,
                               nearest_of(name, names, sim::suggestion(name, cases))));
}

/// Adds a named case or a launch file.
void add_named(const std::string& name, const Overrides& params, std::vector<BenchCase>& cases) {
  for (const KnownCase& known : kKnown) {
    if (name == known.name) return cases.push_back(to_case(known));
  }
  require_role_of_file(FileRole::Launch, name);
  const auto path = find_launch(name);
  if (!path || !path->ends_with(".yaml")) refuse(name);
  cases.push_back({fs::path(*path).stem().string(), *path, params, {}});
}

void add(const std::string& named, const Overrides& params, std::vector<BenchCase>& cases) {
  if (!is_trace(named)) return add_named(named, params, cases);
  for (const TracedKernel& kernel : traced_kernels(named)) {
    cases.push_back({fs::path(kernel.path).filename().string(), kernel.path, {}, {}});
    if (kernel.path != named) cases.back().list = named;
  }
}

}  // namespace

std::string bench_cases_text() {
  std::string text;
  for (const KnownCase& known : kKnown) {
    text += fmt::format("  {:<14} {}.yaml {}{}{}\n", known.name, known.example, known.params,
                        known.settings.empty() ? "" : " --set ", known.settings);
  }
  return text;
}

std::vector<std::string> bench_case_names() {
  std::vector<std::string> names;
  for (const KnownCase& known : kKnown) names.emplace_back(known.name);
  return names;
}

std::vector<BenchCase> bench_cases(const std::vector<std::string>& named, const Overrides& params) {
  std::vector<BenchCase> cases;
  for (const std::string& each : named) add(each, params, cases);
  if (named.empty()) add_all(cases);
  const bool takes_params = std::any_of(
      named.begin(), named.end(), [](const std::string& each) { return !is_known(each) && !is_trace(each); });
  if (!params.empty() && !takes_params) throw UsageError("--param goes with a launch file");
  return cases;
}

}  // namespace heddle::command
