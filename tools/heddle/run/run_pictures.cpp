#include "tools/heddle/run/run_pictures.h"

#include <fmt/format.h>

#include "isa/text/disassemble.h"
#include "tools/heddle/base/output.h"
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

}  // namespace

void write_pictures(const RunRequest& request, const RunReport& report,
                    const std::optional<PictureFacts>& facts) {
  if (!facts) return;
  const report::Summary& run = report.runs.at(0);
  if (request.perfetto)
    write_file(*request.perfetto, perfetto::perfetto_file(facts->history, labels_of(run, *facts)));
}

}  // namespace heddle::command
