// The traces that a command line names: kernels, and lists of kernels with copies between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/types.h"

namespace heddle::command {

/// Decides by the name whether the file is a trace (.traceg, .traceg.xz, .tracez ...) or a list of traces
/// (kernelslist.g).
bool is_trace(const std::string& path);

/// Throws InputError for a file that begins like a trace but does not have the name of one.
void refuse_unnamed_trace(const std::string& path);

/// A copy from the host to this range of device memory.
struct HostCopy {
  Addr begin = 0;
  std::uint64_t bytes = 0;
};

/// A kernel, and the copies to the device between the previous kernel and it.
struct TracedKernel {
  std::string path;
  /// 7 for "kernel-7"; if the name has no number, the position in the list, from 1.
  std::uint64_t number = 0;
  bool finds_empty_l2 = false;  ///< L2 is emptied before it.
  std::vector<HostCopy> copies;
};

/// The kernel of a trace, or the kernels of a list in order. Throws InputError, also for pipes, because they
/// can be read only once.
std::vector<TracedKernel> traced_kernels(const std::string& path);

/// A choice of kernels by number: "3-7,12".
class KernelChoice {
 public:
  /// An empty text chooses all. Throws UsageError, which names the option.
  KernelChoice(std::string_view option, const std::string& text);
  [[nodiscard]] bool has(std::uint64_t number) const;
  /// Throws UsageError for a chosen number or range without any kernel.
  void require_kernels(const std::vector<std::uint64_t>& numbers) const;

 private:
  /// Numbers from `first` to `last`, both included.
  struct Range {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::string option_;
  std::vector<Range> ranges_;
};

}  // namespace heddle::command
