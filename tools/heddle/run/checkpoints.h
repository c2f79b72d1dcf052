// --checkpoint FILE: the state of a long run is kept in a file from time to time, and the run goes on from
// there after whatever ended it.
#pragma once

#include <chrono>
#include <string>

#include "isa/base/thread_team.h"

namespace heddle::command {

/// --checkpoint FILE, --every TIME and what makes the command what it is.
struct CheckpointRequest {
  std::string path;
  std::chrono::milliseconds every{};
  std::string
      label;  ///< The command, where and by which program it was given: others do not go on from its file.
};

/// "90s", "10min", "2h", "250ms". Throws UsageError.
std::chrono::milliseconds read_duration(const std::string& text, const std::string& option);

/// The command of this process: program, folder, and words but --resume.
std::string label_of_command();

/// The checkpoints of a command.
class Checkpoints {
 public:
  /// Throws UsageError if none can be made here.
  explicit Checkpoints(CheckpointRequest request);

  /// Goes on from the file, if there is one: then it does not return. Throws InputError.
  void go_on() const;
  /// Makes one if it is time. No thread but the caller's and those of the team may run, and these have
  /// nothing to do.
  void update(ThreadTeam& team);
  /// The command has done all: the file is removed.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  CheckpointRequest request_;
  Clock::time_point last_;
};

}  // namespace heddle::command
