#include "tools/report/line_object.h"

#include "tools/report/json_object.h"
#include "tools/report/line_cause.h"
#include "tools/report/line_listing.h"
#include "tools/report/line_notes.h"
#include "tools/report/memory_level.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostWorst = 10;

Json value(const Ratio& ratio) { return ratio ? Json(*ratio) : Json(nullptr); }

/// The reasons that are not 0, behind their sum.
Json counts(const sim::StallCounts& counts) {
  Json object = {{"total", counts.sum()}};
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (counts[reason] != 0) object[std::string(ir::info(reason).key)] = counts[reason];
  }
  return object;
}

Json lane_slots(const sim::Ledger<sim::LaneSlotPart>& ledger) {
  Json object = {{"total", ledger.sum()}};
  for (std::size_t i = 0; i < sim::Ledger<sim::LaneSlotPart>::kParts; ++i) {
    const auto part = static_cast<sim::LaneSlotPart>(i);
    object[info(part).key] = ledger[part];
  }
  return object;
}

Json memory(const sim::MemoryCounters& counters) {
  Json object = Json::object();
#define HEDDLE_MEMORY_COUNTER(name, summary) \
  if (counters.name != 0) object[#name] = counters.name;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
  return object;
}

void add_accesses(Json& object, const std::string& unit, const Accesses& all) {
  if (all.requests == 0) return;
  object[unit + "_per_request"] = value(ratio(all.amount, all.requests));
  object["least_" + unit + "_per_request"] = value(ratio(all.least(), all.requests));
}

Json latency(const sim::LoadLatency& all) {
  return {{"count", all.count},
          {"sum", all.sum},
          {"mean", value(ratio(all.sum, all.count))},
          {"max", all.longest}};
}

void add_latency(Json& object, const sim::PcCounters& counters) {
  if (counters.all_latency().count == 0) return;
  Json loads = latency(counters.all_latency());
  for (std::size_t i = 0; i < counters.latency.size(); ++i)
    loads[std::string(kMemoryLevelNames[i].key)] = latency(counters.latency[i]);
  object["latency"] = loads;
}

Json place(const LineProfile& profile, const sim::LinePlace& place) {
  if (place.line == 0) return {{"file", nullptr}, {"line", nullptr}};
  return {{"file", profile.file_of(place).name}, {"line", place.line}};
}

double share_of_run(const Summary& summary, const sim::LineFigures& line) {
  return ratio(line.counters.issued + line.cost.slots.sum(), summary.ledgers.issue_slots.total).value_or(0);
}

Json line_object(const Summary& summary, const LineProfile& profile, const sim::LineFigures& line) {
  const sim::PcCounters& counters = line.counters;
  Json object = place(profile, line.place);
  object["text"] = line.place.line == 0 ? "" : std::string(profile.file_of(line.place).line(line.place.line));
  object["share"] = share_of_run(summary, line);
  object["issued"] = counters.issued;
  object["mean_lanes"] = value(ratio(counters.lane_slots[sim::LaneSlotPart::Executed], counters.issued));
  object["branches"] = counters.branches;
  object["divergent_branches"] = counters.divergent_branches;
  object["costs"] = counts(line.cost.slots);
  object["cost_lanes"] = line.cost.lanes;
  if (line.cost.late != 0) object["late_slots"] = line.cost.late;
  object["lost_slots"] = counts(counters.lost_slots);
  object["stalls"] = counts(counters.stalls);
  object["lane_slots"] = lane_slots(counters.lane_slots);
  add_accesses(object, "sectors", device_accesses(counters.memory));
  add_accesses(object, "passes", shared_accesses(counters.memory));
  add_latency(object, counters);
  object["memory"] = memory(counters.memory);
  return object;
}

Json worst_lines(const Summary& summary, const LineProfile& profile) {
  Json worst = Json::array();
  for (const sim::LineFigures* line : sim::worst_first(profile.lines, summary.warp_size)) {
    if (worst.size() == kMostWorst) break;
    Json object = place(profile, line->place);
    object["cost"] = cost_share(summary, *line);
    object["causes"] = Json::array();
    for (const FoundCause& cause : line_causes(summary, *line))
      object["causes"].push_back(key_of(cause.cause));
    worst.push_back(object);
  }
  return worst;
}

Json lines_object(const Summary& summary, const LineProfile& profile) {
  Json files = Json::array();
  for (const SourceText& file : profile.files) files.push_back(file.name);
  Json lines = Json::array();
  for (const sim::LineFigures& line : profile.lines) lines.push_back(line_object(summary, profile, line));
  return {{"level", key_of(profile.level)},
          {"files", files},
          {"worst", worst_lines(summary, profile)},
          {"without_warp", summary.total.issue_slots.no_warp},
          {"lines", lines}};
}

}  // namespace

std::string lines_csv(const Summary& summary, const LineProfile& profile) {
  std::vector<Json> objects;
  for (const sim::LineFigures& line : profile.lines) {
    objects.push_back(line_object(summary, profile, line));
    objects.back()["provenance"] = to_object(summary.info.provenance);
  }
  return to_csv(objects);
}

std::string to_json(const Summary& summary, const LineProfile& profile) {
  Json object = to_object(summary);
  object["verdict"]["line"] = worst_line_text(summary, profile);
  object["lines"] = lines_object(summary, profile);
  return json_text(object);
}

}  // namespace heddle::report
