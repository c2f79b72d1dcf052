// What a program launched: by kernel, and the reports of launches that are asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "sim/session/device.h"
#include "tools/cuda/runtime/settings.h"

namespace heddle::cudart {

/// All launches of one kernel so far. Sums over the timed ones.
struct KernelTotals {
  std::string name;
  std::uint64_t calls = 0;
  std::uint64_t timed = 0;
  double time_us = 0;
  double theoretical_occupancy = 0;  ///< Weighted by time, like the next.
  double achieved_occupancy = 0;
  double longest_us = 0;
  std::string verdict;  ///< Of the longest launch.
};

/// Copies of one direction.
struct CopyTotals {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double time_us = 0;
};

/// Where a copy goes.
enum class CopyDirection : std::uint8_t { ToDevice, ToHost, OnDevice };

/// The launches of a GPU. What one has counted is given back soon after it has ended: a program launches
/// thousands.
class LaunchLog {
 public:
  explicit LaunchLog(const Settings& settings) : settings_(settings) {}

  /// Whether the next launch, which is of this kernel, is to be timed. Counts it.
  bool begin(const std::string& kernel);
  void add(session::Device& device, session::LaunchId launch, const std::string& kernel, bool is_timed);
  void add_copy(CopyDirection direction, std::uint64_t bytes, double time_us);
  /// Takes the figures of what has ended. Throws InputError if a report cannot be written.
  void collect(session::Device& device);

  [[nodiscard]] const std::vector<KernelTotals>& kernels() const { return kernels_; }
  [[nodiscard]] const CopyTotals& copies(CopyDirection direction) const {
    return copies_[static_cast<std::size_t>(direction)];
  }

 private:
  /// A launch that has not been collected.
  struct Open {
    session::LaunchId launch;
    std::uint64_t number;
    std::size_t kernel;
    bool is_timed;
  };

  void take_figures(session::Device& device, const Open& open);

  const Settings& settings_;
  std::uint64_t launches_ = 0;
  std::map<std::string, std::size_t> by_name_;  // mangled
  std::vector<KernelTotals> kernels_;           // in the order of their first launches
  CopyTotals copies_[3];
  std::deque<Open> open_;
};

}  // namespace heddle::cudart
