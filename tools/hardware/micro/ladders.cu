// The ladders: one task in several versions, each more optimized, at sizes larger than L2.
#include "tools/hardware/examples/list.h"
#include "tools/hardware/examples/placed.h"
#include "tools/hardware/examples/steps.h"
#include "tools/hardware/micro/bench.h"

namespace kit {

namespace {

/// Dividing `amount` by the microseconds gives the figure in `unit`.
void rung(Bench& bench, const std::string& name, const Twin& twin, double amount, const std::string& unit) {
  const Timed timed = check_and_time(bench.gpu, twin);
  bench.add_checked(timed.wrong.empty(), name, timed.wrong.empty() ? amount / timed.us : 0, unit);
}

void example_rung(Bench& bench, const std::string& launch, const Values::List& given, double amount,
                  const std::string& unit) {
  if (!bench.budget.allows(5)) return bench.leave_out("ladder." + launch, "no time left");
  for (const TwinEntry& entry : twins()) {
    if (launch != entry.launch) continue;
    Values values(given);
    rung(bench, "ladder." + launch, entry.make(values), amount, unit);
  }
}

void measure_reductions(Bench& bench) {
  constexpr unsigned kNumbers = 1 << 26;
  for (int step = 1; step <= kReductionSteps; ++step) {
    const std::string name = "ladder.reduction_" + std::to_string(step);
    if (!bench.budget.allows(5)) {
      bench.leave_out(name, "no time left");
      continue;
    }
    const unsigned blocks_of_last = 8 * static_cast<unsigned>(bench.gpu.sms());
    rung(bench, name, make_reduction_step(step, kNumbers, blocks_of_last), 4e-3 * kNumbers, "GB/s");
  }
  for (const char* launch : {"reduce_v1", "reduce_v2", "reduce_v3"})
    example_rung(bench, launch, {{"n", kNumbers}}, 4e-3 * kNumbers, "GB/s");
}

void measure_products(Bench& bench) {
  constexpr unsigned kSize = 2048;
  const double flop = 2e-3 * kSize * kSize * kSize;
  example_rung(bench, "matmul_v1", {{"n", kSize}}, flop, "GFLOP/s");
  example_rung(bench, "matmul_v2", {{"n", kSize}}, flop, "GFLOP/s");
  example_rung(bench, "matmul_v3", {{"n", kSize}, {"rows", 32}}, flop, "GFLOP/s");
}

void measure_transposes(Bench& bench) {
  constexpr unsigned kWidth = 8192, kHeight = 4096;
  const double bytes = 8e-3 * kWidth * kHeight;
  if (bench.budget.allows(5))
    rung(bench, "ladder.copy", make_matrix_copy(kWidth, kHeight), bytes, "GB/s");
  else
    bench.leave_out("ladder.copy", "no time left");
  for (const char* launch : {"transpose_naive", "transpose_tiled", "transpose_padded"})
    example_rung(bench, launch, {{"width", kWidth}, {"height", kHeight}}, bytes, "GB/s");
}

}  // namespace

/// ladder.NAME: bytes of input, bytes of input and output, or operations per second.
void measure_ladders(Bench& bench) {
  measure_products(bench);
  measure_transposes(bench);
  measure_reductions(bench);
}

}  // namespace kit
