#include "tools/bench/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::bench {

namespace {

using Json = nlohmann::json;

std::optional<PastSpeed> past_speed(const Json& row, const char* key) {
  const Json& speed = row.at(key);
  const Json& per_second = speed.at("warp_instructions_per_second");
  if (per_second.is_null()) return std::nullopt;
  return PastSpeed{per_second.get<double>(), speed.at("noise").get<double>(),
                   speed.at("warp_instructions").get<std::uint64_t>()};
}

Baseline baseline_of(const Json& file) {
  Baseline baseline;
  baseline.processor = file.at("machine").at("processor").get<std::string>();
  baseline.gpu = file.at("gpu").get<std::string>();
  baseline.threads = file.at("threads").get<unsigned>();
  for (const Json& row : file.at("rows")) {
    baseline.rows[row.at("name").get<std::string>()] = {
        past_speed(row, "functional"), past_speed(row, "timed"), past_speed(row, "threaded")};
  }
  return baseline;
}

}  // namespace

Baseline load_baseline(const std::string& path) {
  const std::string contents = read_file(path, Pipes::Read);
  try {
    Baseline baseline = baseline_of(Json::parse(contents));
    baseline.path = path;
    return baseline;
  } catch (const Json::parse_error&) {
    throw InputError({path, 0, 0}, "this is not what heddle bench --save writes: not valid JSON");
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.type_error.302] type must be ..."
    throw InputError({path, 0, 0}, fmt::format("this is not what heddle bench --save writes: {}",
                                               what.substr(std::min(what.size(), what.find("] ") + 2))));
  }
}

std::optional<Change> change(const std::optional<Speed>& now, const std::optional<PastSpeed>& before) {
  if (!now || !before || before->per_second <= 0) return std::nullopt;
  if (now->warp_instructions != before->warp_instructions)
    return std::nullopt;  // another launch of the same name
  // Three of the median distances are two standard deviations, where noise is what it usually is.
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
