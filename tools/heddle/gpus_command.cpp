#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tools/heddle/gpu_choice.h"
#include "tools/heddle/options.h"
#include "tools/heddle/output.h"
#include "tools/report/render_text.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

namespace po = boost::program_options;

Syntax gpus_syntax() {
  Syntax syntax =
      make_syntax("heddle gpus [NAME|FILE] [--set KEY=VALUE]...",
                  "Lists the GPUs that can be simulated, or prints one with all its values, as a GPU file\n"
                  "that can be changed and given to heddle run --gpu.",
                  "gpu",
                  "  heddle gpus\n"
                  "  heddle gpus h100\n"
                  "  heddle gpus h100 --set sms=1 --set l1.enabled=false > small.yaml\n");
  syntax.options.add_options()("set",
                               po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
                               "changes a value of the GPU, as l1.latency=40");
  return syntax;
}

std::vector<std::string> row_of(const std::string& name, const sim::GpuSpec& spec) {
  return {fmt::format("{:<10}{}", name, spec.description),
          spec.compute_capability,
          fmt::format("{}", spec.sms),
          fmt::format("{:g}", spec.clock_mhz),
          fmt::format("{}", spec.occupancy.max_warps),
          report::byte_text(spec.occupancy.shared_bytes),
          report::byte_text(spec.l2.bytes),
          fmt::format("{:.0f}", spec.dram.bandwidth_gbps)};
}

/// A file that cannot be read does not hide the others, but is told of in the end.
int list_gpus() {
  report::Table table{{"GPU", "cc", "SMs", "MHz", "warps/SM", "shared/SM", "L2", "GB/s"}, {}};
  Diagnostics problems;
  for (const std::string& name : sim::available_gpus()) {
    try {
      table.rows.push_back(row_of(name, choose_gpu(name, {})));
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.list()) problems.add(diagnostic);
    }
  }
  if (table.rows.empty() && problems.empty()) {
    throw InputError({sim::default_configs_directory(), 0, 0}, "there are no GPU files here");
  }
  report::Document document;
  document.items.push_back(table);
  write_output(report::render_text(document, {wants_colour(stdout), false}));
  problems.throw_if_any();
  return kDone;
}

}  // namespace

int gpus_command(const Arguments& arguments) {
  const Syntax syntax = gpus_syntax();
  const OptionValues values = parse(syntax, arguments);
  if (values.count("help") != 0) {
    write_output(help_text(syntax));
    return kDone;
  }
  const std::vector<std::string> names = list_of(values, "gpu");
  const std::vector<std::string> settings = list_of(values, "set");
  if (names.size() > 1) throw UsageError("one GPU at a time can be shown");
  if (names.empty() && !settings.empty()) throw UsageError("--set needs the name of the GPU that it changes");
  if (names.empty()) return list_gpus();
  write_output(sim::to_yaml(choose_gpu(names[0], settings)));
  return kDone;
}

}  // namespace heddle::command
