#include "tools/heddle/run/run_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "isa/text/disassemble.h"
#include "tools/heddle/base/output.h"
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

/// Empty if the file is not there any more or does not have the lines, as the text of --args.
page::SourceText source_of(const ir::Kernel& kernel) {
  page::SourceText source{kernel.file, {}};
  std::uint32_t last = 0;
  for (const ir::Instruction& instruction : kernel.instructions) last = std::max(last, instruction.line);
  std::ifstream file(kernel.file);
  for (std::string line; std::getline(file, line);) source.lines.push_back(std::move(line));
  if (last == 0 || source.lines.size() < last) source.lines.clear();
  return source;
}

page::PageFacts page_facts(const report::Summary& run, const PictureFacts& facts) {
  page::PageFacts page{run,
                       facts.history,
                       {},
                       facts.by_pc,
                       source_of(facts.kernel),
                       facts.spec.l1.sector_bytes,
                       &facts.spec.occupancy};
  for (Pc pc = 0; pc < facts.kernel.instructions.size(); ++pc)
    page.code.push_back({text::disassemble(facts.kernel, pc), facts.kernel.instructions[pc].line});
  return page;
}

}  // namespace

void write_pictures(const RunRequest& request, const RunReport& report,
                    const std::optional<PictureFacts>& facts) {
  if (!facts) return;
  const report::Summary& run = report.runs.at(0);
  if (request.perfetto)
    write_file(*request.perfetto, perfetto::perfetto_file(facts->history, labels_of(run, *facts)));
  if (request.html) write_file(*request.html, page::html_page(page_facts(run, *facts)));
}

}  // namespace heddle::command
