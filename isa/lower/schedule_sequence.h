// The order of a sequence of instructions that may pass one another.
#pragma once

#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/ir/registers.h"

namespace heddle::lower {

/// A general register or a predicate.
using Key = std::uint64_t;
using LiveKeys = std::set<Key>;

inline constexpr Key kPredicateKeys = Key{1} << 32;

constexpr bool is_predicate(Key key) { return key >= kPredicateKeys; }

/// Uniform registers are not looked at.
constexpr bool counts_for_order(ir::RegisterFile file) {
  return file == ir::RegisterFile::General || file == ir::RegisterFile::Predicate;
}

constexpr Key key_of(ir::RegisterFile file, ir::RegisterIndex index) {
  return file == ir::RegisterFile::Predicate ? kPredicateKeys + index : index;
}

inline std::size_t predicates_in(const LiveKeys& live) {
  return static_cast<std::size_t>(std::distance(live.lower_bound(kPredicateKeys), live.end()));
}

/// Calls visit(key) for each register that the instruction writes, or for each that it reads.
template <typename Visit>
void each_key(const ir::Instruction& instruction, bool written, Visit visit) {
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    if (!counts_for_order(run.file) || (run.use == ir::RegisterRun::Use::Written) != written) continue;
    for (ir::RegisterIndex i = 0; i < run.count; ++i) visit(key_of(run.file, run.first + i));
  }
}

/// How many general registers may hold values at once.
struct OrderLimits {
  std::size_t registers = 0;      ///< For the sake of what takes long: loads, special functions.
  std::size_t of_arithmetic = 0;  ///< Other instructions do not come early beyond this.
};

/// For [begin, end): the places, from 0 on, of the instructions in their new order. `live_behind` is what is
/// live behind the last one.
std::vector<std::uint32_t> order_of(const ir::Kernel& kernel, Pc begin, Pc end, const LiveKeys& live_behind,
                                    const OrderLimits& limits);

}  // namespace heddle::lower
