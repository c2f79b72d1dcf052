#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "isa/base/cpp_name.h"
#include "isa/base/student_t.h"
#include "tools/report/provenance_section.h"
#include "tools/report/run_sections.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// Named barriers are hardly ever the limit; the other resources are always worth mentioning.
bool is_worth_a_word(const sim::Occupancy& occupancy, sim::Resource resource) {
  return resource != sim::Resource::Barriers || occupancy.is_limited_by(resource);
}

/// "An SM holds 8 blocks at a time: warps allow 8, block slots 32, registers 16".
std::string fit_text(const sim::Occupancy& occupancy) {
  std::vector<std::string> limits;
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    const auto resource = static_cast<sim::Resource>(i);
    if (occupancy.limits[i] == sim::kNoBlockLimit || !is_worth_a_word(occupancy, resource)) continue;
    limits.push_back(
        fmt::format("{}{} {}", resource_text(resource), limits.empty() ? " allow" : "", occupancy.limits[i]));
  }
  return fmt::format("An SM holds {} at a time: {}", counted(occupancy.blocks_per_sm, "block"),
                     fmt::join(limits, ", "));
}

std::string waves_text(const Summary& summary) {
  const sim::LaunchFigures& launch = summary.launch.value();
  const std::uint64_t sms = summary.info.sample ? summary.info.sample->of_sms : summary.sms;
  return fmt::format("{} = {:.2f} waves of the {} that all SMs hold at a time",
                     counted(launch.shape.blocks(), "block"), launch.waves,
                     grouped(launch.occupancy.blocks_per_sm * sms));
}

std::string shared_text(std::uint32_t bytes) {
  return bytes == 0 ? "no shared memory" : fmt::format("{} of shared memory a block", byte_text(bytes));
}

std::string title_of(const std::string& kernel, const Summary& summary) {
  return fmt::format("{} on {} ({})", kernel, summary.gpu_description, gpu_text(summary));
}

/// A name that is too long for a title of one line loses its parameters first, then its middle.
std::string title_name(const Summary& summary, std::size_t columns) {
  constexpr std::size_t kLeast = 24;
  const std::size_t others = text_width(title_of("", summary));
  const std::size_t most = std::max(kLeast, columns - std::min(columns, others));
  const std::string signature = demangled(summary.kernel);
  if (text_width(signature) <= most) return signature;
  return shortened(std::string(qualified_name(signature)), most);
}

Line launch_line(const Summary& summary) {
  const stream::LaunchShape& shape = summary.launch.value().shape;
  return {{fmt::format("grid {}, block {}", extents_text(shape.grid), extents_text(shape.block)),
           counted(shape.registers_per_thread, "register") + " a thread" +
               (summary.info.registers_estimated ? " (estimated)" : ""),
           shared_text(shape.shared_bytes_per_block)}};
}

Line time_line(const Summary& summary) {
  return {{fmt::format("{} = {} at {:g} MHz", counted(summary.whole_cycles(), "cycle"),
                       time_text(summary.whole_time_us()), summary.clock_mhz),
           counted(summary.total.warp_instructions, "warp instruction")}};
}

/// The share of the cycles before the first block and after the last one.
std::string launch_text(const Summary& summary) {
  const auto with_share = [&](Cycle cycles) {
    return fmt::format("{} ({})", counted(cycles, "cycle"), percent(ratio(cycles, summary.whole_cycles())));
  };
  std::string text = fmt::format("Launching takes {}", with_share(summary.kernel_launch_cycles));
  if (summary.after_blocks != 0)
    text += fmt::format(", memory after the last block {}", with_share(summary.after_blocks));
  return text;
}

std::string sms_text(const Summary& summary) {
  return fmt::format("{} of {} {} a block", summary.active_sms, counted(summary.sms, "SM"),
                     summary.active_sms == 1 ? "gets" : "get");
}

/// What else was particular about the launch.
void add_conditions(Line& launch, const Summary& summary) {
  if (summary.is_cold) launch.facts.push_back("cold launch");
  if (summary.ran_beside_others)
    launch.facts.push_back("beside other kernels, each slot charged to one of them");
}

}  // namespace

void add_sample(Document& document, const std::optional<SampleSize>& size) {
  if (!size) return;
  const SampleSize& sample = *size;
  document.items.emplace_back(
      Line{{fmt::format("SAMPLE: {} of {} simulated", sample.sms, counted(sample.of_sms, "SM")),
            fmt::format("{} of {}", grouped(sample.blocks), counted(sample.of_blocks, "block")),
            "cycles stand for the whole GPU, counts are the sample's"}});
}

/// "SAMPLE: 1,024 of 9,999 blocks simulated · cycles: within 1.2 % in 95 % of cases · ..."
void add_sampled_blocks(Document& document, const Summary& summary) {
  if (!summary.info.blocks) return;
  const SampledBlocks& sample = *summary.info.blocks;
  if (!sample.why_whole.empty()) {
    document.items.emplace_back(
        Line{{fmt::format("SAMPLE: none, all blocks simulated: {}", sample.why_whole)}});
    return;
  }
  const double half = sample.half_width / static_cast<double>(summary.whole_cycles());
  Line line{
      {fmt::format("SAMPLE: {} of {} simulated", grouped(sample.blocks), counted(sample.of_blocks, "block")),
       fmt::format("cycles: within {} in {} of cases, {} without the others", percent(half),
                   whole_percent(kConfidence), grouped(summary.cycles))}};
  if (sample.wave_blocks != 0) {
    line.facts.push_back(fmt::format("steady for {} of {}: {:.0f} cycles each",
                                     counted(sample.steady_waves, "wave"),
                                     counted(sample.wave_blocks, "block"), sample.wave_cycles));
  }
  line.facts.push_back("counts and shares are the sample's");
  document.items.emplace_back(std::move(line));
}

void add_head(Document& document, const Summary& summary) {
  document.items.emplace_back(Line{{title_of(demangled(summary.kernel), summary)}, true});
  Line launch = launch_line(summary);
  launch.facts.push_back(fmt::format("scheduler {}", summary.scheduler));
  add_conditions(launch, summary);
  document.items.emplace_back(std::move(launch));
  Line time = time_line(summary);
  time.facts.push_back(fmt::format("IPC {:.2f}: warp instructions a cycle of an SM with work", summary.ipc));
  document.items.emplace_back(std::move(time));
  document.items.emplace_back(Line{{launch_text(summary)}});
  document.items.emplace_back(Line{{fit_text(summary.launch.value().occupancy)}});
  document.items.emplace_back(Line{{waves_text(summary), sms_text(summary)}});
  add_sample(document, summary.info.sample);
  add_sampled_blocks(document, summary);
}

void add_short_head(Document& document, const Summary& summary, std::size_t columns) {
  document.items.emplace_back(Line{{title_of(title_name(summary, columns), summary)}, true});
  Line launch = launch_line(summary);
  add_conditions(launch, summary);
  document.items.emplace_back(std::move(launch));
  Line time = time_line(summary);
  if (summary.active_sms < summary.sms)
    time.facts.push_back(fmt::format("{} of {} SMs used", summary.active_sms, summary.sms));
  document.items.emplace_back(std::move(time));
  add_sample(document, summary.info.sample);
  add_sampled_blocks(document, summary);
}

}  // namespace heddle::report
