#include "tools/heddle/journal/outcome_json.h"

#include <utility>

#include "sim/occupancy/occupancy.h"
#include "tools/heddle/journal/counts_json.h"
#include "tools/heddle/journal/text_json.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// Structures are taken apart completely, so that a new member causes a compile error until it is saved here.

template <typename List, typename Convert>
Json list_of(const List& list, Convert convert) {
  Json array = Json::array();
  for (const auto& each : list) array.push_back(convert(each));
  return array;
}

Json to_json(const Pairs& pairs) {
  return list_of(pairs, [](const auto& pair) {
    return Json::array({text_to_json(pair.first), text_to_json(pair.second)});
  });
}

Pairs pairs_from(const Json& json) {
  Pairs pairs;
  for (const Json& pair : json) pairs.emplace_back(text_from_json(pair.at(0)), text_from_json(pair.at(1)));
  return pairs;
}

// -- what a run was made from -----------------------------------------------------------------------

Json to_json(const report::Provenance& provenance) {
  const auto& [version, command, gpu_changes, parameters, files] = provenance;
  return {{"version", version},
          {"command", list_of(command, [](const std::string& word) { return text_to_json(word); })},
          {"gpu_changes", to_json(gpu_changes)},
          {"parameters", to_json(parameters)},
          {"files", list_of(files, [](const report::HashedFile& file) {
             return Json::array({text_to_json(file.path), file.sha256});
           })}};
}

report::Provenance provenance_from(const Json& json) {
  report::Provenance provenance;
  provenance.version = json.at("version").get<std::string>();
  for (const Json& word : json.at("command")) provenance.command.push_back(text_from_json(word));
  provenance.gpu_changes = pairs_from(json.at("gpu_changes"));
  provenance.parameters = pairs_from(json.at("parameters"));
  for (const Json& file : json.at("files"))
    provenance.files.push_back({text_from_json(file.at(0)), file.at(1).get<std::string>()});
  return provenance;
}

// -- what a report has apart from counters ----------------------------------------------------------

Json to_json(const report::CheckResult& check) {
  const auto& [buffer, elements, compared, differing] = check;
  return Json::array({text_to_json(buffer), elements, compared, differing});
}

report::CheckResult check_from(const Json& json) {
  return {text_from_json(json.at(0)), json.at(1).get<std::uint64_t>(), json.at(2).get<std::uint64_t>(),
          json.at(3).get<std::uint64_t>()};
}

Json to_json(const report::Approximation& approximation) {
  const auto& [opcode, as, warp_instructions] = approximation;
  return Json::array({text_to_json(opcode), text_to_json(as), warp_instructions});
}

report::Approximation approximation_from(const Json& json) {
  return {text_from_json(json.at(0)), text_from_json(json.at(1)), json.at(2).get<std::uint64_t>()};
}

Json to_json(const std::optional<report::SampleSize>& sample) {
  if (!sample) return nullptr;
  const auto& [sms, of_sms, blocks, of_blocks] = *sample;
  return Json::array({sms, of_sms, blocks, of_blocks});
}

std::optional<report::SampleSize> sample_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return report::SampleSize{json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(),
                            json.at(2).get<std::uint64_t>(), json.at(3).get<std::uint64_t>()};
}

Json to_json(const std::optional<report::SampledBlocks>& sample) {
  if (!sample) return nullptr;
  const auto& [why_whole, blocks, of_blocks, wave, steady, cycles, deviation, left_out, half_width] = *sample;
  return Json::array(
      {text_to_json(why_whole), blocks, of_blocks, wave, steady, cycles, deviation, left_out, half_width});
}

std::optional<report::SampledBlocks> blocks_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const auto count = [&json](std::size_t i) { return json.at(i).get<std::uint64_t>(); };
  const auto number = [&json](std::size_t i) { return json.at(i).get<double>(); };
  return report::SampledBlocks{text_from_json(json.at(0)),
                               count(1),
                               count(2),
                               count(3),
                               count(4),
                               number(5),
                               number(6),
                               count(7),
                               number(8)};
}

Json to_json(const std::optional<report::StandsFor>& stands_for) {
  if (!stands_for) return nullptr;
  const auto& [group, members, is_first, launches, warm_up] = *stands_for;
  Json json = {{"group", group}, {"members", members}, {"is_first", is_first}, {"launches", launches}};
  if (warm_up) json["warm_up"] = Json::array({warm_up->group, warm_up->cycles});
  return json;
}

std::optional<report::StandsFor> stands_for_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  report::StandsFor stands_for{json.at("group").get<std::uint32_t>(), json.at("members").get<std::uint64_t>(),
                               json.at("is_first").get<bool>(),
                               json.at("launches").get<std::vector<std::uint64_t>>(), std::nullopt};
  if (json.contains("warm_up")) {
    const Json& warm_up = json.at("warm_up");
    stands_for.warm_up = {warm_up.at(0).get<std::uint32_t>(), warm_up.at(1).get<Cycle>()};
  }
  return stands_for;
}

/// A list's sum is computed anew, so its sample is not saved.
Json to_json(const report::RunInfo& info) {
  const auto& [launch_path, short_name, description, checks, checked, is_trace, approximations, sample,
               blocks, stands_for, list_sample, registers_estimated, provenance, swept] = info;
  static_cast<void>(list_sample);
  return {{"launch_path", text_to_json(launch_path)},
          {"short_name", text_to_json(short_name)},
          {"description", text_to_json(description)},
          {"checks", list_of(checks, [](const report::CheckResult& check) { return to_json(check); })},
          {"checked", checked},
          {"is_trace", is_trace},
          {"approximations",
           list_of(approximations, [](const report::Approximation& each) { return to_json(each); })},
          {"sample", to_json(sample)},
          {"blocks", to_json(blocks)},
          {"stands_for", to_json(stands_for)},
          {"registers_estimated", registers_estimated},
          {"provenance", to_json(provenance)},
          {"swept", to_json(swept)}};
}

report::RunInfo info_from(const Json& json) {
  report::RunInfo info;
  info.launch_path = text_from_json(json.at("launch_path"));
  info.short_name = text_from_json(json.at("short_name"));
  info.description = text_from_json(json.at("description"));
  for (const Json& check : json.at("checks")) info.checks.push_back(check_from(check));
  info.checked = json.at("checked").get<bool>();
  info.is_trace = json.at("is_trace").get<bool>();
  for (const Json& each : json.at("approximations")) info.approximations.push_back(approximation_from(each));
  info.sample = sample_from(json.at("sample"));
  info.blocks = blocks_from(json.at("blocks"));
  info.stands_for = stands_for_from(json.at("stands_for"));
  info.registers_estimated = json.at("registers_estimated").get<bool>();
  info.provenance = provenance_from(json.at("provenance"));
  info.swept = pairs_from(json.at("swept"));
  return info;
}

// -- counters ---------------------------------------------------------------------------------------

Json to_json(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }

Dim3 extents_from(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

Json to_json(const stream::LaunchShape& shape) {
  const auto& [kernel, grid, block, registers, shared_bytes, barriers, warp_size, register_slots] = shape;
  return {{"kernel", text_to_json(kernel)}, {"grid", to_json(grid)},
          {"block", to_json(block)},        {"registers_per_thread", registers},
          {"shared_bytes", shared_bytes},   {"barriers_per_block", barriers},
          {"warp_size", warp_size},         {"register_slots", register_slots}};
}

stream::LaunchShape shape_from(const Json& json) {
  stream::LaunchShape shape;
  shape.kernel = text_from_json(json.at("kernel"));
  shape.grid = extents_from(json.at("grid"));
  shape.block = extents_from(json.at("block"));
  shape.registers_per_thread = json.at("registers_per_thread").get<std::uint32_t>();
  shape.shared_bytes_per_block = json.at("shared_bytes").get<std::uint32_t>();
  shape.barriers_per_block = json.at("barriers_per_block").get<std::uint32_t>();
  shape.warp_size = json.at("warp_size").get<std::uint32_t>();
  shape.register_slots = json.at("register_slots").get<std::uint32_t>();
  return shape;
}

/// The occupancy is not saved, because it follows from the launch and the GPU. Nor are counters by
/// instruction, which nobody asks these runs for; and none of them runs beside another grid.
Json to_json(const sim::RunResult& result) {
  const auto& [launch, occupancy, cycles, blocks_end, sms, total, ran_beside_others, by_pc] = result;
  static_cast<void>(occupancy);
  static_cast<void>(ran_beside_others);
  static_cast<void>(by_pc);
  return {{"launch", to_json(launch)},
          {"cycles", cycles},
          {"blocks_end", blocks_end},
          {"total", counts_to_json({&total, 1})},
          {"sms", counts_to_json(sms)}};
}

sim::RunResult result_from(const Json& json, const sim::GpuSpec& spec) {
  sim::RunResult result;
  result.launch = shape_from(json.at("launch"));
  result.occupancy = sim::theoretical_occupancy(spec.occupancy, result.launch);
  result.cycles = json.at("cycles").get<Cycle>();
  result.blocks_end = json.at("blocks_end").get<Cycle>();
  result.sms = counts_from_json(json.at("sms"), spec.sms, spec.sm.pipes.size());
  result.total = std::move(counts_from_json(json.at("total"), 1, spec.sm.pipes.size())[0]);
  return result;
}

Json to_json(const RunOutcome& outcome) {
  const auto& [run, told] = outcome;
  Json json = {{"told", text_to_json(told)}};
  if (const auto* counted = std::get_if<CountedRun>(&run)) {
    const auto& [result, info] = *counted;
    json["result"] = to_json(result);
    json["info"] = to_json(info);
    return json;
  }
  const auto& [exit_code, failure] = std::get<FailedRun>(run);
  const auto& [launch_path, swept, message, provenance] = failure;
  json["exit_code"] = static_cast<int>(exit_code);
  json["failure"] = {{"launch_path", text_to_json(launch_path)},
                     {"swept", to_json(swept)},
                     {"message", text_to_json(message)},
                     {"provenance", to_json(provenance)}};
  return json;
}

FailedRun failed_from(const Json& json) {
  const Json& failure = json.at("failure");
  const bool is_input = json.at("exit_code").get<int>() == kInputWrong;
  return {is_input ? kInputWrong : kProgramFailed,
          {text_from_json(failure.at("launch_path")), pairs_from(failure.at("swept")),
           text_from_json(failure.at("message")), provenance_from(failure.at("provenance"))}};
}

RunOutcome outcome_from(const Json& json, const sim::GpuSpec& spec) {
  std::string told = text_from_json(json.at("told"));
  if (json.contains("failure")) return {failed_from(json), std::move(told)};
  return {CountedRun{result_from(json.at("result"), spec), info_from(json.at("info"))}, std::move(told)};
}

}  // namespace

Json outcomes_to_json(const RunOutcomes& outcomes) {
  return list_of(outcomes, [](const RunOutcome& outcome) { return to_json(outcome); });
}

RunOutcomes outcomes_from_json(const Json& list, const sim::GpuSpec& spec) {
  RunOutcomes outcomes;
  for (const Json& json : list) outcomes.push_back(outcome_from(json, spec));
  return outcomes;
}

}  // namespace heddle::command
