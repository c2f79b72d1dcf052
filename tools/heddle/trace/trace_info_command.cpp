#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/occupancy/occupancy.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_files.h"
#include "tools/heddle/trace/trace_summary.h"
#include "tools/report/document.h"
#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

/// Of a file on the command line.
struct FileInfo {
  std::string path;
  std::uint64_t copies = 0;
  std::uint64_t copied_bytes = 0;
  std::vector<TraceSummary> kernels;
};

FileInfo read_file(const std::string& path) {
  const trace::KernelsList list = list_of_traces(path);
  note_passed_over(path, list);
  FileInfo info{path, 0, 0, {}};
  for (const trace::ListEntry& entry : list.entries) {
    if (entry.kind == trace::ListEntry::Kind::Kernel) info.kernels.push_back(summarize_trace(entry.path));
    if (entry.kind != trace::ListEntry::Kind::Copy) continue;
    ++info.copies;
    info.copied_bytes += entry.bytes;
  }
  return info;
}

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

std::string text_of(const std::vector<FileInfo>& files, const std::optional<sim::GpuSpec>& gpu) {
  report::Document document;
  for (const FileInfo& file : files) {
    for (const TraceSummary& kernel : file.kernels) {
      if (!document.items.empty()) document.items.emplace_back(report::Gap{});
      append_kernel(kernel, gpu, document);
    }
    if (file.copies == 0) continue;
    document.items.emplace_back(report::Gap{});
    document.items.emplace_back(
        report::Line{{fmt::format("{}: {}", file.path, report::counted(file.kernels.size(), "kernel")),
                      fmt::format("copied from the host in {}", report::counted(file.copies, "piece")),
                      report::byte_text(file.copied_bytes)}});
  }
  return report::render_text(document, text_style());
}

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
  return object;
}

std::string json_of(const std::vector<FileInfo>& files, const std::optional<sim::GpuSpec>& gpu) {
  Json kernels = Json::array();
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;
  for (const FileInfo& file : files) {
    for (const TraceSummary& kernel : file.kernels) kernels.push_back(object_of(kernel, gpu));
    copies += file.copies;
    bytes += file.copied_bytes;
  }
  const Json object = {
      {"schema_version", 1}, {"kernels", kernels}, {"copies", copies}, {"copied_bytes", bytes}};
  return fmt::format("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Syntax trace_info_syntax() {
  Syntax syntax =
      make_syntax("heddle trace info FILE... [--gpu GPU|FILE] [--format text|json]",
                  "Says what traces hold: launch, instructions, opcodes, active lanes, how addresses are\n"
                  "written; with --gpu also theoretical occupancy.",
                  "trace",
                  "  heddle trace info kernel-1.traceg.xz\n"
                  "  heddle trace info kernelslist.g --gpu a100 --format json\n");
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE"), "the GPU for theoretical occupancy");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU");
  add("format", text_option("text|json"), "form of the answer");
  return syntax;
}

int trace_info_command(const Arguments& arguments) {
  const Syntax syntax = trace_info_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  const std::string format = choice_of(*values, "format", {"text", "json"});
  const auto name = text_of(*values, "gpu");
  const std::vector<std::string> settings = list_of(*values, "set");
  if (!name && !settings.empty()) throw UsageError("--set needs the GPU that it changes: --gpu NAME");
  std::optional<sim::GpuSpec> gpu;
  if (name) gpu = choose_gpu(*name, settings);
  std::vector<FileInfo> files;
  for (const std::string& path : require_traces(list_of(*values, "trace"))) files.push_back(read_file(path));
  write_output(format == "text" ? text_of(files, gpu) : json_of(files, gpu));
  return kDone;
}

}  // namespace heddle::command
