#include <nlohmann/json.hpp>

#include "tools/report/json_object.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

using Json = nlohmann::ordered_json;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_object(const Comparison& one) {
  return {{"name", one.name},
          {"gpu", one.gpu},
          {"unit", one.unit},
          {"measured", one.measured},
          {"simulated", optional(one.simulated)},
          {"error", optional(one.error())},
          {"tolerance", optional(one.tolerance)},
          {"within", one.is_within()},
          {"deviates", one.deviates ? Json(*one.deviates) : Json(nullptr)}};
}

/// A part of the report. The common provenance is in its head.
Json to_part(const Comparison& one) {
  Json object = to_object(one);
  object["provenance"] = report::part_object(one.provenance);
  return object;
}

Json to_object(const GroupResult& group) {
  Json object = {{"group", group.name}, {"title", group.title}, {"source", group.source}};
  object["cases"] = Json::array();
  for (const Comparison& one : group.cases) object["cases"].push_back(to_part(one));
  object["mean_absolute_error"] =
      group.is_population ? optional(mean_absolute_error(group.cases)) : Json(nullptr);
  object["correlation"] = group.is_population ? optional(correlation(group.cases)) : Json(nullptr);
  object["within"] = group.within();
  object["unexpected"] = group.unexpected();
  return object;
}

}  // namespace

std::string to_json(const Results& results) {
  Json document = {{"schema_version", kSchemaVersion},
                   {"provenance", report::to_object(results.provenance)},
                   {"groups", Json::array()}};
  for (const GroupResult& group : results.groups) document["groups"].push_back(to_object(group));
  document["not_compared"] = results.not_compared;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string to_csv(const Results& results) {
  std::vector<Json> rows;
  for (const GroupResult& group : results.groups) {
    for (const Comparison& one : group.cases) {
      rows.push_back({{"group", group.name}});
      rows.back().update(to_object(one));
      rows.back()["provenance"] = report::to_object(one.provenance);
    }
  }
  return report::to_csv(rows);
}

}  // namespace heddle::validate
