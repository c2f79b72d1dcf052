// The microbenchmarks from whose results the GPU files are made.
#pragma once

#include <string>
#include <vector>

#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/report.h"

namespace kit {

/// Collects the figures of a family of microbenchmarks. A result that differs from the CPU's is counted and
/// reported, and its figure is left out.
class Bench {
 public:
  Bench(const Gpu& gpu_used, const Budget& budget_left, Report& all)
      : gpu(gpu_used), budget(budget_left), report_(all) {}

  void add(const std::string& name, double value, const std::string& unit, Named at = {});
  /// Adds the figure only if `right`.
  void add_checked(bool right, const std::string& name, double value, const std::string& unit, Named at = {});
  void leave_out(const std::string& name, const std::string& reason);
  int wrong() const { return wrong_; }

  const Gpu& gpu;
  const Budget& budget;

 private:
  Report& report_;
  int wrong_ = 0;
};

/// A group of microbenchmarks.
struct Family {
  const char* name;
  void (*run)(Bench&);
};

/// The rows of families.def.
const std::vector<Family>& families();

}  // namespace kit
