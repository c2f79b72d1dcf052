// Which launches of a program are timed. The others are executed for their results alone, which is a hundred
// times faster, and take no simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cudart {

/// What HEDDLE_TIMED and heddle exec --timed say.
class TimedChoice {
 public:
  /// "all", "none", "sample", or a list with commas of kernels' names and of launches by number, from 1:
  /// "reduce,3-7,12". A kernel is named by what stands before its parameters, or by its mangled name. Throws
  /// InputError, which names `origin`.
  static TimedChoice read(const std::string& text, const std::string& origin);

  /// Some launches are timed for all of them: sample::RunningSample says which, and holds() is not asked.
  [[nodiscard]] bool is_sample() const { return is_sample_; }

  /// `number` counts the launches of the program from 1.
  [[nodiscard]] bool holds(std::uint64_t number, std::string_view mangled, std::string_view name) const;

 private:
  /// Launches from one number to another.
  struct Range {
    std::uint64_t first;
    std::uint64_t last;
  };

  bool all_ = false;
  bool is_sample_ = false;
  std::vector<std::string> names_;
  std::vector<Range> ranges_;
};

}  // namespace heddle::cudart
