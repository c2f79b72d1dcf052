// The traces that a command line names: kernels, and lists of them with the copies between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/types.h"

namespace heddle::command {

/// By its name: a trace (.traceg, .traceg.xz, .tracez ...) or a list of them (kernelslist.g).
bool is_trace(const std::string& path);

/// Throws InputError for a file that begins as a trace does and is not called as one.
void refuse_unnamed_trace(const std::string& path);

/// To device memory.
struct HostCopy {
  Addr begin = 0;
  std::uint64_t bytes = 0;
};

/// A kernel, and what was copied to the device since the one before.
struct TracedKernel {
  std::string path;
  std::uint64_t number = 0;     ///< "kernel-7" is 7; without a number, its place in the list, from 1 on.
  bool finds_empty_l2 = false;  ///< Whatever ran before.
  std::vector<HostCopy> copies;
};

/// Of a trace itself, or of what its list names, in its order. Throws InputError, as for pipes, which can be
/// read once only.
std::vector<TracedKernel> traced_kernels(const std::string& path);

/// Which numbers are asked for: "3-7,12".
class KernelChoice {
 public:
  /// Throws UsageError, naming the option. An empty text chooses all.
  KernelChoice(std::string_view option, const std::string& text);
  [[nodiscard]] bool has(std::uint64_t number) const;
  /// Throws UsageError for a number, or numbers from one to another, of which there is no kernel.
  void require_kernels(const std::vector<std::uint64_t>& numbers) const;

 private:
  struct Range {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::string option_;
  std::vector<Range> ranges_;
};

}  // namespace heddle::command
