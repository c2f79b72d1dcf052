// The source of a kernel with what its lines cost, as text:
//
//   Lines of saxpy.cu: the share of issue slots lost for each, to what first
//     lost                   issued lanes  line
//   31.2 % long scoreboard    12.3k  32.0 >  5  if (i < n) y[i] = a * x[i] + y[i];
//
// Slots are lost for the line that warps waited for: see sim/figures/costs.h. The worst line is marked.
#pragma once

#include <string>

#include "tools/report/line_profile.h"
#include "tools/report/render_text.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// Lists the files of the profile. Lines that cost little, and have no neighbour that costs more, are left
/// out, unless `all` is asked for. No line is wider than the style says.
std::string line_listing(const Summary& summary, const LineProfile& profile, const TextStyle& style,
                         bool all);

/// What the verdict says of the worst line: "Line 14 of softmax.cu: 31 % of issue slots are lost for it, most
/// to long scoreboard; uncoalesced accesses: 32.0 sectors each, 4.0 would do." Empty if none costs much.
std::string worst_line_text(const Summary& summary, const LineProfile& profile);

}  // namespace heddle::report
