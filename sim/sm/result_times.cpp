#include "sim/sm/result_times.h"

#include <algorithm>

namespace heddle::sim {

namespace {

/// What runs the class: where integers are converted by the pipe of special functions, that is their unit.
ir::Unit unit_of(const SmSpec& spec, ir::TimingClass timing_class) {
  const auto& pipes = spec.timing(timing_class).pipes;
  const bool is_special = pipes == spec.timing(ir::TimingClass::SpecialFunction).pipes &&
                          pipes != spec.timing(ir::TimingClass::Alu).pipes;
  if (timing_class == ir::TimingClass::IntToFloat && is_special) return ir::Unit::Special;
  return ir::info(timing_class).unit;
}

/// Units whose results have an origin: their places here, from 1 on.
constexpr std::array kOrigins = {ir::Unit::Fma, ir::Unit::Alu, ir::Unit::Fp16, ir::Unit::Fp64};
static_assert(kOrigins.size() == Crossing::kOrigins);

unsigned origin_of(ir::Unit unit) {
  const auto* place = std::find(kOrigins.begin(), kOrigins.end(), unit);
  return place == kOrigins.end() ? 0 : static_cast<unsigned>(place - kOrigins.begin()) + 1;
}

Cycle cycles_between(const CrossingSpec& spec, ir::Unit from, ir::Unit to) {
  if (from == to) return 0;
  switch (to) {
    case ir::Unit::Special:
      return spec.special;
    case ir::Unit::Tensor:
      return spec.tensor;
    case ir::Unit::Memory:
      return spec.memory;
    case ir::Unit::Control:
      return 0;
    default:
      break;
  }
  if (from == ir::Unit::Fp16 || to == ir::Unit::Fp16) return spec.fp16;
  if (from == ir::Unit::Fp64 || to == ir::Unit::Fp64) return spec.fp64;
  return spec.fma_alu;
}

Crossing crossing_to(const SmSpec& spec, ir::TimingClass timing_class) {
  Crossing crossing;
  for (const ir::Unit from : kOrigins) {
    crossing.set(origin_of(from), cycles_between(spec.crossing, from, unit_of(spec, timing_class)));
  }
  return crossing;
}

ResultTimes times_of(const SmSpec& spec, ir::TimingClass timing_class) {
  const ir::TimingClassInfo& row = ir::info(timing_class);
  if (row.uses_mio()) return {true, Stamp::pending(row.waiter_stall), Stamp::pending(row.waiter_stall)};
  const Cycle latency = spec.timing(timing_class).latency;
  const Cycle guard_latency = std::max<Cycle>(latency, spec.guard_latency);
  return {false, Stamp(latency, row.waiter_stall, origin_of(unit_of(spec, timing_class))),
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
