// Gives each bundle of one register file its registers.
//
// Bundles are placed one after the other, where no bundle that interferes and has been placed before is. The
// order is that of Matula and Beck's "smallest last" (1983), which Chaitin and Briggs use, with the extents
// and alignments of bundles counted as by Smith, Ramsey and Holloway ("A generalized algorithm for
// graph-coloring register allocation", 2004). What finds no place comes first in the next try (Joslin and
// Clements, "Squeaky wheel optimization", 1999), so that the number of registers goes down to where the
// values that are live at once leave none free, or near it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lower/allocate_bundles.h"
#include "isa/lower/allocate_preferences.h"

namespace heddle::lower {

/// A set of registers of one file.
class RegisterSet {
 public:
  void add(unsigned index) { words_[index / 64] |= std::uint64_t{1} << (index % 64); }
  [[nodiscard]] bool has(unsigned index) const { return (words_[index / 64] >> (index % 64) & 1) != 0; }
  void clear() { words_ = {}; }
  void add_all(const RegisterSet& other) {
    for (std::size_t i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
  }
  /// Adds the registers from which one of the set is `distance` away.
  void add_before(const RegisterSet& other, unsigned distance);

 private:
  static constexpr std::size_t kWords = 4;
  std::array<std::uint64_t, kWords> words_{};
};

/// The bundles of one file and what interferes.
class ColouringProblem {
 public:
  ColouringProblem(const Webs& webs, Bundles& bundles, const std::vector<Copy>& copies,
                   ir::RegisterFile file);
  /// Adds the preferences. To be called once, before nodes are placed by them.
  void add_preferences(const Preferences& preferences, Bundles& bundles);

  /// Where a node would like to lie, so that a copy vanishes.
  struct Wish {
    std::uint32_t node = 0;  ///< The node of the copy's other register; kPhysical: a physical register.
    int distance = 0;  ///< From where that node begins to where this one should; or the physical register.
  };
  static constexpr std::uint32_t kPhysical = ~std::uint32_t{0};

  /// One register of a node, and what it interferes with.
  struct Member {
    std::uint32_t node = 0;
    unsigned offset = 0;                    ///< How far behind the node's first register it lies.
    RegisterSet taken;                      ///< The physical registers that interfere.
    std::vector<std::uint32_t> neighbours;  ///< Members that interfere.
    std::vector<std::uint32_t> other_bank;  ///< Preferences, if they have been added: members as well.
    std::vector<std::uint32_t> resting;
  };
  /// A bundle that needs registers.
  struct Node {
    std::uint32_t bundle = 0;
    unsigned extent = 1;
    unsigned alignment = 1;
    unsigned residue = 0;  ///< Its first register, modulo `alignment`.
    std::uint32_t first_member = 0;
    std::uint32_t members = 0;
    std::vector<Wish> wishes;  ///< Where a copy to or from it would vanish.
  };

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] std::size_t edges() const { return edges_; }
  /// One more than the highest physical register that the kernel names.
  [[nodiscard]] unsigned physical() const { return physical_; }

 private:
  void add_nodes(const Webs& webs, Bundles& bundles, ir::RegisterFile file);
  void add_edges(const Webs& webs, Bundles& bundles);
  void add_wishes(const Webs& webs, Bundles& bundles, const std::vector<Copy>& copies);

  std::vector<Node> nodes_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> member_of_;  // by shared web; kPhysical: none
  std::size_t edges_ = 0;
  unsigned physical_ = 0;
};

/// The registers that bundles have got.
struct Colouring {
  static constexpr int kNowhere = -1;

  std::vector<int> first;              ///< By node, its first register.
  std::vector<std::uint32_t> failing;  ///< Nodes that have found no place.
  unsigned registers = 0;              ///< One more than the highest one, be it physical or not.
};

/// Finds a colouring with at most `most` registers, and with as few as it can; `least` is a known lower
/// bound. The result is always the same for the same problem.
Colouring find_colouring(const ColouringProblem& problem, unsigned least, unsigned most);

/// The index at which a file's registers begin among those that operands have: 8 for uniform predicates.
constexpr unsigned first_register(ir::RegisterFile file) {
  return file == ir::RegisterFile::UniformPredicate ? ir::kFirstUniformPredicate : 0U;
}

}  // namespace heddle::lower
