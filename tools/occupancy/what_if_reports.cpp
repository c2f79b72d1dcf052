#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/base/cuda_limits.h"
#include "tools/occupancy/reports.h"
#include "tools/report/words.h"

namespace heddle::occupancy {

namespace {

using Json = nlohmann::ordered_json;
using report::counted;
using report::Document;
using report::grouped;
using report::percent;
using report::Statement;

template <typename Value>
Json value(const std::optional<Value>& optional) {
  return optional ? Json(*optional) : Json(nullptr);
}

/// Registers are allocated in units per warp, so saving less than a unit gains nothing.
std::string registers_text(const Answer& answer, const sim::OccupancyReach& reach) {
  const std::uint64_t threads = answer.question.resources.block.count();
  if (!reach.registers)
    return fmt::format("no number of registers does, with blocks of {}", counted(threads, "thread"));
  return fmt::format("at most {} a thread (now {}): __launch_bounds__({}, {}), or -maxrregcount={}",
                     grouped(*reach.registers), answer.question.resources.registers_per_thread, threads,
                     reach.blocks_per_sm, *reach.registers);
}

std::string shared_text(const Answer& answer, const sim::OccupancyReach& reach) {
  if (!reach.shared) return "no amount of shared memory does, with these registers and block size";
  return fmt::format("at most {} a block, static and dynamic (now {})", counted(*reach.shared, "byte"),
                     grouped(answer.question.resources.shared_bytes()));
}

std::string sizes_text(const std::vector<std::uint32_t>& sizes) {
  return sizes.empty() ? "no block size does, with these registers and bytes"
                       : fmt::format("{}", fmt::join(sizes, ", "));
}

}  // namespace

Document to_document(const Answer& answer, const sim::OccupancyReach& reach, double target) {
  Document document;
  const bool is_reached = answer.occupancy.warps_per_sm >= reach.warps;
  document.items.emplace_back(report::Line{
      {fmt::format("For {}, which is {} of {} warps in {} of this size{}", percent(target), reach.warps,
                   answer.question.device.limits.max_warps, counted(reach.blocks_per_sm, "block"),
                   is_reached ? " (reached already)" : ""),
       "one change at a time"}});
  document.items.emplace_back(Statement{"  registers    ", registers_text(answer, reach)});
  document.items.emplace_back(Statement{"  shared memory", shared_text(answer, reach)});
  if (answer.question.device.limits.barriers > 0 && reach.barriers &&
      *reach.barriers < kMostBarriersPerBlock) {
    document.items.emplace_back(
        Statement{"  barriers     ", fmt::format("at most {} a block", *reach.barriers)});
  }
  document.items.emplace_back(Statement{"  block sizes  ", sizes_text(reach.block_sizes)});
  return document;
}

Json to_object(const sim::OccupancyReach& reach, const Answer& answer, double target) {
  Json object = {{"occupancy", target},
                 {"warps_per_sm", reach.warps},
                 {"blocks_per_sm", reach.blocks_per_sm},
                 {"reached", answer.occupancy.warps_per_sm >= reach.warps},
                 {"max_registers_per_thread", value(reach.registers)},
                 {"max_shared_bytes_per_block", value(reach.shared)},
                 {"max_barriers_per_block", value(reach.barriers)},
                 {"block_sizes", reach.block_sizes}};
  if (reach.registers) {
    object["launch_bounds"] = {answer.question.resources.block.count(), reach.blocks_per_sm};
  }
  return object;
}

Document to_document(const Question& question, const sim::BlockSuggestion& suggestion) {
  Document document;
  const sim::Occupancy& found = suggestion.occupancy;
  document.items.emplace_back(Statement{
      "Suggested block:",
      fmt::format("{} threads, for {} an SM = {}; a grid of {} fills the {} SMs", grouped(suggestion.threads),
                  counted(found.blocks_per_sm, "block"), percent(found.occupancy),
                  counted(std::uint64_t{found.blocks_per_sm} * question.device.sms, "block"),
                  question.device.sms)});
  document.items.emplace_back(
      Statement{"As many threads with:", fmt::format("{}", fmt::join(suggestion.ties, ", "))});
  return document;
}

Json to_object(const Question& question, const sim::BlockSuggestion& suggestion) {
  const sim::Occupancy& found = suggestion.occupancy;
  return {{"threads_per_block", suggestion.threads},
          {"min_grid_blocks", std::uint64_t{found.blocks_per_sm} * question.device.sms},
          {"blocks_per_sm", found.blocks_per_sm},
          {"warps_per_sm", found.warps_per_sm},
          {"occupancy", found.occupancy},
          {"ties", suggestion.ties}};
}

}  // namespace heddle::occupancy
