// Webs that share a register, and bundles of such registers that must lie side by side.
#pragma once

#include <vector>

#include "isa/lower/allocate_disjoint_sets.h"
#include "isa/lower/interference.h"

namespace heddle::lower {

/// Registers at fixed distances from one another: a single one, a pair, a quad, or more where instructions
/// take different parts of it.
struct Bundle {
  /// One register of the bundle.
  struct Member {
    int place = 0;   ///< Its register is `place` behind that of place 0.
    Web shared = 0;  ///< Stands for the webs that share it.
  };

  ir::RegisterFile file = ir::RegisterFile::General;
  std::vector<Member> members;  ///< In ascending order of places.
  /// The register of place 0 is `residue` modulo this power of two.
  unsigned alignment = 1;
  unsigned residue = 0;

  [[nodiscard]] int first() const { return members.front().place; }
  [[nodiscard]] unsigned extent() const {
    return static_cast<unsigned>(members.back().place - members.front().place) + 1;
  }
};

/// All bundles of a kernel. Joins make them fewer and larger; they are never taken apart.
class Bundles {
 public:
  /// Each web is a bundle of its own. A bundle has at most `most[file]` registers. Physical registers stay
  /// alone.
  Bundles(const Webs& webs, const Interference& interference, const std::vector<unsigned>& most);

  /// Makes the webs lie side by side, as a run of this alignment. False if that cannot be; some of them may
  /// lie so.
  bool join_run(const std::vector<Web>& run, unsigned alignment);
  /// Makes them share a register, and those beside them theirs. False if some interfere or lie otherwise.
  bool join_copy(Web one, Web other);

  /// The web that stands for all webs that share the register of this one.
  [[nodiscard]] Web shared(Web web) { return shares_.find(web); }
  /// The webs that interfere with one of those that share the register, in ascending order.
  [[nodiscard]] const std::vector<Web>& interfering(Web shared) const { return edges_[shared]; }
  [[nodiscard]] std::uint32_t bundle_of(Web web) { return bundle_of_[shared(web)]; }
  [[nodiscard]] const std::vector<Bundle>& list() const { return bundles_; }  ///< Some without members.
  [[nodiscard]] int place_of(Web web) { return place_of_[shared(web)]; }

 private:
  bool join(Web one, Web other, int distance);
  [[nodiscard]] bool fits(const Bundle& one, const Bundle& other, int shift) const;
  [[nodiscard]] bool interfere(Web one, Web other) const;
  void share(Web one, Web other);
  void merge(std::uint32_t into, std::uint32_t from, int shift);
  bool align(std::uint32_t bundle, int place, unsigned alignment);

  const Webs* webs_;
  std::vector<unsigned> most_;             // by file
  std::vector<std::vector<Web>> edges_;    // by shared web, to webs
  std::vector<std::vector<Web>> sharing_;  // by shared web
  DisjointSets shares_;
  std::vector<std::uint32_t> bundle_of_;  // by shared web
  std::vector<int> place_of_;             // by shared web
  std::vector<Bundle> bundles_;
};

}  // namespace heddle::lower
