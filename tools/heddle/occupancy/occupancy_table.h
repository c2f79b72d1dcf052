// `heddle occupancy --batch`: a table of configurations.
#pragma once

#include "tools/heddle/occupancy/occupancy_request.h"

namespace heddle::command {

/// Writes the table with an answer in each row. Throws InputError.
void answer_table(const OccupancyRequest& request);

}  // namespace heddle::command
