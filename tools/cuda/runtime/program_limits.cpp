#include "tools/cuda/runtime/program_limits.h"

#include <fmt/format.h>

#include "tools/cuda/runtime/program_end.h"
#include "tools/report/json_object.h"

namespace heddle::cudart {

LimitAnswer limits_of(const ProgramTotals& totals, const Settings& settings) {
  if (!settings.has_limits()) return {};
  if (totals.is_over_limit)
    return {fmt::format("heddle: max-cycles: a launch alone took more than {} cycles\n",
                        settings.max_cycles.value_or(0)),
            kLimitExceeded};
  if (totals.has_failed)
    return {"heddle: max-cycles and fail-if cannot be decided: a kernel has failed\n", kFaultFound};
  if (totals.timed == 0)
    return {"heddle: max-cycles and fail-if cannot be decided: no launch was timed\n", kEndFailed};
  std::string text;
  if (settings.max_cycles && totals.all.cycles > *settings.max_cycles)
    text +=
        fmt::format("heddle: max-cycles: the program's {} timed launches took {} cycles; {} are allowed\n",
                    totals.timed, totals.all.cycles, *settings.max_cycles);
  const auto run = report::to_object(totals.all);
  for (const conditions::FailCondition& condition : settings.fail_if) {
    if (const auto said = conditions::fulfilled(condition, run, "HEDDLE_FAIL_IF"))
      text += fmt::format("heddle: fail-if: {}\n", *said);
  }
  return {text, text.empty() ? 0 : kLimitExceeded};
}

}  // namespace heddle::cudart
