// All orders of a DRAM channel.
#include "sim/memory/policies/dram_order.h"

namespace heddle::sim {

namespace {

constexpr DramOrder kOrders[] = {
    {{"fr_fcfs",
      "first ready, first come first served: requests for a row are served together, as far as four "
      "rows of a bank are apart"},
     kMostOpenRows},
    {{"fcfs", "first come, first served: a row is open until its bank is asked for another"}, 1},
    {{"closed_row", "each access activates its row, which is closed after it"}, 0},
};

}  // namespace

std::span<const DramOrder> dram_orders() { return kOrders; }

PolicyNames dram_order_names() { return names_of(dram_orders()); }

const DramOrder& dram_order(std::string_view name) {
  return find_policy(dram_orders(), kDramOrders, name, "dram.order");
}

}  // namespace heddle::sim
