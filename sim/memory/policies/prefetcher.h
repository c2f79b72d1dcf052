// Hardware prefetchers: what a cache fetches before a load asks for it.
//
// A prefetcher sees each load that is looked up, in the order in which the cache sees them, and says which
// sectors it would like to have. The cache drops those that it has, or that are on their way, or for which it
// has no room, and those in another page than the load: that page's address is not known.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/policies.h"

namespace heddle::sim {

/// A load of sectors of one line. Lines are named by their numbers, address / line size.
struct CacheAccess {
  Cycle now = 0;
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;  ///< Bit i: sector i of the line.
  std::uint32_t missing = 0;  ///< How many of those the cache does not hold.
  Pc pc = 0;                  ///< The instruction that loads.
  std::uint16_t warp = 0;     ///< The warp's slot in its SM.
  SmId sm = 0;
  /// Which of the lines of its warp instruction it is, from 0. L2 is not told: always 0 there.
  std::uint8_t piece = 0;
};

/// Sectors of a line that shall be fetched.
struct PrefetchedLine {
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;

  friend bool operator==(const PrefetchedLine&, const PrefetchedLine&) = default;
};

/// One object a cache: of L2, for all slices. It must depend on nothing but these calls, so that results are
/// the same in every run.
class Prefetcher {
 public:
  virtual ~Prefetcher() = default;

  /// Appends what it wants to `wanted`, what is wanted most first.
  virtual void access(const CacheAccess& access, std::vector<PrefetchedLine>& wanted) = 0;
};

/// What a prefetcher is told when it is made.
struct PrefetcherShape {
  unsigned sectors_per_line = 1;
  unsigned degree = 1;  ///< How many steps ahead it asks for.
};

/// A row of the table of prefetchers.
struct PrefetcherPolicy : PolicyName {
  std::unique_ptr<Prefetcher> (*make)(const PrefetcherShape& shape);  ///< Null: nothing is fetched.
};

/// All policies, in the order in which they are listed; the first is none.
std::span<const PrefetcherPolicy> prefetcher_policies();

/// Null where nothing is prefetched. Throws InputError if no policy has the name, which is that of `key` in a
/// GPU file.
std::unique_ptr<Prefetcher> make_prefetcher(std::string_view name, std::string_view key,
                                            const PrefetcherShape& shape);

}  // namespace heddle::sim
