#include "isa/exec/functional.h"

#include "isa/exec/block_runner.h"

namespace heddle::exec {

FunctionalCounts run_functionally(LiveKernel& kernel) {
  return run_functionally(kernel, [](BlockId) { return true; });
}

FunctionalCounts run_functionally(LiveKernel& kernel, const std::function<bool(BlockId)>& wanted,
                                  std::uint64_t most_instructions) {
  BlockRunner runner(kernel, most_instructions);
  for (BlockId block = 0; block < kernel.shape().blocks(); ++block) {
    if (wanted(block)) runner.run(block);
  }
  return runner.counts();
}

FunctionalCounts run_functionally(LiveKernel& kernel, AccessWatch& watch) {
  BlockRunner runner(kernel, ~std::uint64_t{0}, &watch);
  for (BlockId block = 0; block < kernel.shape().blocks(); ++block) runner.run(block);
  return runner.counts();
}

}  // namespace heddle::exec
