// Kernels that kernels launch (CUDA's dynamic parallelism).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/ir/system_variables.h"
#include "sim/session/device.h"

namespace heddle::cudart {

class Gpu;

/// How deep grids may launch one another, as with CUDA.
inline constexpr unsigned kDeepestLaunch = 24;

/// The launches that kernels of a GPU ask for. They begin when the grid that asks has ended, which CUDA
/// allows; a GPU begins them while it runs. What comes after that grid in its stream waits for all of them.
/// Launches of one block are done one after the other if they name the same stream, or none; others as the
/// GPU has room.
class DeviceLaunches {
 public:
  explicit DeviceLaunches(Gpu& gpu) : gpu_(gpu) {}

  /// The variable of a module, where threads put them (ir::kLaunchesVariable).
  void add(std::span<std::byte> variable) { variables_.push_back({variable}); }
  /// The launch has been given to the stream: its launches follow it. `depth`: 1 of what the host launches.
  void follow(session::LaunchId launch, session::StreamId stream, unsigned depth);

 private:
  /// A module's variable, and how many of its records have been done.
  struct Variable {
    std::span<std::byte> bytes;
    std::uint64_t done = 0;
  };
  /// A record, with the bytes of the parameters behind it.
  struct Asked {
    ir::LaunchRecord record;
    std::span<const std::byte> parameters;
  };

  void launch_all(session::LaunchId parent, session::EventId all_done, unsigned depth);
  void launch(const Asked& asked, session::StreamId stream, unsigned depth);
  /// What the launch asks for in a variable, in order. The records are free then, and keep parameters until a
  /// kernel runs.
  static std::vector<Asked> take_asked_by(session::LaunchId parent, Variable& variable);
  /// A stream of ours in which nothing is left to do.
  session::StreamId idle_stream(std::vector<session::StreamId>& taken);

  Gpu& gpu_;
  std::vector<Variable> variables_;
  std::vector<session::StreamId> streams_;
};

}  // namespace heddle::cudart
