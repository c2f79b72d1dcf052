#include "tools/heddle/occupancy/occupancy_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa/base/cuda_limits.h"
#include "isa/base/read_number.h"
#include "sim/config/load.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/occupancy/occupancy_command.h"
#include "tools/occupancy/machine_code.h"

namespace heddle::command {

namespace {

constexpr std::string_view kExamples =
    "  heddle occupancy --gpu h100 --block 256 --regs 40 --dynamic-smem 8KiB\n"
    "  heddle occupancy --cc 8.6 --block 16x16 --regs 64 --explain\n"
    "  heddle occupancy --gpu a100 --block 256 --regs 72 --target 50%\n"
    "  heddle occupancy --gpu a100 --regs 40 --suggest --smem-of-block \"16 * block\"\n"
    "  heddle occupancy --gpu h100 --block 128 --regs 168 --cluster 2 --curves\n"
    "  nvcc -Xptxas -v -c k.cu 2>&1 | heddle occupancy --ptxas - --block 256\n"
    "  heddle occupancy vecadd --gpu l4\n"
    "  heddle occupancy app.cubin --block 256\n"
    "  heddle occupancy --batch configurations.csv --cc 9.0 > answers.csv\n";

/// Reads "50", "50%", "100 %".
std::optional<double> percentage_of(const OptionValues& values, const std::string& option) {
  const auto text = text_of(values, option);
  if (!text) return std::nullopt;
  std::string_view number = *text;
  const bool has_sign = number.ends_with('%');
  for (const std::string_view sign : {"%", " "}) {
    if (number.ends_with(sign)) number.remove_suffix(sign.size());
  }
  const auto percent = number_in<double>(number);
  // This form also refuses NaN.
  if (!percent || !(*percent >= 0 && *percent <= 100))
    throw UsageError(fmt::format("--{} {}: must be a percentage, 0 to 100", option, *text));
  // 0.75 is a fraction; 75 and 75% are percentages.
  const bool is_share = !has_sign && *percent < 1.0 + (number.find('.') != std::string_view::npos ? 1e-9 : 0);
  if (!has_sign && number == "1")
    throw UsageError(fmt::format("--{} 1: may mean 1 % or all; write 1% or 100%", option));
  // 0.29 * 100 is 28.999999999999996, so it is rounded to nine decimals.
  return is_share ? std::round(*percent * 100 * 1e9) / 1e9 : *percent;
}

/// The words of the older cudaFuncSetCacheConfig mean percentages.
std::optional<std::uint32_t> carveout_of(const OptionValues& values) {
  const auto text = text_of(values, "carveout");
  if (!text || *text == "default") return std::nullopt;
  if (*text == "l1") return 0;
  if (*text == "equal") return 50;
  if (*text == "shared") return 100;
  const auto percent = percentage_of(values, "carveout");
  if (std::floor(*percent) != *percent) throw UsageError("--carveout takes whole percentages");
  return static_cast<std::uint32_t>(*percent);
}

sim::PartitionedCaching caching_of(const OptionValues& values) {
  const std::string word = choice_of(values, "cache-global", {"off", "on", "strict"});
  if (word == "off") return sim::PartitionedCaching::Off;
  return word == "on" ? sim::PartitionedCaching::Preferred : sim::PartitionedCaching::Forced;
}

/// A block of 0 threads is reported together with other reasons why a kernel cannot run.
std::optional<Dim3> block_of(const OptionValues& values) {
  if (text_of(values, "block") == "0") return Dim3{0, 1, 1};
  return extents_of(values, "block");
}

void read_device(const OptionValues& values, OccupancyRequest& request) {
  occupancy::Device& device = request.question.device;
  const auto gpu = text_of(values, "gpu");
  const auto cc = text_of(values, "cc");
  const Overrides settings = overrides_of(values, "set");
  if (gpu && cc) throw UsageError("--gpu and --cc name the GPU twice");
  if (!gpu && !settings.empty()) throw UsageError("--set needs the GPU that it changes: --gpu NAME");
  if (gpu) {
    const sim::GpuSpec spec = sim::load_gpu(*gpu, settings);
    device = occupancy::device_of(spec);
    add_gpu(request.provenance, *gpu, spec, !settings.empty());
  }
  if (cc) device = occupancy::device_of_version(*cc);
}

void read_resources(const OptionValues& values, OccupancyRequest& request) {
  sim::KernelResources& kernel = request.question.resources;
  const auto block = block_of(values);
  request.question.has_block = block.has_value();
  request.overrides.block = block;
  kernel.block = block.value_or(Dim3{});
  const auto registers = size_of(values, "regs");
  request.overrides.registers = registers;
  kernel.registers_per_thread = registers.value_or(0);
  kernel.static_shared = bytes_of(values, "smem").value_or(0);
  const auto dynamic = bytes_of(values, "dynamic-smem");
  request.overrides.dynamic_shared_bytes = dynamic;
  kernel.dynamic_shared = dynamic.value_or(0);
  kernel.max_dynamic_shared = bytes_of(values, "max-dynamic-smem");
  kernel.shared_opt_in = values.count("no-opt-in") == 0;
  const auto barriers = size_of(values, "barriers", kMostBarriersPerBlock);
  request.has_barriers = barriers.has_value();
  kernel.barriers = barriers.value_or(1);
  kernel.virtual_resources = size_of(values, "virtual-resources").value_or(0);
  kernel.carveout_percent = carveout_of(values);
  kernel.caching = caching_of(values);
  request.question.grid = request.overrides.grid = extents_of(values, "grid");
  request.question.cluster = extents_of(values, "cluster");
  request.overrides.params = overrides_of(values, "param");
  request.given = {registers.has_value(), values.count("smem") != 0, request.question.grid.has_value(),
                   request.question.cluster.has_value(), !request.overrides.params.empty()};
}

void read_what_ifs(const OptionValues& values, OccupancyRequest& request) {
  const auto target = percentage_of(values, "target");
  if (target && *target == 0) throw UsageError("--target must be above 0 %");
  if (target) request.target = *target / 100;
  request.shared_of_block = text_of(values, "smem-of-block");
  request.suggest = values.count("suggest") != 0;
  const auto most = size_of(values, "max-block");
  request.most_threads = most.value_or(std::numeric_limits<std::uint32_t>::max());
  if (!request.suggest && (most || request.shared_of_block)) {
    throw UsageError("--max-block and --smem-of-block go with --suggest");
  }
  request.explain = values.count("explain") != 0;
  request.curves = values.count("curves") != 0;
}

/// A .cubin among the launch files says of its kernels what the compiler's output does.
std::optional<std::string> compiled_kernels_of(const OptionValues& values) {
  const auto ptxas = text_of(values, "ptxas");
  const std::vector<std::string> launches = list_of(values, "launch");
  if (std::none_of(launches.begin(), launches.end(), occupancy::is_machine_code_path)) return ptxas;
  if (ptxas || launches.size() > 1)
    throw UsageError("one .cubin is given at a time, without launch files and --ptxas");
  return launches.front();
}

void require_sense(const OccupancyRequest& request) {
  const int inputs = (request.ptxas ? 1 : 0) + (request.batch ? 1 : 0) + (request.launches.empty() ? 0 : 1);
  if (inputs > 1) throw UsageError("--ptxas, --batch and launch files are given at a time");
  if (request.kernel && !request.ptxas)
    throw UsageError("--kernel chooses kernels of --ptxas or of a .cubin");
  if (inputs == 0 && !request.question.has_block && !request.suggest) {
    throw UsageError("--block is needed, unless --suggest is to find one");
  }
  const OccupancyRequest::Given& given = request.given;
  if ((request.ptxas || !request.launches.empty()) && given.static_shared)
    throw UsageError(
        "--smem: what static shared memory a kernel has, it says itself; --dynamic-smem adds to it");
  if (request.ptxas && given.registers)
    throw UsageError("--regs: what the compiler says of registers counts");
  if (request.batch && (given.grid || given.cluster))
    throw UsageError("--batch answers without --grid and --cluster");
  if (request.launches.empty() && given.params)
    throw UsageError("--param changes a launch file, and none is given");
  if (request.batch && (request.asks_what_if() || request.format == "json")) {
    throw UsageError("--batch answers in CSV, without --explain, --curves, --suggest and --target");
  }
}

}  // namespace

Syntax occupancy_syntax() {
  Syntax syntax = make_syntax(
      "heddle occupancy [LAUNCH.yaml|EXAMPLE|FILE.cubin|-]... [OPTIONS]",
      "Says how many blocks of a kernel an SM holds, what limits them, and what would change that: compute\n"
      "capability 5.0 to 12.1, by NVIDIA's own rules. Needs no kernel. Bytes may be given as 8KiB.",
      "launch", kExamples);
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE"), "the GPU, see heddle gpus; h100 if neither this nor --cc is given");
  add("cc", text_option("X.Y"), "a compute capability instead, see heddle gpus --limits");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as occupancy.max_blocks=16");
  add("block", text_option("X[xYxZ]"), "threads of a block");
  add("regs", text_option("N"), "registers a thread; not counted if not given");
  add("smem", text_option("BYTES"), "static shared memory of a block");
  add("dynamic-smem", text_option("BYTES"), "dynamic shared memory of a block");
  add("max-dynamic-smem", text_option("BYTES"), "what the kernel's attribute of that name allows");
  add("no-opt-in", "the kernel does not opt in to more than 48 KiB of shared memory");
  add("carveout", text_option("PERCENT|l1|equal|shared|default"), "preferred shared memory");
  add("barriers", text_option("N"), "named barriers of a block; 1 if not given");
  add("virtual-resources", text_option("N"), "virtual resources of a block (10.0 and later)");
  add("cache-global", text_option("off|on|strict"),
      "caching of global loads by halves of the SM (5.2, 5.3, 6.1, 6.2)");
  add("cluster", text_option("X[xYxZ]"), "blocks of a thread-block cluster (9.0 and later)");
  add("grid", text_option("X[xYxZ]"), "blocks of the grid, for waves and tail");
  add("ptxas", text_option("FILE|-"),
      "kernels from the output of ptxas -v or nvcc -Xptxas -v, or from a .cubin");
  add("kernel", text_option("TEXT"), "of these, the ones with the text in their names");
  add("param", list_option("NAME=VALUE"), "changes a value of the launch file");
  add("batch", text_option("FILE|-"), "answers a CSV of configurations: cc, gpu, block, regs, smem, ...");
  add("explain", "shows the arithmetic, and where the textbook's formula errs");
  add("target", text_option("PERCENT"), "says what reaches an occupancy");
  add("suggest", "finds the block size with the most threads an SM");
  add("max-block", text_option("N"), "largest block that --suggest tries");
  add("smem-of-block", text_option("EXPRESSION"), "dynamic bytes as --suggest tries blocks: \"16 * block\"");
  add("curves", "plots occupancy over block size, registers and shared memory");
  add("format", text_option("text|json|csv"), "form of the answer");
  add("output,o", text_option("FILE"), "writes the answer to a file: all of it, or nothing");
  add("ascii", "draws without block elements");
  add_again(syntax);
  return syntax;
}

OccupancyRequest read_occupancy_request(const ReportedCommand& command) {
  const OptionValues& values = command.values;
  OccupancyRequest request;
  request.provenance = command.provenance;
  request.ptxas = compiled_kernels_of(values);
  if (!request.ptxas || text_of(values, "ptxas")) request.launches = launches_of(values, "occupancy");
  request.overrides.standard_input = standard_input_of(request.launches);
  request.batch = text_of(values, "batch");
  request.kernel = text_of(values, "kernel");
  read_device(values, request);
  read_resources(values, request);
  read_what_ifs(values, request);
  request.format = choice_of(values, "format", {"text", "json", "csv"});
  request.output = output_of(values);
  request.ascii = values.count("ascii") != 0;
  require_sense(request);
  return request;
}

}  // namespace heddle::command
