// Quotients of counts.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle::sim {

/// A quotient. Not set if the divisor is 0: without loads there is no hit rate.
using Ratio = std::optional<double>;

inline Ratio ratio(std::uint64_t amount, std::uint64_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(amount) / static_cast<double>(of);
}

/// The same, but 0 if the divisor is 0.
inline double quotient(std::uint64_t amount, std::uint64_t of) { return ratio(amount, of).value_or(0); }

}  // namespace heddle::sim
