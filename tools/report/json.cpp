#include "tools/report/json.h"

#include <algorithm>

#include "isa/base/cpp_name.h"
#include "isa/base/student_t.h"
#include "tools/report/json_object.h"
#include "tools/report/verdict.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

Json value(const Ratio& ratio) { return ratio ? Json(*ratio) : Json(nullptr); }

Json extents(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json counts(const std::vector<Part>& parts) {
  Json object = Json::object();
  for (const Part& part : parts) object[std::string(part.key)] = part.slots;
  return object;
}

Json ledger(const LedgerSummary& ledger) {
  Json object = {{"total", ledger.total}};
  object.update(counts(ledger.parts));
  return object;
}

Json spread(const Spread& spread) {
  return {{"min", spread.least}, {"mean", spread.mean}, {"max", spread.most}};
}

/// Named barriers and virtual resources are included only for GPUs that limit them.
Json limits(const sim::Occupancy& occupancy) {
  Json object = Json::object();
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    const std::uint32_t blocks = occupancy.limits[i];
    if (blocks == sim::kNoBlockLimit && i > static_cast<std::size_t>(sim::Resource::Shared)) continue;
    object[std::string(sim::kResourceTable[i].key)] =
        blocks == sim::kNoBlockLimit ? Json(nullptr) : Json(blocks);
  }
  return object;
}

Json memory(const sim::MemoryFigures& memory) {
  Json object = Json::object();
#define HEDDLE_MEMORY_COUNTER(name, summary) object[#name] = memory.counters.name;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
  object["sectors_per_load_request"] = value(memory.sectors_per_load_request);
  object["sectors_per_store_request"] = value(memory.sectors_per_store_request);
  object["l1_hit_rate"] = value(memory.l1_hit_rate);
  object["l2_hit_rate"] = value(memory.l2_hit_rate);
  object["l2_utilization"] = value(memory.l2_utilization);
  object["l2_fabric_utilization"] = memory.l2_fabric_utilization;
  object["dram_utilization"] = memory.dram_utilization;
  object["shared_passes_per_load_request"] = value(memory.shared_passes_per_load);
  object["shared_passes_per_store_request"] = value(memory.shared_passes_per_store);
  object["l1_data_pipe_utilization"] = memory.l1_data_pipe_utilization;
  object["bank_conflict_share"] = memory.bank_conflict_share;
  return object;
}

Json values(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

Json pipes(const std::vector<PipeUse>& pipes) {
  Json object = Json::object();
  for (const PipeUse& pipe : pipes) object[pipe.name] = pipe.utilization;
  return object;
}

Json checks(const RunInfo& info) {
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  for (const CheckResult& check : info.checks) {
    compared += check.compared;
    differing += check.differing;
  }
  return {{"made", info.checked ? info.checks.size() : 0}, {"compared", compared}, {"differing", differing}};
}

void add_launch(Json& object, const Summary& summary, const sim::LaunchFigures& launch) {
  object["kernel"] = summary.kernel;
  if (const std::string signature = demangled(summary.kernel); signature != summary.kernel) {
    object["signature"] = signature;
  }
  object["gpu"] = summary.gpu;
  object["launch"] = summary.info.launch_path;
  object["scheduler"] = summary.scheduler;
  object["divergence"] = summary.divergence;
  object["cold"] = summary.is_cold;
  if (summary.ran_beside_others) object["beside_others"] = true;
  const stream::LaunchShape& shape = launch.shape;
  object["grid"] = extents(shape.grid);
  object["block"] = extents(shape.block);
  object["registers_per_thread"] = shape.registers_per_thread;
  if (summary.info.registers_estimated) object["registers_estimated"] = true;
  object["shared_bytes_per_block"] = shape.shared_bytes_per_block;
  object["shared_carveout_bytes"] = launch.occupancy.shared_carveout;
  object["warps_per_block"] = shape.warps_per_block();
}

void add_headline(Json& object, const Summary& summary) {
  object["cycles"] = summary.whole_cycles();
  object["time_us"] = summary.whole_time_us();
  object["launch_cycles"] = summary.kernel_launch_cycles;
  object["cycles_after_blocks"] = summary.after_blocks;
  object["warp_instructions"] = summary.total.warp_instructions;
  object["thread_instructions"] = summary.total.thread_instructions;
  object["ipc"] = summary.ipc;
  object["ipc_elapsed"] = summary.ipc_elapsed;
  object["theoretical_occupancy"] = summary.theoretical_occupancy;
  object["achieved_occupancy"] = summary.achieved_occupancy;
  object["issue_efficiency"] = summary.issue_efficiency;
  object["divergence_utilization"] = summary.divergence_utilization;
  object["divergence_utilization_pred_on"] = summary.divergence_utilization_pred_on;
}

void add_occupancy(Json& object, const Summary& summary, const sim::LaunchFigures& launch) {
  object["blocks_per_sm"] = launch.occupancy.blocks_per_sm;
  object["theoretical_warps_per_sm"] = launch.occupancy.warps_per_sm;
  object["achieved_warps_per_sm"] = summary.achieved_warps_per_sm;
  object["limiters"] = limiter_keys(launch.occupancy);
  object["limits"] = limits(launch.occupancy);
  object["waves"] = launch.waves;
}

void add_schedulers(Json& object, const Summary& summary) {
  object["active_cycles"] = summary.total.active_cycles;
  object["resident_warp_cycles"] = summary.total.resident_warp_cycles;
  object["eligible_warp_cycles"] = summary.total.eligible_warp_cycles;
  object["active_warps_per_scheduler"] = summary.active_warps_per_scheduler;
  object["eligible_warps_per_scheduler"] = summary.eligible_warps_per_scheduler;
  object["issued_warps_per_scheduler"] = summary.issued_warps_per_scheduler;
  object["cycles_per_issued_instruction"] = value(summary.cycles_per_issued_instruction);
  object["branches"] = summary.total.branches;
  object["divergent_branches"] = summary.total.divergent_branches;
  object["branch_efficiency"] = value(summary.branch_efficiency);
}

/// For a trace: the share of warp instructions that was approximated, and by what.
Json approximations(const Summary& summary) {
  Json opcodes = Json::array();
  for (const Approximation& each : summary.info.approximations) {
    opcodes.push_back(
        {{"opcode", each.opcode}, {"as", each.as}, {"warp_instructions", each.warp_instructions}});
  }
  const std::uint64_t count = summary.approximated_instructions();
  return {{"warp_instructions", count},
          {"share", ratio(count, summary.total.warp_instructions).value_or(0)},
          {"opcodes", opcodes}};
}

/// Cycles and shares are for the whole GPU; counts are those of the sample.
Json sampled(const SampleSize& sample) {
  return {{"sms", sample.sms},
          {"of_sms", sample.of_sms},
          {"blocks", sample.blocks},
          {"of_blocks", sample.of_blocks}};
}

/// Cycles and time are for all blocks; `cycles` here, counts and shares are those of the simulated ones.
Json sampled_blocks(const Summary& summary) {
  const SampledBlocks& sample = summary.info.blocks.value();
  if (!sample.why_whole.empty()) return {{"why_whole", sample.why_whole}};
  const auto cycles = static_cast<double>(summary.whole_cycles());
  return {{"blocks", sample.blocks},
          {"of_blocks", sample.of_blocks},
          {"cycles", summary.cycles},
          {"wave_blocks", sample.wave_blocks},
          {"steady_waves", sample.steady_waves},
          {"wave_cycles", sample.wave_cycles},
          {"wave_deviation", sample.wave_deviation},
          {"confidence", kConfidence},
          {"cycles_least", std::max(cycles - sample.half_width, static_cast<double>(summary.cycles))},
          {"cycles_most", cycles + sample.half_width},
          {"method", kBlockSampleMethod}};
}

/// For a list of which only some launches were timed. All but the interval is of the whole list, in which
/// each timed launch counts as often as it stands for another.
Json sampled_list(const Summary& summary) {
  const ListSample& sample = summary.info.list_sample.value();
  const double cycles = static_cast<double>(summary.cycles);
  return {{"launches", sample.launches},
          {"timed", sample.timed},
          {"warm_ups", sample.warm_ups},
          {"groups", sample.groups},
          {"confidence", sample.confidence},
          {"cycles_least", std::max(cycles - sample.half_width(), 0.0)},
          {"cycles_most", cycles + sample.half_width()},
          {"from_scatter", sample.from_scatter},
          {"from_l2", sample.from_l2},
          {"method", kListSampleMethod}};
}

/// Gives reports of several launches the same keys as those of one.
void blank_launch(Json& object) {
  for (const char* key :
       {"grid", "block", "registers_per_thread", "shared_bytes_per_block", "shared_carveout_bytes",
        "warps_per_block", "blocks_per_sm", "theoretical_warps_per_sm", "waves"}) {
    object[key] = nullptr;
  }
  object["limiters"] = Json::array();
  for (auto& limit : object["limits"]) limit = nullptr;
}

void add_per_sm(Json& object, const Summary& summary) {
  object["per_sm"] = {{"sms", summary.sms},
                      {"active_sms", summary.active_sms},
                      {"achieved_occupancy", spread(summary.sm_achieved_occupancy)},
                      {"issue_efficiency", spread(summary.sm_issue_efficiency)},
                      {"active_cycles", spread(summary.sm_cycles)}};
}

void add_swept(Json& object, const std::vector<std::pair<std::string, std::string>>& swept) {
  for (const auto& [key, value] : swept) object["swept"][key] = value;
}

/// The runs, followed by the failures.
Json array_of(std::span<const Summary> runs, std::span<const Failure> failures) {
  Json array = Json::array();
  for (const Summary& run : runs) array.push_back(to_object(run));
  for (const Failure& failure : failures) array.push_back(to_object(failure));
  return array;
}

}  // namespace

std::string json_text(const Json& document) {
  constexpr int kIndent = 2;
  // A launch's path can contain any bytes. Bytes that are not UTF-8 must not prevent the report.
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json part_object(const Provenance& provenance) {
  Json files = Json::array();
  for (const HashedFile& file : provenance.files)
    files.push_back({{"path", file.path}, {"sha256", file.sha256}});
  return {{"gpu_changes", values(provenance.gpu_changes)},
          {"parameters", values(provenance.parameters)},
          {"files", files}};
}

Json to_object(const Provenance& provenance) {
  Json object = {{"version", provenance.version}, {"command", provenance.command}};
  object.update(part_object(provenance));
  return object;
}

Json to_object(const Summary& summary) {
  Json object = {{"schema_version", kSchemaVersion}};
  const sim::LaunchFigures launch = summary.launch.value_or(sim::LaunchFigures());
  add_swept(object, summary.info.swept);
  add_launch(object, summary, launch);
  add_headline(object, summary);
  add_occupancy(object, summary, launch);
  add_schedulers(object, summary);
  object["ledgers"] = {{"warp_slots", ledger(summary.ledgers.warp_slots)},
                       {"issue_slots", ledger(summary.ledgers.issue_slots)},
                       {"lane_slots", ledger(summary.ledgers.lane_slots)}};
  object["stalls"] = counts(summary.ledgers.stalls);
  object["memory"] = memory(summary.memory);
  object["pipes"] = pipes(summary.pipes);
  add_per_sm(object, summary);
  object["checks"] = checks(summary.info);
  if (summary.info.sample) object["sampled"] = sampled(*summary.info.sample);
  if (summary.info.blocks) object["sampled_blocks"] = sampled_blocks(summary);
  if (const auto& stands_for = summary.info.stands_for)
    object["stands_for"] = {{"group", stands_for->group}, {"launches", stands_for->launches}};
  if (summary.info.list_sample) object["sampled_launches"] = sampled_list(summary);
  if (summary.info.is_trace) object["approximated"] = approximations(summary);
  if (!summary.launch) blank_launch(object);
  const Verdict verdict = judge(summary);
  object["verdict"] = {{"kind", verdict.kind},
                       {"share", verdict.share},
                       {"gain", value(verdict.gain)},
                       {"text", verdict.text},
                       {"beside", verdict.beside}};
  object["provenance"] = to_object(summary.info.provenance);
  return object;
}

Json to_object(const Failure& failure) {
  Json object = {{"schema_version", kSchemaVersion}};
  add_swept(object, failure.swept);
  object["launch"] = failure.launch_path;
  object["failure"] = failure.message;
  object["provenance"] = to_object(failure.provenance);
  return object;
}

std::string to_json(std::span<const Summary> kernels, const Summary& all, std::span<const Failure> failures) {
  Json document = {{"schema_version", kSchemaVersion}, {"list", all.info.launch_path}, {"gpu", all.gpu}};
  document["kernels"] = array_of(kernels, {});
  document["all"] = to_object(all);
  if (!failures.empty()) document["failures"] = array_of({}, failures);
  return json_text(document);
}

std::string to_json(std::span<const Summary> runs, std::span<const Failure> failures) {
  Json document = array_of(runs, failures);
  if (document.size() == 1 && runs.size() == 1 && runs[0].info.swept.empty()) document = Json(document[0]);
  return json_text(document);
}

}  // namespace heddle::report
