#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/base/cpp_name.h"
#include "sim/occupancy/what_if.h"
#include "tools/occupancy/reports.h"
#include "tools/report/words.h"

namespace heddle::occupancy {

namespace {

using report::byte_text;
using report::counted;
using report::Document;
using report::Gap;
using report::grouped;
using report::Line;
using report::percent;
using report::Statement;
using report::Table;
using sim::Resource;

// -- what is asked --------------------------------------------------------------------------------

std::string shared_text(const sim::KernelResources& kernel) {
  if (kernel.shared_bytes() == 0) return "no shared memory";
  if (kernel.static_shared > 0 && kernel.dynamic_shared > 0) {
    return fmt::format("{} + {} bytes of shared memory", grouped(kernel.static_shared),
                       grouped(kernel.dynamic_shared));
  }
  return fmt::format("{} of {} shared memory", counted(kernel.shared_bytes(), "byte"),
                     kernel.static_shared > 0 ? "static" : "dynamic");
}

/// Every compiled kernel has some registers.
std::string registers_text(const Question& question) {
  if (question.resources.registers_per_thread == 0 && !question.compiled)
    return "registers not given, not counted";
  return fmt::format("{} a thread", counted(question.resources.registers_per_thread, "register"));
}

void add_head(Document& document, const Answer& answer) {
  const Question& question = answer.question;
  const sim::KernelResources& kernel = question.resources;
  const std::string who = question.kernel.empty() ? "A kernel" : short_name(question.kernel);
  document.items.emplace_back(Line{{fmt::format("{} on {}", who, device_text(question.device))}, true});
  const std::string suggested = question.is_block_suggested ? " (suggested)" : "";
  Line line{{fmt::format("block {}{}", report::extents_text(kernel.block), suggested),
             registers_text(question), shared_text(kernel)}};
  if (kernel.barriers != 1) line.facts.push_back(counted(kernel.barriers, "named barrier"));
  if (kernel.carveout_percent) line.facts.push_back(fmt::format("carve-out {} %", *kernel.carveout_percent));
  if (question.compiled && question.compiled->spill_stores + question.compiled->spill_loads > 0) {
    line.facts.push_back(fmt::format("spills {} bytes out, {} in", grouped(question.compiled->spill_stores),
                                     grouped(question.compiled->spill_loads)));
  }
  document.items.emplace_back(line);
}

// -- the figure and its limits --------------------------------------------------------------------

void add_figure(Document& document, const Answer& answer) {
  const sim::Occupancy& found = answer.occupancy;
  report::BarChart chart;
  chart.has_track = true;
  chart.bars.push_back(
      {"Theoretical occupancy", 0, found.occupancy, percent(found.occupancy),
       fmt::format("{} of {} warps: {} of {}", found.warps_per_sm, answer.question.device.limits.max_warps,
                   counted(found.blocks_per_sm, "block"), found.block.warps),
       report::Tone::Used});
  document.items.emplace_back(chart);
}

struct Amounts {
  std::uint64_t of_block = 0;
  std::uint64_t of_sm = 0;
};

Amounts amounts(const Answer& answer, Resource resource) {
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::BlockAllocation& block = answer.occupancy.block;
  switch (resource) {
    case Resource::Warps:
      return {block.warps, limits.max_warps};
    case Resource::Blocks:
      return {1, limits.max_blocks};
    case Resource::Registers:
      return {block.registers, limits.registers};
    case Resource::Shared:
      return {block.shared_bytes, answer.occupancy.shared_capacity};
    case Resource::Barriers:
      return {answer.question.resources.barriers, limits.barriers};
    case Resource::Virtual:
      return {answer.question.resources.virtual_resources, limits.virtual_resources};
  }
  return {};
}

void add_limits(Document& document, const Answer& answer) {
  Table table{{"limit", "blocks", "a block takes", "an SM has", "left over", ""}, {}};
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    const std::uint32_t blocks = answer.occupancy.limits[i];
    const Amounts amount = amounts(answer, resource);
    if (blocks == sim::kNoBlockLimit && (amount.of_sm == 0 || resource == Resource::Virtual)) continue;
    const auto left = left_over(answer, resource);
    table.rows.push_back({std::string(info(resource).key),
                          blocks == sim::kNoBlockLimit ? "-" : grouped(blocks), grouped(amount.of_block),
                          grouped(amount.of_sm), left ? grouped(*left) : "-",
                          answer.occupancy.is_limited_by(resource) ? "binds" : ""});
  }
  document.items.emplace_back(table);
}

// -- what follows ---------------------------------------------------------------------------------

/// A kernel that takes less of one resource.
struct Change {
  std::string text;  ///< "128 registers a thread"
  sim::KernelResources resources;
};

/// The least change to the limiting resource with which this many warps fit; nothing if no change is enough.
std::optional<Change> change_for(const Answer& answer, std::uint64_t warps) {
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::Occupancy& found = answer.occupancy;
  const sim::OccupancyReach reach =
      sim::reach(limits, answer.question.resources, static_cast<double>(warps) / limits.max_warps);
  sim::KernelResources changed = answer.question.resources;
  if (found.is_limited_by(Resource::Registers) && reach.registers) {
    changed.registers_per_thread = *reach.registers;
    return Change{fmt::format("{} a thread", counted(*reach.registers, "register")), changed};
  }
  if (found.is_limited_by(Resource::Shared) && reach.shared) {
    changed.static_shared = 0;
    changed.dynamic_shared = *reach.shared;
    changed.max_dynamic_shared.reset();
    return Change{fmt::format("{} of shared memory a block", counted(*reach.shared, "byte")), changed};
  }
  if (found.is_limited_by(Resource::Barriers) && reach.barriers) {
    changed.barriers = *reach.barriers;
    return Change{counted(*reach.barriers, "named barrier"), changed};
  }
  return std::nullopt;
}

/// "but blocks of 256 threads would reach 60 warps = 93.8 %", with the kernel's registers and shared memory.
std::string other_block_size(const Answer& answer) {
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::BlockSuggestion best =
      sim::suggest_block(limits, answer.question.resources, limits.max_threads_per_block);
  if (best.threads == 0 || best.occupancy.warps_per_sm <= answer.occupancy.warps_per_sm)
    return "and no other block size gets further with these registers and bytes";
  return fmt::format("but blocks of {} would reach {} = {}", counted(best.ties.front(), "thread"),
                     counted(best.occupancy.warps_per_sm, "warp"), percent(best.occupancy.occupancy));
}

/// "with at most 128 registers a thread it would be 7 blocks = 87.5 %", for the limiting resource.
std::string next_step(const Answer& answer) {
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::Occupancy& found = answer.occupancy;
  if (found.warps_per_sm == limits.max_warps) return "every warp slot of the SM is taken";
  const std::uint64_t warps = (found.blocks_per_sm + std::uint64_t{1}) * found.block.warps;
  if (warps > limits.max_warps) {
    return fmt::format("another block of {} does not fit the {} warp slots, {}",
                       counted(found.block.warps, "warp"), limits.max_warps, other_block_size(answer));
  }
  if (found.limiters().size() > 1) {
    return fmt::format("{} bind together: one of them alone will not bring more",
                       report::limiters_text(found));
  }
  if (const auto change = change_for(answer, warps)) {
    const sim::Occupancy gained = sim::occupancy_of(limits, change->resources);
    return fmt::format("with at most {} it would be {} = {}", change->text,
                       counted(gained.blocks_per_sm, "block"), percent(gained.occupancy));
  }
  return fmt::format("larger blocks are needed to fill the warp slots of {}",
                     counted(limits.max_blocks, "block"));
}

void add_textbook(Document& document, const Answer& answer, bool is_explained) {
  if (answer.textbook.warps == answer.occupancy.warps_per_sm) return;
  const std::string_view where = is_explained ? "is said below" : "--explain says";
  document.items.emplace_back(Statement{
      "Textbook:",
      fmt::format("plain division says {} of {} warps = {}; why that is wrong, {}", answer.textbook.warps,
                  answer.question.device.limits.max_warps, percent(answer.textbook.occupancy), where)});
}

void add_verdict(Document& document, const Answer& answer, bool is_explained) {
  document.items.emplace_back(
      Statement{fmt::format("Limited by {}:", report::limiters_text(answer.occupancy)), next_step(answer)});
  add_textbook(document, answer, is_explained);
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::KernelResources& asked = answer.question.resources;
  if (asked.static_shared > limits.shared_without_opt_in) {
    document.items.emplace_back(Statement{
        "Static:",
        fmt::format(
            "compilers refuse more than {} of static shared memory: declare it extern __shared__, so that "
            "it is dynamic",
            byte_text(limits.shared_without_opt_in))});
  } else if (asked.shared_bytes() > limits.shared_without_opt_in) {
    document.items.emplace_back(
        Statement{"Opt-in:",
                  fmt::format("more than {} of shared memory is dynamic and has to be allowed: "
                              "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {})",
                              byte_text(limits.shared_without_opt_in), asked.dynamic_shared)});
  }
}

std::string gpu_text(const Device& device) {
  if (device.example.empty()) return counted(device.sms, "SM");
  return fmt::format("{}, as {} has", counted(device.sms, "SM"), device.example);
}

void add_grid(Document& document, const Answer& answer) {
  if (answer.clusters) {
    const ClusterFit& fit = *answer.clusters;
    document.items.emplace_back(Statement{
        "Clusters:", fmt::format("{} clusters of {} are active at a time on {}, if its GPCs are alike{}; "
                                 "cudaOccupancyMaxActiveClusters asks a card itself",
                                 grouped(fit.max_active_clusters), counted(fit.blocks, "block"),
                                 gpu_text(answer.question.device),
                                 fit.is_portable ? ""
                                                 : "; more than 8 blocks have to be allowed: "
                                                   "cudaFuncAttributeNonPortableClusterSizeAllowed")});
  }
  if (!answer.grid) return;
  const sim::GridFit& fit = *answer.grid;
  const std::string tail = fit.tail_blocks == 0 ? "no tail"
                           : fit.full_waves == 0
                               ? "less than one wave"
                               : fmt::format("the last wave has {}", counted(fit.tail_blocks, "block"));
  document.items.emplace_back(
      Statement{"Grid:", fmt::format("{} are {:.2f} waves of {} on {}; {}; {} of the places are used",
                                     counted(fit.blocks, "block"), fit.waves, grouped(fit.blocks_per_wave),
                                     gpu_text(answer.question.device), tail, percent(fit.efficiency))});
}

}  // namespace

std::string device_text(const Device& device) {
  if (!device.example.empty()) return device.description;
  return fmt::format("{} ({}, compute capability {})", device.description, device.name,
                     device.compute_capability);
}

Document to_document(const Answer& answer, bool is_explained) {
  Document document;
  add_head(document, answer);
  document.items.emplace_back(Gap{});
  add_figure(document, answer);
  document.items.emplace_back(Gap{});
  add_limits(document, answer);
  document.items.emplace_back(Gap{});
  add_verdict(document, answer, is_explained);
  add_grid(document, answer);
  return document;
}

Document to_table(std::span<const Answer> answers) {
  Table table{
      {"kernel", "cc", "block", "regs", "smem", "bars", "spills", "blocks", "warps", "occupancy", "limit"},
      {}};
  for (const Answer& answer : answers) {
    const sim::KernelResources& kernel = answer.question.resources;
    const auto& compiled = answer.question.compiled;
    table.rows.push_back(
        {short_name(answer.question.kernel), answer.question.device.compute_capability,
         report::extents_text(kernel.block) + (answer.question.is_block_suggested ? "*" : ""),
         grouped(kernel.registers_per_thread), grouped(kernel.shared_bytes()), grouped(kernel.barriers),
         compiled ? grouped(compiled->spill_stores + compiled->spill_loads) : "-",
         grouped(answer.occupancy.blocks_per_sm), grouped(answer.occupancy.warps_per_sm),
         percent(answer.occupancy.occupancy), report::limiters_text(answer.occupancy)});
  }
  Document document;
  document.items.emplace_back(table);
  bool any_suggested = false;
  for (const Answer& answer : answers) any_suggested |= answer.question.is_block_suggested;
  if (any_suggested) {
    document.items.emplace_back(Gap{});
    document.items.emplace_back(
        Line{{"* the block size with the most threads an SM; --block gives another"}});
  }
  return document;
}

std::string short_name(const std::string& kernel) {
  constexpr std::size_t kMost = 40;
  std::string name(qualified_name(kernel));
  return name.size() <= kMost ? name : name.substr(0, kMost - 3) + "...";
}

}  // namespace heddle::occupancy
