#include "tools/bench/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "isa/base/host.h"

namespace heddle::bench {

namespace {

double quotient(double amount, double of) { return of > 0 ? amount / of : 0; }

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

}  // namespace

double Speed::per_second() const { return quotient(static_cast<double>(warp_instructions), time.median()); }

std::optional<double> Row::timed_per_functional() const {
  if (!functional) return std::nullopt;
  return quotient(timed.time.median(), functional->time.median());
}

double Row::cycles_per_second() const { return quotient(static_cast<double>(cycles), timed.time.median()); }

double Row::bytes_per_resident_warp() const {
  return quotient(static_cast<double>(heap_bytes - gpu_bytes), static_cast<double>(resident_warps));
}

double Row::noise() const {
  double noise = timed.time.noise();
  if (functional) noise = std::max(noise, functional->time.noise());
  if (threaded) noise = std::max(noise, threaded->time.noise());
  return noise;
}

Machine this_machine() { return {processor_name(), std::thread::hardware_concurrency(), compiler_name()}; }

}  // namespace heddle::bench
