// A launch's result from those of two shorter launches: what the second counts more than the first is taken
// to be what each further stretch of as many blocks counts.
#pragma once

#include <cstdint>

#include "sim/device/run_result.h"

namespace heddle::sim {

/// second + stretches x (second - first), counter by counter, for cycles and the sums over SMs; in integers,
/// so that ledgers sum as those of the two do. A part of a ledger that would be negative, because the two
/// runs differ by chance in it, is 0, and the ledger's greatest part makes up for it; other counters are at
/// least 0, too. The launch and the counters of single SMs are the second's. Counters by instruction are left
/// out.
RunResult extrapolated(const RunResult& first, const RunResult& second, std::uint64_t stretches);

}  // namespace heddle::sim
