// Makes questions from what a command line names: flags, compiler output, launch files.
#pragma once

#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/occupancy/what_if.h"
#include "tools/heddle/occupancy/occupancy_request.h"

namespace heddle::command {

/// The questions of one command line.
struct Gathered {
  std::vector<occupancy::Question> questions;  ///< In the order of the input.
  std::vector<Diagnostic> notes;               ///< About kernels for other GPUs or for unknown GPUs.
};

/// Kernels without a block size get the suggested one. Throws InputError, also if all kernels were left out.
Gathered gather_questions(const OccupancyRequest& request);

/// Sets the device of the question to that of the request; h100 if the request names none.
void choose_device(const OccupancyRequest& request, occupancy::Question& question);

/// Suggests a block size within the request's limits. Throws InputError if no block size can run.
sim::BlockSuggestion suggest(const OccupancyRequest& request, const occupancy::Question& question);

}  // namespace heddle::command
