#include "sim/sm/class_timings.h"

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

/// Where results come from: units, from 1 on, and behind them the wide products of FMA.
constexpr std::array kOrigins = {ir::Unit::Fma, ir::Unit::Alu, ir::Unit::Fp16, ir::Unit::Fp64};
constexpr unsigned kWideProducts = kOrigins.size() + 1;
static_assert(kWideProducts == BypassDelays::kOrigins);

unsigned origin_of(const SmSpec& spec, ir::TimingClass timing_class) {
  if (timing_class == ir::TimingClass::ImadWide) return kWideProducts;
  const auto* place = std::find(kOrigins.begin(), kOrigins.end(), unit_of(spec, timing_class));
  return place == kOrigins.end() ? 0 : static_cast<unsigned>(place - kOrigins.begin()) + 1;
}

Cycle cycles_between(const BypassSpec& spec, ir::Unit from, ir::Unit to) {
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

BypassDelays bypass_to(const SmSpec& spec, ir::TimingClass timing_class) {
  BypassDelays bypass;
  const ir::Unit unit = unit_of(spec, timing_class);
  for (unsigned i = 0; i < kOrigins.size(); ++i)
    bypass.set(i + 1, cycles_between(spec.bypass, kOrigins[i], unit));
  bypass.set(kWideProducts, timing_class == ir::TimingClass::ImadWide
                                ? spec.bypass.wide
                                : cycles_between(spec.bypass, ir::Unit::Fma, unit));
  return bypass;
}

void set_results(const SmSpec& spec, ir::TimingClass timing_class, ClassTiming& timing) {
  const ir::TimingClassInfo& row = ir::info(timing_class);
  timing.is_told_later = row.uses_mio();
  if (timing.is_told_later) {
    timing.result = timing.guard = ReadyTime::pending(row.waiter_stall);
    return;
  }
  const Cycle latency = spec.timing(timing_class).latency;
  const Cycle guard_latency = std::max<Cycle>(latency, spec.guard_latency);
  timing.result = ReadyTime(latency, row.waiter_stall, origin_of(spec, timing_class));
  timing.guard = ReadyTime(guard_latency, row.waiter_stall);
}

}  // namespace

ClassTimings::ClassTimings(const SmSpec& spec) : pipes_(spec.pipes.size() + 1) {
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    const auto timing_class = static_cast<ir::TimingClass>(i);
    const ir::TimingClassInfo& row = ir::info(timing_class);
    ClassTiming& timing = timings_[i];
    set_results(spec, timing_class, timing);
    timing.bypass = bypass_to(spec, timing_class);
    timing.demand.interval = spec.timing(timing_class).interval;
    timing.demand.throttle = row.throttle;
    PipeGroup group = {PipeChoice(spec.timing(timing_class).pipes), row.throttle, row.uses_mio()};
    if (timing_class == ir::TimingClass::WarpgroupProduct) {
      const auto issue_pipe = static_cast<std::uint8_t>(spec.pipes.size());
      product_pipe_ = group.pipes.order[0];
      group.pipes = PipeChoice({&issue_pipe, 1});
      timing.demand.interval = 1;
    }
    timing.demand.group = find_group(group);
  }
}

/// Its number; it gets one if it has none.
std::uint8_t ClassTimings::find_group(const PipeGroup& group) {
  const auto end = groups_.begin() + group_count_;
  const auto place = std::find(groups_.begin(), end, group);
  if (place == end) {
    *place = group;
    if (group.uses_mio) mio_groups_ |= GroupSet{1} << group_count_;
    if (group.throttle == ir::StallReason::LgThrottle) global_groups_ |= GroupSet{1} << group_count_;
    ++group_count_;
  }
  return static_cast<std::uint8_t>(place - groups_.begin());
}

}  // namespace heddle::sim
