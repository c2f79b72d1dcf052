#include "tools/cuda/runtime/program_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/report/render_text.h"
#include "tools/report/words.h"

namespace heddle::cudart {

namespace {

double time_of_all(const LaunchLog& log) {
  double time = 0;
  for (const KernelTotals& kernel : log.kernels()) time += kernel.all_us();
  for (const auto& [direction, name] : kDirections) time += log.copies(direction).time_us;
  return time;
}

std::string share_text(double part, double all) { return all > 0 ? report::percent(part / all) : "-"; }

/// Of a weighted sum.
std::string mean_text(double sum, double weight) { return weight > 0 ? report::percent(sum / weight) : "-"; }

std::vector<std::string> row_of(const KernelTotals& kernel, double all) {
  if (kernel.timed == 0)
    return {kernel.label, report::grouped(kernel.calls), "-", "-", "-", "-", "-", "not timed"};
  return {kernel.label,
          report::grouped(kernel.calls),
          report::time_text(kernel.all_us()),
          share_text(kernel.all_us(), all),
          report::time_text(kernel.all_us() / static_cast<double>(kernel.launches())),
          mean_text(kernel.theoretical_occupancy, kernel.time_us),
          mean_text(kernel.achieved_occupancy, kernel.time_us),
          report::key_text(kernel.verdict)};
}

std::vector<std::string> row_of(const char* name, const CopyTotals& copies, double all) {
  return {name,
          report::grouped(copies.calls),
          report::time_text(copies.time_us),
          share_text(copies.time_us, all),
          report::time_text(copies.time_us / static_cast<double>(copies.calls)),
          "",
          "",
          report::byte_text(copies.bytes)};
}

report::Line sample_line(const LaunchLog& log) {
  const sample::ProgramEstimate& all = log.estimate_of_all();
  return {{fmt::format("Sampled: {} of {} launches were timed. All kernels take {}, +-{} in 95 of 100 cases.",
                       report::grouped(all.timed), report::grouped(all.launches),
                       report::time_text(all.cycles / log.gpu().clock_mhz),
                       report::percent(all.cycles > 0 ? all.half_width / all.cycles : 0))}};
}

}  // namespace

std::string program_summary(const LaunchLog& log) {
  report::Table table{{"kernel", "calls", "time", "share", "mean", "occ.", "achieved", "held back by"}, {}};
  table.ends_in_text = true;
  std::vector<KernelTotals> kernels = log.kernels();
  std::ranges::stable_sort(kernels, std::ranges::greater(), &KernelTotals::all_us);
  const double all = time_of_all(log);
  for (const KernelTotals& kernel : kernels) table.rows.push_back(row_of(kernel, all));
  for (const auto& [direction, name] : kDirections) {
    if (log.copies(direction).calls != 0) table.rows.push_back(row_of(name, log.copies(direction), all));
  }
  report::Document document;
  report::Line title{{fmt::format("{} ({}): {} of simulated time", log.gpu().description, log.gpu().name,
                                  report::time_text(log.clock_us()))}};
  title.is_title = true;
  document.items.emplace_back(title);
  document.items.emplace_back(table);
  if (log.estimate_of_all().launches != 0) document.items.emplace_back(sample_line(log));
  return report::render_text(document, {});
}

}  // namespace heddle::cudart
