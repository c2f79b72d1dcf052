// Runs the kernels in the emulator and compares their results with the references. Needs no GPU and no CUDA.
// The code that reads Nsight Compute's file and writes the kit's own file is checked, too.
//   check_cpu [--list] [NAME...]
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tools/hardware/examples/list.h"
#include "tools/hardware/examples/steps.h"
#include "tools/hardware/kit/profile.h"

namespace {

using kit::Twin;

/// Whether the check fails if the kernel does not run.
bool can_fail(const Twin& twin) {
  for (const kit::Image& image : twin.images)
    if (image.judge && !image.judge(image.before.data()).empty()) return true;
  return false;
}

std::string wrong_in_order(const Twin& twin, kit::WarpOrder order) {
  kit::set_order(order);
  std::vector<std::vector<unsigned char>> memory;
  kit::Addresses addresses;
  for (const kit::Image& image : twin.images) memory.push_back(image.before);
  for (auto& bytes : memory) addresses.push_back(bytes.data());
  twin.run(addresses);
  for (std::size_t i = 0; i < twin.images.size(); ++i) {
    const std::string message = twin.images[i].judge ? twin.images[i].judge(memory[i].data()) : "";
    if (!message.empty()) return "buffer " + std::to_string(i) + ": " + message;
  }
  return "";
}

std::string wrong(const Twin& twin) {
  if (!can_fail(twin)) return "the inputs pass the check before the kernel has run";
  const std::string message = wrong_in_order(twin, kit::WarpOrder::Forwards);
  return message.empty() ? wrong_in_order(twin, kit::WarpOrder::Backwards) : message;
}

/// A page as `ncu --csv --page raw` prints it: messages, names, units, and a row per kernel.
std::string wrong_profile() {
  std::istringstream csv(
      "==PROF== Connected to process 1\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"gpc__cycles_elapsed.max\",\"gpu__time_duration.sum\","
      "\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"dram__bytes.sum\"\n"
      "\"\",\"\",\"\",\"cycle\",\"nsecond\",\"%\",\"byte\"\n"
      "\"0\",\"1\",\"vecadd(const float *, const float *, float *, unsigned "
      "int)\",\"4,321\",\"2,500\",\"62.5\",\"n/a\"\n"
      "\"1\",\"1\",\"saxpy\",\"17\",\"500\",\"1\",\"1024\"\n");
  const std::vector<kit::ProfiledKernel> kernels = kit::read_profile(csv);
  if (kernels.size() != 2) return "reads " + std::to_string(kernels.size()) + " kernels of 2";
  const kit::Named first = {{"cycles", 4321}, {"profiled_duration_us", 2.5}, {"achieved_occupancy", 0.625}};
  const kit::Named second = {
      {"cycles", 17}, {"profiled_duration_us", 0.5}, {"achieved_occupancy", 0.01}, {"dram_bytes", 1024}};
  if (kernels[0].function.rfind("vecadd(", 0) != 0 || kernels[1].function != "saxpy")
    return "reads other names";
  return kernels[0].metrics == first && kernels[1].metrics == second ? "" : "reads other numbers";
}

std::string wrong_report() {
  kit::Report report;
  report.device.name = "a \"name\"";
  report.kernels.push_back(
      {"vecadd", {{"n", 65536}}, {256, 1, 1}, {256, 1, 1}, 10, 0, {{"duration_us", 2.5}}});
  report.figures.push_back({"barrier", {{"warps", 8}}, 30.25, "cycles"});
  const std::string json = report.json();
  for (const char* part :
       {"{\n  \"format\": \"heddle-measured-1\",\n", "{\"name\": \"a \\\"name\\\"\", ",
        "{\"name\": \"vecadd\", \"launch\": \"vecadd\", \"params\": {\"n\": 65536}, \"grid\": [256, 1, 1], "
        "\"block\": [256, 1, 1], \"registers\": 10, \"shared_bytes\": 0, \"checked\": true, "
        "\"metrics\": {\"duration_us\": 2.5}}",
        "{\"name\": \"barrier\", \"at\": {\"warps\": 8}, \"value\": 30.25, \"unit\": \"cycles\"}"})
    if (json.find(part) == std::string::npos) return std::string("lacks ") + part;
  return "";
}

/// Parameters for which the emulator is fast. Unlike the files' own numbers, many of them leave a part of the
/// last block without work.
kit::Values small(const std::string& launch) {
  static const std::map<std::string, kit::Values::List> kSmall = {
      {"reduce_v1", {{"n", 10000}}},
      {"reduce_v2", {{"n", 10000}}},
      {"reduce_v3", {{"n", 10000}}},
      {"reduce_last_block", {{"n", 10000}}},
      {"scan_exclusive", {{"blocks", 16}}},
      {"histogram_global", {{"n", 20001}, {"blocks", 20}}},
      {"histogram_shared", {{"n", 20001}, {"blocks", 20}}},
      {"with_divergence_interleaved", {{"n", 20002}}},
      {"with_divergence_grouped", {{"n", 20002}}},
      {"no_divergence", {{"n", 20002}}},
      {"loop_select_interleaved", {{"n", 20002}}},
      {"loop_select_grouped", {{"n", 20002}}},
      {"sqrt_branch", {{"n", 20001}}},
      {"sqrt_select", {{"n", 20001}}},
      {"kernel_a", {{"n", 20001}}},
      {"kernel_b", {{"n", 20001}}},
      {"vecadd", {{"n", 20001}}},
      {"saxpy", {{"n", 20001}}},
      {"black_scholes", {{"n", 20001}}},
      {"ffma_ilp1", {{"blocks", 8}}},
      {"ffma_ilp2", {{"blocks", 8}}},
      {"ffma_ilp4", {{"blocks", 8}}},
      {"matmul_v1", {{"n", 77}}},
      {"matmul_v2", {{"n", 77}}},
      {"matmul_v3", {{"n", 77}, {"rows", 16}}},
      {"nbody", {{"n", 300}}},
      {"transpose_naive", {{"width", 100}, {"height", 75}}},
      {"transpose_tiled", {{"width", 100}, {"height", 75}}},
      {"transpose_padded", {{"width", 100}, {"height", 75}}},
      {"stencil_2d", {{"width", 100}, {"height", 75}}},
      {"hgemm", {{"m", 256}, {"n", 256}, {"k", 128}}},
      {"hgemm_async", {{"m", 256}, {"n", 256}, {"k", 128}}}};
  const auto found = kSmall.find(launch);
  return kit::Values(found == kSmall.end() ? kit::Values::List() : found->second);
}

struct Check {
  std::string name;
  std::function<std::string()> wrong;
};

std::vector<Check> all_checks() {
  std::vector<Check> checks;
  for (const kit::TwinEntry& entry : kit::twins())
    checks.push_back({entry.launch, [&entry] {
                        kit::Values values = small(entry.launch);
                        return wrong(entry.make(values));
                      }});
  for (int step = 1; step <= kit::kReductionSteps; ++step)
    checks.push_back({"reduction_" + std::to_string(step),
                      [step] { return wrong(kit::make_reduction_step(step, 1 << 14, 5)); }});
  checks.push_back({"matrix_copy", [] { return wrong(kit::make_matrix_copy(96, 64)); }});
  checks.push_back({"profile", wrong_profile});
  checks.push_back({"report", wrong_report});
  return checks;
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> names(argv + 1, argv + argc);
  if (names.count("--list") != 0) {
    for (const kit::TwinEntry& entry : kit::twins()) std::printf("%s\n", entry.launch);
    return 0;
  }
  int failures = 0, checked = 0;
  for (const Check& check : all_checks()) {
    if (!names.empty() && names.count(check.name) == 0) continue;
    const auto start = std::chrono::steady_clock::now();
    const std::string message = check.wrong();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%-28s %5.2f s  %s\n", check.name.c_str(), took.count(),
                message.empty() ? "ok" : message.c_str());
    ++checked;
    failures += !message.empty();
  }
  std::printf("%d of %d agree with their references\n", checked - failures, checked);
  if (checked == 0) std::fprintf(stderr, "check_cpu: no such check\n");
  return failures == 0 && checked != 0 ? 0 : 1;
}
