#include "tools/cuda/runtime/program_end.h"

#include <cstdio>

#include "isa/base/new_file.h"
#include "isa/stream/kernel_fault.h"
#include "tools/cuda/runtime/program_summary.h"

namespace heddle::cudart {

namespace {

/// A fault has been told of by the call that found it.
void settle(Gpu& gpu) {
  try {
    if (!gpu.sticky) gpu.device.synchronize();
  } catch (const stream::KernelFault& fault) {
    std::fprintf(stderr, "heddle: %s\n", fault.what());
  }
  gpu.launches.collect(gpu.device);
}

void write_summary(const std::string& target, const std::string& text) {
  if (target == "-") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  NewFile file(target);
  file.write(text);
  file.keep();
}

}  // namespace

void finish_gpu(Gpu& gpu, const Settings& settings) noexcept {
  constexpr double kUsPerMs = 1000;
  try {
    settle(gpu);
    const double clock_us = gpu.milliseconds_of(gpu.device.clock()) * kUsPerMs;
    if (!settings.summary.empty())
      write_summary(settings.summary, program_summary(gpu.launches, gpu.spec(), clock_us));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: at the end of the program: %s\n", error.what());
  }
}

}  // namespace heddle::cudart
