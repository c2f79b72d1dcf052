#include "tools/heddle/run/run_pictures.h"

#include <fmt/format.h>

#include "isa/text/disassemble.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/line_request.h"
#include "tools/page/html_page.h"
#include "tools/perfetto/perfetto_file.h"

namespace heddle::command {

namespace {

perfetto::Labels labels_of(const report::Summary& run, const PictureFacts& facts) {
  return {fmt::format("{} on {}", run.kernel, run.gpu),
          [&facts](Pc pc) { return text::disassemble(facts.kernel, pc); },
          run.sub_partitions,
          run.max_warps,
          facts.spec.l1.sector_bytes,
          run.clock_mhz};
}

page::PageFacts page_facts(const report::Summary& run, const PictureFacts& facts) {
  page::PageFacts page{
      run, facts.history, {}, facts.by_pc, facts.sources, facts.spec.l1.sector_bytes, &facts.spec.occupancy};
  for (Pc pc = 0; pc < facts.kernel.instructions.size(); ++pc)
    page.code.push_back(text::disassemble(facts.kernel, pc));
  return page;
}

}  // namespace

std::vector<report::LineProfile> page_sources(const launch::KernelSource& source, const ir::Kernel& kernel) {
  const bool is_text = source.kind == launch::KernelSource::Kind::Text;
  std::vector<report::LineProfile> sources;
  for (const report::SourceLevel level : source_levels(source, kernel)) {
    // The page lists the instructions anyhow.
    if (level == report::SourceLevel::Ir && !is_text) continue;
    sources.push_back(placed_lines({level, false}, source, kernel));
  }
  return sources;
}

void write_pictures(const RunRequest& request, const RunReport& report,
                    const std::optional<PictureFacts>& facts) {
  if (!facts) return;
  const report::Summary& run = report.runs.at(0);
  if (request.perfetto)
    write_file(*request.perfetto, perfetto::perfetto_file(facts->history, labels_of(run, *facts)));
  if (request.html) write_file(*request.html, page::html_page(page_facts(run, *facts)));
}

}  // namespace heddle::command
