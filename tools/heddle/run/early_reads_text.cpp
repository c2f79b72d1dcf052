#include "tools/heddle/run/early_reads_text.h"

#include <fmt/format.h>

#include "isa/text/disassemble.h"
#include "tools/heddle/base/command.h"
#include "tools/report/words.h"

namespace heddle::command {

EarlyReadsOfRun::EarlyReadsOfRun(const ir::Kernel& kernel, const sim::GpuSpec& spec)
    : kernel_(kernel), timings_(spec.sm), reads_(kernel, timings_) {
  if (!ir::has_control_codes(kernel))
    throw UsageError(
        fmt::format("--dependences: kernel '{}' has no control codes, as machine code has: its warps "
                    "wait for registers, and read none too early",
                    kernel.name));
}

std::string EarlyReadsOfRun::text() const {
  std::uint64_t early = 0;
  std::string list;
  for (const dependences::EarlyRead& read : reads_.found()) {
    early += read.count;
    const std::string when =
        read.cycles == 0 ? "not waited for"
                         : fmt::format("{} cycle{} too early", read.cycles, read.cycles == 1 ? "" : "s");
    list += fmt::format("  {} reads {} of {}: {}, {} times\n", text::disassemble(kernel_, read.pc),
                        ir::slot_name(read.slot), text::disassemble(kernel_, read.producer), when,
                        report::grouped(read.count));
  }
  return fmt::format("Read before they were there: {} of {} values\n{}", report::grouped(early),
                     report::grouped(reads_.reads()), list);
}

}  // namespace heddle::command
