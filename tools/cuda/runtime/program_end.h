// What is done with a GPU when its program ends, and with what it has counted.
#pragma once

#include <memory>
#include <span>

#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/settings.h"

namespace heddle::cudart {

/// Exit codes of a program, those of all of Heddle's commands.
inline constexpr int kEndFailed = 2;   ///< What was asked for cannot be written, or not be decided.
inline constexpr int kFaultFound = 3;  ///< The simulated program made a mistake.
inline constexpr int kLimitExceeded = 4;

/// Tells on standard error of mistakes that launches on the GPU made and that were let pass, and of what was
/// timed otherwise than a GPU would take.
void tell_notes(Gpu& gpu) noexcept;

/// Lets what still runs come to its end, whose fault is said on standard error, as what checks have found is.
/// Returns whether they found anything. What cannot be written is said there, too. Throws nothing.
bool finish_gpu(Gpu& gpu, const Settings& settings) noexcept;

/// Writes the table of all launches and the totals, and decides whether the program took more than it may.
/// Returns the exit code that the program is to have; 0: its own. Logs can be null. Throws nothing.
int finish_program(std::span<const std::unique_ptr<LaunchLog>> logs, const Settings& settings) noexcept;

/// The same for a program that has never asked for a GPU.
int finish_without_gpu() noexcept;

}  // namespace heddle::cudart
