// Sorts by time. Equal times keep their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "isa/base/types.h"

namespace heddle {

/// A counting sort, for many items with few different times. Its memory is reused.
class TimeOrder {
 public:
  /// The numbers below `count`, sorted by time_of(number), which must be from `first` to `last`. Valid until
  /// the next call.
  template <typename TimeOf>
  const std::vector<std::uint32_t>& of(std::size_t count, Cycle first, Cycle last, TimeOf time_of) {
    order_.resize(count);
    if (count == 0) return order_;
    places_.assign(last - first + 2, 0);
    for (std::uint32_t i = 0; i < count; ++i) ++places_[time_of(i) - first + 1];
    std::partial_sum(places_.begin(), places_.end(), places_.begin());
    for (std::uint32_t i = 0; i < count; ++i) order_[places_[time_of(i) - first]++] = i;
    return order_;
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> places_;  // start of each time in order_
};

}  // namespace heddle
