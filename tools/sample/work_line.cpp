#include "tools/sample/work_line.h"

#include <algorithm>

namespace heddle::sample {

namespace {

/// A line has two numbers; below this many points what is left over says little of its scatter.
constexpr std::size_t kFewestOfLine = 4;
/// The work differs if it spreads by more than this share of its mean.
constexpr double kLeastSpread = 0.01;

/// Sums of the points around their mean.
struct Moments {
  double count = 0;
  double work = 0;    // the mean
  double cycles = 0;  // likewise
  double work_squares = 0;
  double products = 0;
  double cycle_squares = 0;
};

Moments moments_of(std::span<const TimedWork> timed) {
  Moments moments;
  moments.count = static_cast<double>(timed.size());
  for (const TimedWork& each : timed) {
    moments.work += each.warp_instructions / moments.count;
    moments.cycles += each.cycles / moments.count;
  }
  for (const TimedWork& each : timed) {
    const double work = each.warp_instructions - moments.work;
    const double cycles = each.cycles - moments.cycles;
    moments.work_squares += work * work;
    moments.products += work * cycles;
    moments.cycle_squares += cycles * cycles;
  }
  return moments;
}

bool differs(const Moments& moments) {
  const double spread = kLeastSpread * moments.work;
  return moments.work_squares > moments.count * spread * spread;
}

}  // namespace

/// The variance is that of the sum of new values: they scatter themselves, around a line that is known from
/// some.
Prediction predict(std::span<const TimedWork> timed, const UntimedWork& others) {
  const Moments moments = moments_of(timed);
  const auto launches = static_cast<double>(others.launches);
  Prediction prediction{launches * moments.cycles, 0, moments.count - 1};
  if (timed.size() < 2) return prediction;
  double left_over = moments.cycle_squares;
  double from_line = 1 / moments.count;
  if (timed.size() >= kFewestOfLine && differs(moments)) {
    const double slope = moments.products / moments.work_squares;
    const double further = others.warp_instructions - launches * moments.work;
    prediction.cycles += slope * further;
    prediction.degrees_of_freedom -= 1;
    left_over = std::max(0.0, left_over - slope * moments.products);
    if (launches > 0) from_line += (further / launches) * (further / launches) / moments.work_squares;
  }
  const double scatter = left_over / prediction.degrees_of_freedom;
  prediction.variance = scatter * (launches + launches * launches * from_line);
  return prediction;
}

}  // namespace heddle::sample
