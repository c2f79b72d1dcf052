// Greedy, then youngest, guided by the compiler (CGGTY; Huerta et al., "Analyzing Modern NVIDIA GPU cores",
// MICRO 2025, measured on compute capability 8.6): stay with a warp until it stalls, then take the youngest
// that can issue. When a warp can issue is known from its operands here, where hardware reads the compiler's
// stall counts.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenYoungest final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    if (!stays_ || !contains(candidates.eligible, last_)) last_ = candidates.youngest(candidates.eligible);
    stays_ = true;
    return last_;
  }

  void retired(unsigned warp) override { stays_ = stays_ && warp != last_; }

 private:
  unsigned last_ = 0;   // the warp picked last,
  bool stays_ = false;  // which lives
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_youngest() { return std::make_unique<GreedyThenYoungest>(); }

}  // namespace heddle::sim
