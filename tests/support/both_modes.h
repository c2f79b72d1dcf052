// Runs a kernel both ways: by jumps and cycle by cycle.
#pragma once

#include <algorithm>
#include <tuple>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {

/// (cycle, SM, slot, instruction) of every issue, in that order.
inline std::vector<std::tuple<Cycle, SmId, WarpSlot, Pc>> issues_of(const Timeline& run) {
  std::vector<std::tuple<Cycle, SmId, WarpSlot, Pc>> issues;
  for (const sim::WarpIssued& event : run.issued)
    issues.emplace_back(event.cycle, event.sm, event.slot, event.pc);
  std::sort(issues.begin(), issues.end());
  return issues;
}

/// The run by jumps, once it has been checked against the one that visits every cycle, and its books.
inline Timeline run_both(TextKernel& kernel, const sim::GpuSpec& spec) {
  Timeline jumped = kernel.run(spec, mode(false));
  const Timeline visited = kernel.run(spec, mode(true));
  CHECK(differences(jumped.result, visited.result) == std::vector<std::string>{});
  CHECK(broken_laws(jumped.result, spec) == std::vector<std::string>{});
  CHECK((issues_of(jumped) == issues_of(visited)));
  return jumped;
}

}  // namespace heddle::test
