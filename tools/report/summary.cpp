#include "tools/report/summary.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::report {

namespace {

/// The approximations of all runs, by opcode and by what replaced it.
std::vector<Approximation> approximations_of(std::span<const Summary> runs) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  for (const Summary& run : runs) {
    for (const Approximation& each : run.info.approximations)
      counts[{each.opcode, each.as}] += each.warp_instructions * run.weight();
  }
  std::vector<Approximation> list;
  list.reserve(counts.size());
  for (const auto& [names, count] : counts) list.push_back({names.first, names.second, count});
  return list;
}

}  // namespace

std::optional<SampleSize> sample_of(std::span<const Summary> runs) {
  std::optional<SampleSize> sum;
  for (const Summary& run : runs) {
    if (!run.info.sample) continue;
    if (!sum) sum = SampleSize{run.info.sample->sms, run.info.sample->of_sms, 0, 0};
    sum->blocks += run.info.sample->blocks * run.weight();
    sum->of_blocks += run.info.sample->of_blocks * run.weight();
  }
  return sum;
}

std::optional<SampledBlocks> blocks_of(std::span<const Summary> runs) {
  std::optional<SampledBlocks> sum;
  for (const Summary& run : runs) {
    if (!run.info.blocks) continue;
    if (!sum) sum = SampledBlocks{"no launch could be sampled", 0, 0, 0, 0, 0, 0, 0, 0};
    const SampledBlocks& part = *run.info.blocks;
    if (part.why_whole.empty()) sum->why_whole.clear();
    sum->blocks += part.blocks * run.weight();
    sum->of_blocks += part.of_blocks * run.weight();
    sum->cycles_left_out += part.cycles_left_out * run.weight();
    sum->half_width += part.half_width * static_cast<double>(run.weight());
  }
  return sum;
}

bool Summary::all_checks_hold() const {
  return std::all_of(info.checks.begin(), info.checks.end(),
                     [](const CheckResult& check) { return check.differing == 0; });
}

std::uint64_t Summary::approximated_instructions() const {
  std::uint64_t sum = 0;
  for (const Approximation& each : info.approximations) sum += each.warp_instructions;
  return sum;
}

Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info) {
  std::optional<std::uint32_t> sms_of_gpu;
  if (info.sample) sms_of_gpu = info.sample->of_sms;
  return {sim::figures_of(result, spec, sms_of_gpu), std::move(info)};
}

Summary summarize_all(std::span<const Summary> runs, const std::vector<sim::SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info) {
  std::vector<const sim::RunFigures*> figures;
  figures.reserve(runs.size());
  for (const Summary& run : runs) figures.insert(figures.end(), run.weight(), &run);
  info.approximations = approximations_of(runs);
  info.sample = sample_of(runs);
  info.blocks = blocks_of(runs);
  return {sim::figures_of_all(figures, sms, spec), std::move(info)};
}

}  // namespace heddle::report
