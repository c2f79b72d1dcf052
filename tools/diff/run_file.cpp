#include "tools/diff/run_file.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tools/diff/leaves.h"
#include "tools/report/json.h"

namespace heddle::diff {

namespace {

/// Larger counts are refused. JSON's numbers are exact up to here, and sums of a ledger's parts cannot
/// overflow.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53;

constexpr const char* kHowToMake = "heddle run KERNEL --format json --output FILE writes one";

/// "block=32 gpu=h100", or the kernel's name.
std::string name_of(const Json& run) {
  std::string name;
  const Json none = Json::object();
  const Json* swept = look_up(run, "swept");
  for (const Leaf& leaf : leaves_of(swept == nullptr ? none : *swept))
    name += fmt::format("{}{}={}", name.empty() ? "" : " ", leaf.name, value_text(*leaf.value));
  if (!name.empty()) return name;
  const Json* kernel = look_up(run, "kernel");
  return kernel != nullptr && kernel->is_string() ? kernel->get<std::string>() : "failed";
}

/// "1 block=32, 2 block=64, ..."
std::string list_of(const std::vector<Json*>& runs) {
  constexpr std::size_t kMostShown = 8;
  std::string list;
  for (std::size_t i = 0; i < runs.size() && i < kMostShown; ++i)
    list += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, name_of(*runs[i]));
  return runs.size() > kMostShown ? list + ", ..." : list;
}

std::vector<Json*> elements_of(Json& array) {
  std::vector<Json*> runs;
  for (Json& each : array) runs.push_back(&each);
  return runs;
}

/// The only run is all kernels together unless a number chooses one.
std::vector<Json*> runs_in(Json& document, bool is_numbered) {
  if (document.is_array()) return elements_of(document);
  const bool is_list = document.contains("kernels") && document.contains("all");
  if (!is_list || !document["kernels"].is_array()) return {&document};
  return is_numbered ? elements_of(document["kernels"]) : std::vector<Json*>{&document["all"]};
}

void check_schema(const Json& run, const std::string& path) {
  const Json* version = look_up(run, "schema_version");
  if (version == nullptr)
    throw InputError({path, 0, 0},
                     fmt::format("no report of a run: it has no schema_version; {}", kHowToMake));
  if (*version != report::kSchemaVersion) {
    throw InputError({path, 0, 0},
                     fmt::format("schema_version is {}, but this heddle reads {}; make the report again with "
                                 "this heddle",
                                 value_text(*version), report::kSchemaVersion));
  }
}

void check_ledger(const Json& ledgers, const char* key, JsonReader& reader, Diagnostics& problems,
                  const std::string& file) {
  const std::string path = fmt::format("ledgers.{}.", key);
  const Json* ledger = reader.part(ledgers, key, "ledgers.", JsonReader::Part::Object);
  if (ledger == nullptr) return;
  std::uint64_t sum = 0;
  bool is_whole = true;
  for (const auto& [part, value] : ledger->items()) {
    const auto slots = reader.whole(*ledger, part.c_str(), path, kMostCount);
    is_whole = is_whole && slots.has_value();
    if (part != "total") sum += slots.value_or(0);
  }
  const auto total = reader.whole(*ledger, "total", path, kMostCount);
  if (is_whole && total && *total != sum)
    problems.add({file, 0, 0}, fmt::format("the parts of {} sum to {}, not to its total, {}",
                                           path.substr(0, path.size() - 1), sum, *total));
}

void check_figures(const Json& run, const std::string& file) {
  Diagnostics problems;
  JsonReader reader(file, problems);
  for (const char* key : {"kernel", "gpu"}) reader.text(run, key, "");
  for (const char* key : {"cycles", "launch_cycles", "cycles_after_blocks", "active_cycles"})
    reader.whole(run, key, "", kMostCount);
  reader.number(run, "time_us", "");
  if (const Json* per_sm = reader.part(run, "per_sm", "", JsonReader::Part::Object))
    reader.whole(*per_sm, "sms", "per_sm.");
  if (const Json* ledgers = reader.part(run, "ledgers", "", JsonReader::Part::Object)) {
    for (const char* key : {"warp_slots", "issue_slots", "lane_slots"})
      check_ledger(*ledgers, key, reader, problems, file);
  }
  problems.throw_if_any();
}

Json& chosen(const std::vector<Json*>& runs, const std::string& path, std::optional<std::size_t> number) {
  const SourceLocation where{path, 0, 0};
  if (!number && runs.size() > 1) {
    throw InputError(
        where, fmt::format("this report has {} runs; say which with --runs: {}", runs.size(), list_of(runs)));
  }
  const std::size_t index = number.value_or(1);
  if (index == 0 || index > runs.size()) {
    throw InputError(
        where, fmt::format("there is no run {}; this report has {}: {}", index, runs.size(), list_of(runs)));
  }
  return *runs[index - 1];
}

}  // namespace

RunFile run_of(const std::string& text, const std::string& path, std::optional<std::size_t> number) {
  Json document = parse_json(text, path);
  const std::vector<Json*> runs = runs_in(document, number.has_value());
  if (runs.empty() || !runs[0]->is_object()) {
    throw InputError({path, 0, 0}, fmt::format("no report of a run; {}", kHowToMake));
  }
  Json& run = chosen(runs, path, number);
  check_schema(run, path);
  if (const Json* failure = look_up(run, "failure")) {
    throw InputError({path, 0, 0},
                     fmt::format("this run failed and has no figures: {}", value_text(*failure)));
  }
  check_figures(run, path);
  Diagnostics problems;
  std::optional<RunLines> lines = lines_of(run, path, problems);
  problems.throw_if_any();
  // A copy would call itself as deep as the report is nested.
  return {path, std::move(run), std::move(lines)};
}

}  // namespace heddle::diff
