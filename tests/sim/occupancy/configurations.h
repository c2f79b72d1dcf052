// Kernels spread over all that the occupancy rules look at, and what NVIDIA's calculator says about them.
#pragma once

#include <random>
#include <string>

#include "sim/config/compute_capabilities.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// A kernel on a GPU.
struct Configuration {
  const ComputeCapability* device = nullptr;
  KernelResources kernel;
};

/// The bits of limiting factors, as cuda_occupancy.h numbers them.
struct Answer {
  std::uint32_t blocks = 0;
  std::uint32_t factors = 0;

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// From ordinary kernels to ones just beyond each limit. The same seed gives the same kernels everywhere.
class Configurations {
 public:
  explicit Configurations(std::uint32_t seed) : random_(seed) {}
  KernelResources kernel_for(const OccupancySpec& spec);

 private:
  std::uint32_t between(std::uint32_t least, std::uint32_t most);
  bool one_in(std::uint32_t n) { return between(1, n) == 1; }
  std::uint32_t block();
  void draw_shared(const OccupancySpec& spec, KernelResources& kernel);

  std::mt19937 random_;
};

/// What Heddle says, in the calculator's form.
Answer answer_of(const Configuration& configuration);

/// One line of tests/sim/occupancy/data/cuda_occupancy.csv.
std::string to_line(const Configuration& configuration, const Answer& answer);
std::pair<Configuration, Answer> from_line(const std::string& line);

}  // namespace heddle::sim
