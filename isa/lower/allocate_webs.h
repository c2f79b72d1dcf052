// Webs: the values of a kernel that must lie in one register each (Muchnick, "Advanced Compiler Design and
// Implementation", 1997, 16.3.3).
//
// A web is a set of writes and all reads that one of them reaches, closed over common reads. A register that
// is used again for another value has a web for each.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/lower/allocate_accesses.h"

namespace heddle::lower {

using Web = std::uint32_t;

/// What is known of one web.
struct WebInfo {
  ir::RegisterName name;  ///< The register as the kernel names it.

  [[nodiscard]] bool is_fixed() const { return !ir::is_virtual(name.index); }
};

/// A kernel as register allocation sees it. It is made anew when the kernel has changed.
struct Webs {
  explicit Webs(const ir::Kernel& kernel);

  cfg::FlowGraph graph;
  Accesses accesses;  ///< Their numbers are webs.
  std::vector<WebInfo> list;
  std::vector<std::vector<Web>> live_out;  ///< By block, where it ends.
};

/// The web that an operand of `pc` names, by what stands there: where a register is read and written, its two
/// webs can differ.
Web web_at(const Webs& webs, Pc pc, ir::RegisterName name, bool is_written);

/// A set of webs with a list of what is in it.
class WebSet {
 public:
  explicit WebSet(std::size_t webs) : place_(webs, kAbsent) {}

  [[nodiscard]] const std::vector<Web>& list() const { return list_; }
  [[nodiscard]] bool has(Web web) const { return place_[web] != kAbsent; }
  void insert(Web web) {
    if (has(web)) return;
    place_[web] = static_cast<std::uint32_t>(list_.size());
    list_.push_back(web);
  }
  void erase(Web web) {
    if (!has(web)) return;
    place_[list_.back()] = place_[web];
    list_[place_[web]] = list_.back();
    list_.pop_back();
    place_[web] = kAbsent;
  }
  void clear() {
    for (const Web web : list_) place_[web] = kAbsent;
    list_.clear();
  }

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  std::vector<std::uint32_t> place_;  // in list_, by web
  std::vector<Web> list_;
};

}  // namespace heddle::lower
