#include "tools/bench/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tools/json/json_reader.h"

namespace heddle::bench {

namespace {

using Part = JsonReader::Part;

constexpr double kAny = std::numeric_limits<double>::max();
constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();

std::optional<PastSpeed> past_speed(JsonReader& reader, const Json& row, const char* key,
                                    const std::string& path) {
  const Json* speed = reader.part(row, key, path, Part::Object);
  const std::string below = fmt::format("{}{}.", path, key);
  if (speed == nullptr) return std::nullopt;
  const Json* per_second = look_up(*speed, "warp_instructions_per_second");
  if (per_second != nullptr && per_second->is_null()) return std::nullopt;
  return PastSpeed{reader.amount(*speed, "warp_instructions_per_second", below, kAny).value_or(0),
                   reader.amount(*speed, "noise", below, kAny).value_or(0),
                   reader.whole(*speed, "warp_instructions", below, kAnyCount).value_or(0)};
}

Baseline baseline_of(const std::string& text, const std::string& path) {
  const Json document = parse_json(text, path);
  Diagnostics problems;
  JsonReader reader(path, problems);
  Baseline baseline;
  baseline.path = path;
  if (const Json* machine = reader.part(document, "machine", "", Part::Object))
    baseline.processor = reader.text(*machine, "processor", "machine.");
  baseline.gpu = reader.text(document, "gpu", "");
  baseline.threads = reader.whole(document, "threads", "").value_or(1);
  const Json* rows = reader.part(document, "rows", "", Part::List);
  for (std::size_t i = 0; rows != nullptr && i < rows->size(); ++i) {
    const Json& row = (*rows)[i];
    const std::string below = fmt::format("rows[{}].", i);
    baseline.rows[reader.text(row, "name", below)] = {past_speed(reader, row, "functional", below),
                                                      past_speed(reader, row, "timed", below),
                                                      past_speed(reader, row, "threaded", below)};
  }
  problems.throw_if_any();
  return baseline;
}

}  // namespace

Baseline load_baseline(const std::string& path) {
  const std::string text = read_file(path, Pipes::Read);
  try {
    return baseline_of(text, path);
  } catch (const InputError& error) {
    Diagnostics problems;
    problems.add({path, 0, 0}, "this is not what heddle bench --save writes");
    problems.add(error);
    throw InputError(problems.list());
  }
}

std::optional<Change> change(const std::optional<Speed>& now, const std::optional<PastSpeed>& before) {
  if (!now || !before || before->per_second <= 0) return std::nullopt;
  if (now->warp_instructions != before->warp_instructions)
    return std::nullopt;  // another launch with the same name
  // Three median distances are two standard deviations for normally distributed noise.
  constexpr double kClear = 3;
  const double ratio = now->per_second() / before->per_second;
  return Change{ratio, std::max(ratio, 1 / ratio) - 1 > kClear * (now->time.noise() + before->noise)};
}

std::optional<RowChange> change(const Run& run, const Row& row, const Baseline& baseline) {
  const auto before = baseline.rows.find(row.name);
  if (before == baseline.rows.end()) return std::nullopt;
  RowChange result{change(row.functional, before->second.functional), change(row.timed, before->second.timed),
                   std::nullopt};
  if (run.threads == baseline.threads) result.threaded = change(row.threaded, before->second.threaded);
  return result;
}

}  // namespace heddle::bench
