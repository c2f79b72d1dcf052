#include "tools/heddle/gpus/gpus_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/base/diagnostic.h"
#include "sim/config/compute_capabilities.h"
#include "sim/config/keys.h"
#include "sim/config/load.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/render_text.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

/// GPUs that NVIDIA never built have a word instead of a number.
std::string capability_text(const std::string& capability) {
  return capability.find('.') == std::string::npos ? "-" : capability;
}

std::vector<std::string> row_of(const std::string& name, const sim::GpuSpec& spec) {
  return {name,
          capability_text(spec.compute_capability),
          fmt::format("{}", spec.sms),
          fmt::format("{:g}", spec.clock_mhz),
          fmt::format("{}", spec.occupancy.max_warps),
          report::byte_text(spec.occupancy.shared_bytes),
          report::byte_text(spec.l2.bytes),
          fmt::format("{:.0f}", spec.dram.bandwidth_gbps),
          spec.description};
}

/// If a file cannot be read, the others are still listed, and the error is reported at the end.
int list_gpus() {
  report::Table table{{"GPU", "cc", "SMs", "MHz", "warps", "shared", "L2", "GB/s", "what it is"}, {}};
  table.ends_in_text = true;
  Diagnostics problems;
  for (const std::string& name : sim::available_gpus()) {
    try {
      table.rows.push_back(row_of(name, sim::load_gpu(name, {})));
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  if (table.rows.empty() && problems.empty()) {
    throw InputError({sim::default_configs_directory(), 0, 0}, "there are no GPU files here");
  }
  report::Document document;
  document.items.emplace_back(table);
  write_output(report::render_text(document, text_style()));
  problems.throw_if_any();
  return kDone;
}

std::string carveouts_text(const std::vector<std::uint32_t>& carveouts) {
  std::vector<std::uint32_t> kib;
  for (const std::uint32_t bytes : carveouts) kib.push_back(bytes / 1024);
  return kib.empty() ? "-" : fmt::format("{}", fmt::join(kib, " "));
}

std::string number_or_dash(std::uint32_t number) { return number == 0 ? "-" : fmt::format("{}", number); }

constexpr std::pair<std::string_view, std::string_view> kLimitNotes[] = {
    {"warps, blocks:", "that an SM holds. A warp has 32 threads, a block at most 1,024."},
    {"regs:",
     "that a block may have; a thread, 255 (256 are taken, as cuda_occupancy.h does). An SM has 65,536 in 4 pools "
     "(6.0: 2), given to warps in units of 256."},
    {"smem, block:",
     "KiB of shared memory of an SM and of a block, 48 of them without opt-in. From 8.0 on the system "
     "reserves 1 KiB for each block and the unit is 128 bytes, before that 256 and nothing reserved."},
    {"carve-outs:", "sizes in KiB that the shared memory of an SM can be set to, the rest being L1."},
    {"bars:", "named barriers of an SM, where they are a limit."},
    {"cluster:", "blocks of the largest thread-block cluster; 8 are portable."},
};

/// The limits of an SM for each compute capability. Shared memory is in KiB.
int list_limits() {
  report::Table table{
      {"cc", "name", "warps", "blocks", "regs", "smem", "block", "bars", "cluster", "carve-outs"}, {}};
  table.ends_in_text = true;
  for (const sim::ComputeCapability& row : sim::compute_capabilities()) {
    const sim::OccupancySpec& limits = row.occupancy;
    table.rows.push_back(
        {std::string(row.version), std::string(row.architecture), fmt::format("{}", limits.max_warps),
         fmt::format("{}", limits.max_blocks), report::grouped(limits.registers_per_block),
         fmt::format("{}", limits.shared_bytes / 1024),
         fmt::format("{}", limits.shared_bytes_per_block / 1024), number_or_dash(limits.barriers),
         limits.max_cluster_blocks == 1 ? "-" : fmt::format("{}", limits.max_cluster_blocks),
         carveouts_text(limits.carveouts)});
  }
  report::Document document;
  document.items.emplace_back(table);
  document.items.emplace_back(report::Gap{});
  for (const auto& [label, text] : kLimitNotes) {
    document.items.emplace_back(report::Statement{std::string(label), std::string(text)});
  }
  write_output(report::render_text(document, text_style()));
  return kDone;
}

/// What each key of a GPU file that names a policy can be.
int list_policies() {
  report::Table table{{"key", "policy", "what it does"}, {}};
  table.names = 2;
  table.ends_in_text = true;
  for (const sim::KeyInfo& key : sim::gpu_keys()) {
    if (key.policies == nullptr) continue;
    std::string path = key.path;
    for (const sim::PolicyName& policy : key.policies->names()) {
      table.rows.push_back({path, std::string(policy.name), std::string(policy.summary)});
      path.clear();
    }
  }
  report::Document document;
  document.items.emplace_back(table);
  write_output(report::render_text(document, text_style()));
  return kDone;
}

}  // namespace

Syntax gpus_syntax() {
  Syntax syntax = make_syntax(
      "heddle gpus [GPU|FILE] [--set KEY=VALUE]...\n       heddle gpus --limits\n"
      "       heddle gpus --policies",
      "Lists the GPUs that can be simulated, or prints one with all its values, as a GPU file\n"
      "that can be changed and given to heddle run --gpu.",
      "gpu",
      "  heddle gpus\n"
      "  heddle gpus h100\n"
      "  heddle gpus --limits\n"
      "  heddle gpus --policies\n"
      "  heddle gpus h100 --set sms=1 --set l1.enabled=false > small.yaml\n");
  syntax.options.add_options()("set", list_option("KEY=VALUE"),
                               "changes a value of the GPU, as l1.latency=40");
  syntax.options.add_options()("limits", "prints what an SM of each compute capability holds");
  syntax.options.add_options()("policies", "prints the policies that GPU files can name, key by key");
  return syntax;
}

int gpus_command(const Arguments& arguments) {
  const auto command = read_reported(gpus_syntax(), "gpus", arguments);
  if (!command) return kDone;
  const std::vector<std::string> names = list_of(command->values, "gpu");
  const Overrides settings = overrides_of(command->values, "set");
  if (command->values.count("limits") != 0) {
    if (!names.empty() || !settings.empty()) throw UsageError("--limits goes without a GPU");
    return list_limits();
  }
  if (command->values.count("policies") != 0) {
    if (!names.empty() || !settings.empty()) throw UsageError("--policies goes without a GPU");
    return list_policies();
  }
  if (names.size() > 1) throw UsageError("one GPU at a time can be shown");
  if (names.empty() && !settings.empty()) throw UsageError("--set needs the name of the GPU that it changes");
  if (names.empty()) return list_gpus();
  write_output(
      gpu_file_of(command->provenance, names[0], sim::load_gpu(names[0], settings), !settings.empty()));
  return kDone;
}

}  // namespace heddle::command
