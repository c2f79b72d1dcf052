// How many warps, with how many independent chains each, keep a pipe of an SM busy.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

/// saturate.NAME: thread instructions per cycle of one SM.
template <class Operation, int kChains>
void measure_rate(Bench& bench, const std::string& name) {
  for (const int warps : {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32}) {
    if (!bench.budget.allows(1)) return bench.leave_out("saturate." + name, "no time left");
    Pipe<Operation> pipe;
    const double cycles = pipe.template cycles_per_instruction<kChains>(32 * warps);
    bench.add_checked(pipe.right(), "saturate." + name, 32 * warps / cycles, "threads/cycle",
                      {{"warps", warps}, {"chains", kChains}});
  }
}

}  // namespace

void measure_saturation(Bench& bench) {
  measure_rate<Ffma, 1>(bench, "FFMA");
  measure_rate<Ffma, 2>(bench, "FFMA");
  measure_rate<Ffma, 4>(bench, "FFMA");
  measure_rate<Dfma, 1>(bench, "DFMA");
  measure_rate<Dfma, 2>(bench, "DFMA");
}

}  // namespace kit
