// Mistakes of kernels that a GPU lets pass: an access beyond the end of a buffer but within its last page, a
// shuffle that reads a lane which takes no part. What is read so is anything; programs that do not use it are
// right. A launch that is given a list of them notes them there and goes on; for others they are faults.
#pragma once

#include <compare>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::stream {

struct ForgivenMistake {
  std::string kernel;  ///< As the compiler named it.
  Pc pc = 0;
  std::string what;  ///< "load beyond the end of 'cudaMalloc 2', which has 64 bytes"

  friend auto operator<=>(const ForgivenMistake&, const ForgivenMistake&) = default;
};

/// Each once, whichever threads of the host simulate its lanes.
class ForgivenMistakes {
 public:
  void note(ForgivenMistake mistake);
  /// By kernel and instruction.
  [[nodiscard]] std::vector<ForgivenMistake> list() const;

 private:
  mutable std::mutex mutex_;
  std::set<ForgivenMistake> all_;
};

}  // namespace heddle::stream
