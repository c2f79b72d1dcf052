// The traces of a program's launches, for people without the program: HEDDLE_RECORD.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/session/launch_layer.h"
#include "sim/trace/read/kernels_list.h"

namespace heddle::cudart {

/// A folder of recordings: a trace and a file of facts for each timed launch that has ended, and a list of
/// them and of the copies from the host between them, in the order in which the program asked for them. Each
/// file appears whole or not at all, the list at the end.
class ProgramRecording {
 public:
  /// Creates the folder. Throws InputError if it cannot be written to.
  ProgramRecording(std::string folder, const sim::GpuSpec& gpu);

  /// What records the program's next launch. Both this and the kernel must outlive it.
  std::shared_ptr<session::LaunchLayer> next_launch(const ir::Kernel& kernel);
  void add_copy(Addr to, std::uint64_t bytes);
  /// Writes the list of what has ended; none if nothing has. Throws InputError.
  void write_list() const;

 private:
  class Recorder;

  /// A launch has ended, whose files are there.
  void note_ended(std::size_t entry) { has_ended_[entry] = true; }

  std::string folder_;
  std::string compute_capability_;
  std::uint64_t launches_ = 0;
  std::vector<trace::ListEntry> entries_;
  std::vector<bool> has_ended_;  // beside entries_
};

}  // namespace heddle::cudart
