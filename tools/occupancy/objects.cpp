#include "tools/occupancy/reports.h"
#include "tools/report/json.h"
#include "tools/report/words.h"

namespace heddle::occupancy {

namespace {

using Json = nlohmann::ordered_json;

Json limit_value(std::uint32_t blocks) { return blocks == sim::kNoBlockLimit ? Json(nullptr) : Json(blocks); }

Json keys(const std::vector<sim::Resource>& resources) {
  Json list = Json::array();
  for (const sim::Resource resource : resources) list.push_back(std::string(info(resource).key));
  return list;
}

Json extents(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

void add_question(Json& object, const Question& question) {
  const sim::KernelResources& kernel = question.resources;
  object["kernel"] = question.kernel.empty() ? Json(nullptr) : Json(question.kernel);
  object["gpu"] = question.device.name;
  object["compute_capability"] = question.device.compute_capability;
  object["sms"] = question.device.sms;
  object["block"] = extents(kernel.block);
  object["threads_per_block"] = kernel.block.count();
  object["registers_per_thread"] = kernel.registers_per_thread;
  object["static_shared_bytes"] = kernel.static_shared;
  object["dynamic_shared_bytes"] = kernel.dynamic_shared;
  object["barriers_per_block"] = kernel.barriers;
  object["carveout_percent"] = kernel.carveout_percent ? Json(*kernel.carveout_percent) : Json(nullptr);
  if (!question.compiled) return;
  object["compiled"] = {{"name", question.compiled->mangled},
                        {"architecture", question.compiled->architecture},
                        {"stack_bytes", question.compiled->stack_bytes},
                        {"spill_store_bytes", question.compiled->spill_stores},
                        {"spill_load_bytes", question.compiled->spill_loads}};
}

Json limits(const sim::Occupancy& found) {
  Json object = Json::object();
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    object[std::string(sim::kResourceTable[i].key)] = limit_value(found.limits[i]);
  }
  return object;
}

Json left_overs(const Answer& answer) {
  Json object = Json::object();
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    const auto left = left_over(answer, static_cast<sim::Resource>(i));
    object[std::string(sim::kResourceTable[i].key)] = left ? Json(*left) : Json(nullptr);
  }
  return object;
}

void add_occupancy(Json& object, const Answer& answer) {
  const sim::Occupancy& found = answer.occupancy;
  object["blocks_per_sm"] = found.blocks_per_sm;
  object["warps_per_sm"] = found.warps_per_sm;
  object["max_warps_per_sm"] = answer.question.device.limits.max_warps;
  object["occupancy"] = found.occupancy;
  object["limiters"] = keys(found.limiters());
  object["limiting_factors"] = keys(limiting_factors(found));
  object["limits"] = limits(found);
  object["left_over"] = left_overs(answer);
  object["allocation"] = {{"warps_per_block", found.block.warps},
                          {"registers_per_warp", found.block.registers_per_warp},
                          {"registers_per_block", found.block.registers},
                          {"shared_bytes_per_block", found.block.shared_bytes}};
  object["shared_bytes_per_sm"] = found.shared_capacity;
  object["shared_carveout_bytes"] = found.shared_carveout;
  object["textbook"] = {{"warps_per_sm", answer.textbook.warps}, {"occupancy", answer.textbook.occupancy}};
}

void add_grid(Json& object, const Answer& answer) {
  if (answer.clusters) {
    object["clusters"] = {{"blocks_per_cluster", answer.clusters->blocks},
                          {"max_active_clusters", answer.clusters->max_active_clusters},
                          {"portable", answer.clusters->is_portable}};
  }
  if (!answer.grid) return;
  object["grid"] = {{"blocks", answer.grid->blocks},
                    {"blocks_per_wave", answer.grid->blocks_per_wave},
                    {"waves", answer.grid->waves},
                    {"full_waves", answer.grid->full_waves},
                    {"tail_blocks", answer.grid->tail_blocks},
                    {"tail_efficiency", answer.grid->efficiency}};
}

}  // namespace

Json to_object(const Answer& answer) {
  Json object;
  object["schema_version"] = report::kSchemaVersion;
  add_question(object, answer.question);
  add_occupancy(object, answer);
  add_grid(object, answer);
  return object;
}

}  // namespace heddle::occupancy
