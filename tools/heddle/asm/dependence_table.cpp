#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tools/dependences/dependences.h"
#include "tools/heddle/asm/asm_listing.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

using dependences::Census;

report::Table table_of(const Census& census) {
  report::Table table{{"of", "read by", "count", "least", "so near", "latency", "early"}, {}};
  table.names = 2;
  for (const auto& [kind, all] : census.distances) {
    const std::string consumer(ir::info(kind.consumer).key);
    table.rows.push_back({std::string(ir::info(kind.producer).key), kind.is_guard ? "@" + consumer : consumer,
                          fmt::format("{}", all.count),
                          all.least >= dependences::kFarthest ? "-" : fmt::format("{}", all.least),
                          fmt::format("{}", all.at_least), fmt::format("{}", all.latency),
                          fmt::format("{}", all.early)});
  }
  return table;
}

void add_places(const Census& census, report::Document& document) {
  constexpr std::size_t kMostPlaces = 20;
  for (const auto& [kind, all] : census.distances) {
    if (all.early == 0) continue;
    document.items.emplace_back(
        report::Line{{fmt::format("early: {} cycles in {}", all.least, all.place)}, false, true});
  }
  const std::size_t shown = std::min(census.unguarded.size(), kMostPlaces);
  for (std::size_t i = 0; i < shown; ++i)
    document.items.emplace_back(
        report::Line{{fmt::format("not waited for: {}", census.unguarded[i])}, false, true});
  if (shown < census.unguarded.size())
    document.items.emplace_back(
        report::Line{{fmt::format("and {} more", census.unguarded.size() - shown)}, false, true});
}

}  // namespace

std::string dependences_as_text(const std::string& file, std::span<const ir::Kernel> kernels,
                                const std::string& gpu, report::Provenance provenance) {
  if (std::ranges::none_of(kernels, ir::has_control_codes))
    throw InputError({file},
                     "has no control codes: only machine code says how far apart its instructions are");
  const sim::GpuSpec spec = sim::load_gpu(gpu);
  const sim::ClassTimings timings(spec.sm);
  Census census;
  for (const ir::Kernel& kernel : kernels) dependences::add_dependences(kernel, timings, census);
  report::Document document;
  document.items.emplace_back(report::Line{
      {fmt::format("Dependences of {} beside the latencies of {}", file, spec.name)}, true, false});
  document.items.emplace_back(report::Line{
      {fmt::format("{} checked", census.checked()), fmt::format("{} behind a barrier", census.guarded),
       fmt::format("{} early", census.early()), fmt::format("{} not waited for", census.unguarded.size()),
       "@: as a guard"},
      false,
      false});
  document.items.emplace_back(report::Gap{});
  if (!census.distances.empty()) document.items.emplace_back(table_of(census));
  add_places(census, document);
  add_gpu(provenance, gpu, spec, false);
  const report::TextStyle style = text_style();
  report::add_provenance(document, provenance, spec.name, style.columns);
  return report::render_text(document, style);
}

}  // namespace heddle::command
