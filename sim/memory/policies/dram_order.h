// In what order a channel of DRAM serves what waits for it, as far as rows are concerned.
//
// Requests pass a channel's data bus in the order in which they come. A controller that serves requests for
// an open row before others (first ready, first come first served: Rixner, Dally, Kapasi, Mattson, Owens:
// "Memory Access Scheduling", ISCA 2000) is not modelled by another order, for then nothing could be said of
// a request before those after it are known; but its effect is: a row counts as open while it is among the
// last few that its bank had, as if their requests had been served together.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/config/policies.h"

namespace heddle::sim {

/// A row of the table of orders.
struct DramOrder : PolicyName {
  /// So many of the rows that a bank had last need not be activated again: the latest, which is open, and
  /// those whose requests a controller would have served together with others in its queue.
  std::size_t open_rows;
};

inline constexpr std::size_t kMostOpenRows = 4;

/// All orders, in the order in which they are listed.
std::span<const DramOrder> dram_orders();

/// Throws InputError if none has the name, which is that of dram.order.
const DramOrder& dram_order(std::string_view name);

}  // namespace heddle::sim
