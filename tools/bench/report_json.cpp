#include <nlohmann/json.hpp>

#include "tools/bench/report.h"
#include "tools/report/json_object.h"

namespace heddle::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// The same keys with null values for a missing object, so that all rows have the same columns.
Json nulls_like(Json object) {
  for (Json& value : object) value = nullptr;
  return object;
}

Json object_of(const std::optional<Speed>& speed) {
  if (!speed) return nulls_like(object_of(std::optional(Speed())));
  return {{"warp_instructions", speed->warp_instructions},
          {"seconds", speed->time.median()},
          {"noise", speed->time.noise()},
          {"warp_instructions_per_second", speed->per_second()},
          {"all_seconds", speed->time.seconds()}};
}

Json object_of(const std::optional<Change>& change) {
  if (!change) return nulls_like(object_of(std::optional(Change())));
  return {{"ratio", change->ratio}, {"is_clear", change->is_clear}};
}

Json object_of(const RowChange& change) {
  return {{"functional", object_of(change.functional)},
          {"timed", object_of(change.timed)},
          {"threaded", object_of(change.threaded)}};
}

Json object_of(const Run& run, const Row& row, const Baseline* baseline) {
  Json object = {{"name", row.name},
                 {"cycles", row.cycles},
                 {"functional", object_of(row.functional)},
                 {"timed", object_of(std::optional(row.timed))},
                 {"threaded", object_of(row.threaded)},
                 {"timed_per_functional", or_null(row.timed_per_functional())},
                 {"cycles_per_second", row.cycles_per_second()},
                 {"resident_warps", row.resident_warps},
                 {"gpu_bytes", row.gpu_bytes},
                 {"heap_bytes", row.heap_bytes},
                 {"bytes_per_resident_warp", row.bytes_per_resident_warp()}};
  if (baseline == nullptr) return object;
  object["change"] = object_of(change(run, row, *baseline).value_or(RowChange{}));
  return object;
}

}  // namespace

std::string to_json(const Run& run, const Baseline* baseline) {
  Json rows = Json::array();
  for (const Row& row : run.rows) {
    rows.push_back(object_of(run, row, baseline));
    rows.back()["provenance"] = report::part_object(row.provenance);
  }
  const Json object = {{"schema_version", kSchemaVersion},
                       {"version", run.version},
                       {"provenance", report::to_object(run.provenance)},
                       {"machine",
                        {{"processor", run.machine.processor},
                         {"cores", run.machine.cores},
                         {"compiler", run.machine.compiler}}},
                       {"gpu", run.gpu},
                       {"threads", run.threads},
                       {"repetitions", run.repetitions},
                       {"rows", std::move(rows)}};
  constexpr int kIndent = 2;
  return object.dump(kIndent) + '\n';
}

std::string to_csv(const Run& run, const Baseline* baseline) {
  std::vector<Json> rows;
  for (const Row& row : run.rows) {
    rows.push_back(object_of(run, row, baseline));
    rows.back()["provenance"] = report::to_object(row.provenance);
  }
  return report::to_csv(rows);
}

}  // namespace heddle::bench
