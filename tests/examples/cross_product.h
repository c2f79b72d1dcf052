// Every example on every GPU by every policy under both mechanisms of divergence: what must hold of each run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/examples/references.h"

namespace heddle::examples {

struct Combination {
  Reference reference;
  std::string gpu;
  std::string_view policy;
  std::string_view divergence;
};

/// The example in a size small enough to be run a hundred times.
launch::LaunchFile load_small_example(std::string_view name);

/// All of them.
std::vector<Combination> cross_product();

/// Each example on every third GPU, each GPU with every third example, by a policy and under a mechanism drawn at random.
std::vector<Combination> sample_product(std::uint64_t seed);

/// That the results are those of the CPU reference, that the books balance, that the same run is the same
/// run, and that jumping over cycles changes nothing; or that the run ends with a message about its deadlock, or that
/// the GPU has no such instructions.
void check_combination(const Combination& combination);

}  // namespace heddle::examples
