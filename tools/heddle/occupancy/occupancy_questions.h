// From what a command line names to questions: flags, compiler output, launch files.
#pragma once

#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/occupancy/what_if.h"
#include "tools/heddle/occupancy/occupancy_request.h"

namespace heddle::command {

struct Gathered {
  std::vector<occupancy::Question> questions;  ///< In the order of the input.
  std::vector<Diagnostic> notes;               ///< On kernels for other GPUs, or for such as are not known.
};

/// Kernels without a block size get the suggested one. Throws InputError, also where all are left out.
Gathered gather_questions(const OccupancyRequest& request);

/// Gives the question the device of the request, h100 where it names none.
void choose_device(const OccupancyRequest& request, occupancy::Question& question);

/// By the request's bounds and expression. Throws InputError if no block size can run.
sim::BlockSuggestion suggest(const OccupancyRequest& request, const occupancy::Question& question);

}  // namespace heddle::command
