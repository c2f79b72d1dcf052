// Launches and traces as `heddle bench` measures them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/bench/subject.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// A launch that is executed.
class LaunchSubject final : public bench::Subject {
 public:
  /// `spec` must outlive this.
  LaunchSubject(launch::LaunchFile file, const sim::GpuSpec& spec);

  void restore() override;
  std::uint64_t run_functionally() override;
  std::unique_ptr<stream::KernelSource> source() override;

 private:
  launch::LaunchFile file_;
  const sim::GpuSpec& spec_;
  std::vector<std::vector<std::byte>> initial_;  // contents of the buffers
};

/// A trace, which each run reads from its beginning.
class TraceSubject final : public bench::Subject {
 public:
  /// `spec` must outlive this.
  TraceSubject(std::string path, const sim::GpuSpec& spec) : path_(std::move(path)), spec_(spec) {}

  std::uint64_t run_functionally() override;
  std::unique_ptr<stream::KernelSource> source() override;

 private:
  std::string path_;
  const sim::GpuSpec& spec_;
};

}  // namespace heddle::command
