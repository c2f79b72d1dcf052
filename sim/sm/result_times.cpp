#include "sim/sm/result_times.h"

#include <algorithm>

namespace heddle::sim {

namespace {

bool has_pipe(const ClassSpec& spec, std::uint8_t pipe) {
  return std::find(spec.pipes.begin(), spec.pipes.end(), pipe) != spec.pipes.end();
}

/// Whose results cross: those of the FMA pipes, and of the ALU pipe where it is another one.
constexpr std::array kOrigins = {ir::TimingClass::Fp32, ir::TimingClass::Alu};
static_assert(kOrigins.size() == Crossing::kOrigins);

/// The number of the first of kOrigins that has the pipe which the class prefers, from 1 on; 0 if there is
/// none.
unsigned origin_of(const SmSpec& spec, ir::TimingClass timing_class) {
  const ClassSpec& own = spec.timing(timing_class);
  if (ir::info(timing_class).unit != ir::Unit::Math || own.is_absent()) return 0;
  for (unsigned i = 0; i < kOrigins.size(); ++i) {
    if (has_pipe(spec.timing(kOrigins[i]), own.pipes.front())) return i + 1;
  }
  return 0;
}

Cycle cycles_to(const CrossingSpec& spec, ir::Unit unit) {
  switch (unit) {
    case ir::Unit::Math:
      return spec.math;
    case ir::Unit::Tensor:
      return spec.tensor;
    case ir::Unit::Special:
      return spec.special;
    case ir::Unit::Memory:
      return spec.memory;
    case ir::Unit::Control:
      break;
  }
  return 0;
}

Crossing crossing_to(const SmSpec& spec, ir::TimingClass timing_class) {
  const unsigned own = origin_of(spec, timing_class);
  Crossing crossing;
  for (unsigned origin = 1; origin <= kOrigins.size(); ++origin) {
    if (origin != own) crossing.set(origin, cycles_to(spec.crossing, ir::info(timing_class).unit));
  }
  return crossing;
}

ResultTimes times_of(const SmSpec& spec, ir::TimingClass timing_class) {
  const ir::TimingClassInfo& row = ir::info(timing_class);
  if (row.uses_mio()) return {true, Stamp::pending(row.waiter_stall), Stamp::pending(row.waiter_stall)};
  const Cycle latency = spec.timing(timing_class).latency;
  const Cycle guard_latency = std::max<Cycle>(latency, spec.guard_latency);
  return {false, Stamp(latency, row.waiter_stall, origin_of(spec, timing_class)),
          Stamp(guard_latency, row.waiter_stall)};
}

}  // namespace

ResultTable::ResultTable(const SmSpec& spec) {
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    const auto timing_class = static_cast<ir::TimingClass>(i);
    times_[i] = times_of(spec, timing_class);
    crossings_[i] = crossing_to(spec, timing_class);
  }
}

}  // namespace heddle::sim
