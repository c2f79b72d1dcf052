#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/run_sections.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// Named barriers hardly ever bind; the others always say something about a kernel.
bool is_worth_a_word(const sim::Occupancy& occupancy, sim::Resource resource) {
  return resource != sim::Resource::Barriers || occupancy.is_limited_by(resource);
}

std::string fit_text(const sim::Occupancy& occupancy) {
  std::vector<std::string> limits;
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    if (occupancy.limits[i] == sim::kNoBlockLimit ||
        !is_worth_a_word(occupancy, static_cast<sim::Resource>(i)))
      continue;
    limits.push_back(fmt::format("{} {}", sim::kResourceTable[i].key, occupancy.limits[i]));
  }
  return fmt::format("{} {} an SM ({})", counted(occupancy.blocks_per_sm, "block"),
                     occupancy.blocks_per_sm == 1 ? "fits" : "fit", fmt::join(limits, ", "));
}

std::string shared_text(std::uint32_t bytes) {
  return bytes == 0 ? "no shared memory" : fmt::format("{} of shared memory a block", byte_text(bytes));
}

}  // namespace

void add_sample(Document& document, const std::optional<SampleSize>& size) {
  if (!size) return;
  const SampleSize& sample = *size;
  document.items.push_back(
      Line{{fmt::format("SAMPLE: {} of {} simulated", sample.sms, counted(sample.of_sms, "SM")),
            fmt::format("{} of {}", grouped(sample.blocks), counted(sample.of_blocks, "block")),
            "cycles stand for the whole GPU, counts are the sample's"}});
}

void add_head(Document& document, const Summary& summary) {
  const LaunchSummary& launch = summary.launch.value();
  const stream::LaunchShape& shape = launch.shape;
  document.items.push_back(
      Line{{fmt::format("{} on {} ({})", summary.kernel, summary.gpu_description, gpu_text(summary))}, true});
  document.items.push_back(
      Line{{fmt::format("grid {}, block {}", extents_text(shape.grid), extents_text(shape.block)),
            counted(shape.registers_per_thread, "register") + " a thread",
            shared_text(shape.shared_bytes_per_block),
            fmt::format("scheduler {}{}", summary.scheduler, summary.is_cold ? ", cold launch" : "")}});
  document.items.push_back(Line{{fmt::format("{} = {} at {:g} MHz", counted(summary.cycles, "cycle"),
                                             time_text(summary.time_us), summary.clock_mhz),
                                 counted(summary.total.warp_instructions, "warp instruction"),
                                 fmt::format("IPC {:.2f} an active SM", summary.ipc)}});
  document.items.push_back(Line{{fit_text(launch.occupancy), fmt::format("{:.2f} waves", launch.waves),
                                 fmt::format("{} of {} SMs", summary.active_sms, summary.sms)}});
  add_sample(document, summary.info.sample);
}

}  // namespace heddle::report
