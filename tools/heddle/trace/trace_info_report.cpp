#include "tools/heddle/trace/trace_info_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/occupancy/occupancy.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/json_object.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

sim::Occupancy occupancy_on(const sim::GpuSpec& gpu, const trace::TraceHeader& header) {
  sim::KernelResources kernel;
  kernel.block = header.block;
  kernel.registers_per_thread = header.registers;
  kernel.dynamic_shared = header.shared_bytes;
  return sim::occupancy_of(gpu.occupancy, kernel);
}

// -- text ---------------------------------------------------------------------------------------------------

constexpr std::size_t kShownOpcodes = 16;

report::BarChart chart_of_opcodes(const TraceSummary& kernel) {
  report::BarChart chart{"Opcodes", "share of the warp instructions; mean active lanes", false, {}};
  std::uint64_t shown = 0;
  const auto add = [&](std::string label, std::uint64_t warps, std::uint64_t threads) {
    const auto total = static_cast<double>(std::max<std::uint64_t>(kernel.warp_instructions, 1));
    const double share = static_cast<double>(warps) / total;
    const double lanes = static_cast<double>(threads) / static_cast<double>(warps);
    chart.bars.push_back({std::move(label), 0, share, report::percent(share),
                          fmt::format("{} x {:.1f} lanes", report::grouped(warps), lanes),
                          report::Tone::Plain});
    shown += warps;
  };
  for (std::size_t i = 0; i < std::min(kShownOpcodes, kernel.opcodes.size()); ++i) {
    add(kernel.opcodes[i].opcode, kernel.opcodes[i].warp_instructions, kernel.opcodes[i].thread_instructions);
  }
  std::uint64_t other_threads = 0;
  for (std::size_t i = kShownOpcodes; i < kernel.opcodes.size(); ++i) {
    other_threads += kernel.opcodes[i].thread_instructions;
  }
  if (shown < kernel.warp_instructions) {
    add(fmt::format("{} others", kernel.opcodes.size() - kShownOpcodes), kernel.warp_instructions - shown,
        other_threads);
  }
  return chart;
}

std::string formats_text(const TraceSummary& kernel) {
  std::string text;
  for (std::size_t format = 0; format < kAddressFormats; ++format) {
    if (kernel.address_formats[format] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", address_format_name(format),
                        report::grouped(kernel.address_formats[format]));
  }
  return text.empty() ? "none" : text;
}

report::Line title_of(const TraceSummary& kernel) {
  return {{fmt::format("{} in {}", report::printable(kernel.header.kernel), kernel.path),
           report::byte_text(kernel.file_bytes)},
          true};
}

report::Line launch_of(const trace::TraceHeader& head) {
  const std::string tracer = head.tracer_version.empty()
                                 ? "no tracer version"
                                 : fmt::format("tracer version {}", report::printable(head.tracer_version));
  return {
      {fmt::format("grid {}, block {}", report::extents_text(head.grid), report::extents_text(head.block)),
       fmt::format("{} registers a thread", head.registers),
       fmt::format("{} of shared memory a block", report::byte_text(head.shared_bytes)),
       fmt::format("sm_{}", head.binary_version), tracer}};
}

report::Line counts_of(const TraceSummary& kernel) {
  return {{report::counted(kernel.blocks, "block"), report::counted(kernel.warps, "warp"),
           report::counted(kernel.warp_instructions, "warp instruction"),
           report::counted(kernel.thread_instructions, "thread instruction"),
           fmt::format("{:.2f} lanes execute on average", kernel.mean_active_lanes())}};
}

report::Line occupancy_line(const sim::GpuSpec& gpu, const trace::TraceHeader& head) {
  const sim::Occupancy found = occupancy_on(gpu, head);
  return {{fmt::format("theoretical occupancy on {} {}", gpu.name, report::percent(found.occupancy)),
           fmt::format("{} of {} warps an SM", found.warps_per_sm, gpu.occupancy.max_warps),
           fmt::format("limit: {}", report::limiters_text(found))}};
}

void append_kernel(const TraceSummary& kernel, const std::optional<sim::GpuSpec>& gpu,
                   report::Document& document) {
  const auto add = [&document](report::Line line) { document.items.emplace_back(std::move(line)); };
  add(title_of(kernel));
  add(launch_of(kernel.header));
  add(counts_of(kernel));
  add({{fmt::format("{} with addresses: {}", report::counted(kernel.memory_instructions, "instruction"),
                    formats_text(kernel))}});
  if (kernel.spin_loops != 0)
    add({{fmt::format("{} between marks", report::counted(kernel.spin_loops, "spin loop"))}});
  if (gpu) add(occupancy_line(*gpu, kernel.header));
  document.items.emplace_back(report::Gap{});
  document.items.emplace_back(chart_of_opcodes(kernel));
}

/// The common provenance of all files.
report::Provenance provenance_of(const InfoRequest& request, const std::vector<FileInfo>& files) {
  report::Provenance all = request.provenance;
  for (const FileInfo& file : files) {
    for (const TraceSummary& kernel : file.kernels) {
      all.gpu_changes = kernel.provenance.gpu_changes;
      all.add_files(kernel.provenance.files);
    }
  }
  return all;
}

}  // namespace

std::string trace_info_text(const InfoRequest& request, const std::vector<FileInfo>& files) {
  report::Document document;
  for (const FileInfo& file : files) {
    for (const TraceSummary& kernel : file.kernels) {
      if (!document.items.empty()) document.items.emplace_back(report::Gap{});
      append_kernel(kernel, request.gpu, document);
    }
    if (file.copies == 0) continue;
    document.items.emplace_back(report::Gap{});
    document.items.emplace_back(
        report::Line{{fmt::format("{}: {}", file.path, report::counted(file.kernels.size(), "kernel")),
                      fmt::format("copied from the host in {}", report::counted(file.copies, "piece")),
                      report::byte_text(file.copied_bytes)}});
  }
  const report::TextStyle style = text_style();
  document.items.emplace_back(report::Gap{});
  report::add_provenance(document, provenance_of(request, files), request.gpu ? request.gpu->name : "",
                         style.columns);
  return report::render_text(document, style);
}

namespace {

// -- data ---------------------------------------------------------------------------------------------------

Json triple(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }

Json object_of(const TraceSummary& kernel, const std::optional<sim::GpuSpec>& gpu) {
  const trace::TraceHeader& head = kernel.header;
  Json object = {{"kernel", report::printable(head.kernel)},
                 {"id", head.id},
                 {"file", kernel.path},
                 {"file_bytes", kernel.file_bytes},
                 {"grid", triple(head.grid)},
                 {"block", triple(head.block)},
                 {"registers", head.registers},
                 {"shared_bytes", head.shared_bytes},
                 {"binary_version", head.binary_version},
                 {"tracer_version", report::printable(head.tracer_version)},
                 {"blocks", kernel.blocks},
                 {"warps", kernel.warps},
                 {"warp_instructions", kernel.warp_instructions},
                 {"thread_instructions", kernel.thread_instructions},
                 {"mean_active_lanes", kernel.mean_active_lanes()},
                 {"memory_instructions", kernel.memory_instructions},
                 {"spin_loops", kernel.spin_loops}};
  for (std::size_t format = 0; format < kAddressFormats; ++format) {
    object["address_formats"][std::string(address_format_name(format))] = kernel.address_formats[format];
  }
  if (gpu) {
    const sim::Occupancy found = occupancy_on(*gpu, head);
    object["gpu"] = gpu->name;
    object["theoretical_occupancy"] = found.occupancy;
    object["limiters"] = report::limiter_keys(found);
  }
  object["opcodes"] = Json::object();
  for (const OpcodeCount& count : kernel.opcodes) {
    object["opcodes"][count.opcode] = {{"warp_instructions", count.warp_instructions},
                                       {"thread_instructions", count.thread_instructions}};
  }
  object["provenance"] = report::part_object(kernel.provenance);
  return object;
}

}  // namespace

std::string trace_info_json(const InfoRequest& request, const std::vector<FileInfo>& files) {
  Json kernels = Json::array();
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;
  for (const FileInfo& file : files) {
    for (const TraceSummary& kernel : file.kernels) kernels.push_back(object_of(kernel, request.gpu));
    copies += file.copies;
    bytes += file.copied_bytes;
  }
  const Json object = {{"schema_version", 1},
                       {"provenance", report::to_object(provenance_of(request, files))},
                       {"kernels", kernels},
                       {"copies", copies},
                       {"copied_bytes", bytes}};
  return fmt::format("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace heddle::command
