#include "tools/bench/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::bench {

namespace {

using Json = nlohmann::json;

/// What the file says is in another form than --save writes.
[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw InputError({path, 0, 0}, fmt::format("this is not what heddle bench --save writes: {}", what));
}

/// Reads members by name; a mistake is told with its own.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  const Json& part(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) refuse(path_, fmt::format("there is no '{}'", key));
    return object[key];
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = part(object, key);
    if (!value.is_string()) refuse(path_, fmt::format("'{}' must be text", key));
    return value.get<std::string>();
  }
  /// Not negative.
  double number(const Json& object, const char* key) const {
    const Json& value = part(object, key);
    if (!value.is_number() || value.get<double>() < 0)
      refuse(path_, fmt::format("'{}' must be a number, not negative", key));
    return value.get<double>();
  }
  std::uint64_t whole(const Json& object, const char* key) const {
    const Json& value = part(object, key);
    if (!value.is_number_unsigned())
      refuse(path_, fmt::format("'{}' must be a whole number, not negative", key));
    return value.get<std::uint64_t>();
  }

 private:
  const std::string& path_;
};

std::optional<PastSpeed> past_speed(const Reader& reader, const Json& row, const char* key) {
  const Json& speed = reader.part(row, key);
  if (reader.part(speed, "warp_instructions_per_second").is_null()) return std::nullopt;
  return PastSpeed{reader.number(speed, "warp_instructions_per_second"), reader.number(speed, "noise"),
                   reader.whole(speed, "warp_instructions")};
}

}  // namespace

Baseline load_baseline(const std::string& path) {
  const Json file = Json::parse(read_file(path, Pipes::Read), nullptr, false);
  if (file.is_discarded()) refuse(path, "not valid JSON");
  const Reader reader(path);
  Baseline baseline;
  baseline.path = path;
  baseline.processor = reader.text(reader.part(file, "machine"), "processor");
  baseline.gpu = reader.text(file, "gpu");
  baseline.threads = reader.whole(file, "threads");
  const Json& rows = reader.part(file, "rows");
  if (!rows.is_array()) refuse(path, "'rows' must be a list");
  for (const Json& row : rows) {
    baseline.rows[reader.text(row, "name")] = {past_speed(reader, row, "functional"),
                                               past_speed(reader, row, "timed"),
                                               past_speed(reader, row, "threaded")};
  }
  return baseline;
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
