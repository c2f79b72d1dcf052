#include "tools/page/page_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/figures/limits.h"
#include "sim/occupancy/what_if.h"
#include "tools/page/code_data.h"
#include "tools/page/history_data.h"
#include "tools/report/glossary.h"
#include "tools/report/json_object.h"
#include "tools/report/words.h"

namespace heddle::page {

namespace {

using Json = nlohmann::ordered_json;

Json ledger(std::string_view key, std::string_view title, const sim::LedgerSummary& summary) {
  Json parts = Json::array();
  for (const sim::Part& part : summary.parts)
    parts.push_back({{"key", part.key}, {"name", report::key_text(part.key)}, {"slots", part.slots}});
  return {{"key", key}, {"title", title}, {"total", summary.total}, {"parts", parts}};
}

Json stall_names() {
  Json names = Json::array();
  for (const ir::StallReasonInfo& info : ir::kStallReasonTable)
    names.push_back({{"key", info.key}, {"summary", info.summary}});
  return names;
}

}  // namespace

Json word_data() {
  Json groups = Json::object();
  for (const report::WordGroup& group : report::glossary()) {
    Json entries = Json::object();
    for (const report::Word& word : group.words) {
      Json entry = {{"is", word.definition}};
      if (!word.gloss.empty()) entry["gloss"] = word.gloss;
      if (!word.cause.empty()) entry["cause"] = word.cause;
      if (!word.cure.empty()) entry["cure"] = word.cure;
      if (!word.nsight.empty()) entry["nsight"] = word.nsight;
      entries[std::string(word.key)] = std::move(entry);
    }
    groups[std::string(group.key)] = std::move(entries);
  }
  return groups;
}

namespace {

Json limits(const report::Summary& run) {
  Json all = Json::array();
  for (const sim::Limit& limit : sim::limits_of(run)) {
    all.push_back({{"kind", limit.kind},
                   {"name", limit.name},
                   {"shown", limit.shown},
                   {"pressure", limit.pressure},
                   {"binds", limit.binds()}});
  }
  return all;
}

Json curve(std::string_view key, std::string_view title, std::uint64_t here,
           const std::vector<sim::CurvePoint>& points) {
  Json amounts = Json::array();
  Json warps = Json::array();
  for (const sim::CurvePoint& point : points) {
    amounts.push_back(point.amount);
    warps.push_back(point.occupancy.warps_per_sm);
  }
  return {{"key", key}, {"title", title}, {"here", here}, {"amounts", amounts}, {"warps", warps}};
}

/// Theoretical occupancy over what a launch can change, one thing at a time.
Json curves(const PageFacts& facts) {
  if (!facts.run.launch || facts.occupancy == nullptr) return Json::array();
  const stream::LaunchShape& shape = facts.run.launch->shape;
  const sim::KernelResources kernel = sim::resources_of(shape);
  const sim::OccupancySpec& spec = *facts.occupancy;
  return {curve("block_size", "threads a block", shape.threads_per_block(),
                sim::curve_over_block_size(spec, kernel)),
          curve("registers", "registers a thread", shape.registers_per_thread,
                sim::curve_over_registers(spec, kernel)),
          curve("shared", "bytes of shared memory a block", shape.shared_bytes_per_block,
                sim::curve_over_shared(spec, kernel))};
}

/// What the machine is, as far as the page's axes need it.
Json machine(const report::Summary& run, std::uint32_t sector_bytes) {
  return {{"description", run.gpu_description}, {"sms", run.sms},
          {"schedulers", run.sub_partitions},   {"max_warps", run.max_warps},
          {"warp_size", run.warp_size},         {"clock_mhz", run.clock_mhz},
          {"sector_bytes", sector_bytes},       {"dram_peak_gbps", run.memory.dram_peak_gbps}};
}

}  // namespace

Json page_data(const PageFacts& facts) {
  const report::Summary& run = facts.run;
  Json data = {{"page_version", 2}};
  data["report"] = report::to_object(run);
  data["description"] = run.info.description;
  data["machine"] = machine(run, facts.sector_bytes);
  data["ledgers"] = {ledger("warp_slots", "Warp slots", run.ledgers.warp_slots),
                     ledger("issue_slots", "Issue slots", run.ledgers.issue_slots),
                     ledger("lane_slots", "Lane slots", run.ledgers.lane_slots)};
  data["limits"] = limits(run);
  data["stalls"] = stall_names();
  data["time"] = time_data(facts.history);
  data["sms"] = sm_data(facts.history);
  data["watched"] = watched_data(facts.history);
  data["code"] = code_data(facts);
  data["accesses"] = access_data(facts.history);
  data["curves"] = curves(facts);
  data["sources"] = sources_data(facts.sources);
  data["words"] = word_data();
  return data;
}

}  // namespace heddle::page
