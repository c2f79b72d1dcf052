// The microbenchmarks: what the GPU files are made of.
#pragma once

#include <string>
#include <vector>

#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/report.h"

namespace kit {

/// Where a family leaves its figures. A result that is not the CPU's is counted, said, and its figure left
/// out.
class Bench {
 public:
  Bench(const Gpu& gpu_used, const Budget& budget_left, Report& all)
      : gpu(gpu_used), budget(budget_left), report_(all) {}

  void add(const std::string& name, double value, const std::string& unit, Named at = {});
  /// Only if the result was right.
  void add_checked(bool right, const std::string& name, double value, const std::string& unit, Named at = {});
  void leave_out(const std::string& name, const std::string& reason);
  int wrong() const { return wrong_; }

  const Gpu& gpu;
  const Budget& budget;

 private:
  Report& report_;
  int wrong_ = 0;
};

struct Family {
  const char* name;
  void (*run)(Bench&);
};

/// Those of families.def.
const std::vector<Family>& families();

}  // namespace kit
