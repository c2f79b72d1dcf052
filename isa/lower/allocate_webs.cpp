#include "isa/lower/allocate_webs.h"

#include <algorithm>

#include "isa/lower/allocate_disjoint_sets.h"
#include "isa/lower/allocate_flow.h"
#include "isa/lower/allocate_liveness.h"

namespace heddle::lower {

namespace {

using cfg::BlockIndex;
using Number = std::uint32_t;

/// First one web for each write and for each register that is live where a block begins; then those that must
/// be one become one.
class WebBuilder {
 public:
  WebBuilder(const ir::Kernel& kernel, Webs& webs)
      : kernel_(kernel), webs_(webs), current_(webs.accesses.registers().size()) {}

  void run() {
    live_ = find_live_registers(webs_.accesses, webs_.graph);
    number_live_in();
    for (BlockIndex block = 0; block < webs_.graph.blocks.size(); ++block) walk(block);
    finish();
  }

 private:
  struct Current {
    BlockIndex block = ~BlockIndex{0};
    Web web = 0;
  };

  Web add_web(Number number) {
    registers_of_.push_back(number);
    return sets_.add();
  }

  void number_live_in() {
    for (const std::vector<Number>& registers : live_.in) {
      std::vector<Web>& webs = live_in_.emplace_back();
      for (const Number number : registers) webs.push_back(add_web(number));
    }
  }

  void walk(BlockIndex index) {
    block_ = index;
    const std::vector<Number>& live_in = live_.in[index];
    for (std::size_t i = 0; i < live_in.size(); ++i) current_[live_in[i]] = {index, live_in_[index][i]};
    for (Pc pc = webs_.graph.blocks[index].begin; pc < webs_.graph.blocks[index].end; ++pc) step(pc);
    leave(webs_.graph.blocks[index]);
  }

  [[nodiscard]] bool is_known(Number number) const { return current_[number].block == block_; }

  void step(Pc pc) {
    unwritten_.clear();
    std::vector<std::pair<Access*, Web>> found;
    for (Access& access : webs_.accesses.of(pc)) {
      if (!access.is_written) found.emplace_back(&access, read(access.number));
    }
    for (Access& access : webs_.accesses.of(pc)) {
      if (access.is_written) found.emplace_back(&access, write(access));
    }
    for (const auto& [access, web] : found) access->number = web;
    if (ir::info(kernel_.instructions[pc].opcode).action == ir::Action::MultiplyInGroup) tie_sums(pc);
  }

  /// What no write leads to has any value, and so any register.
  Web read(Number number) {
    if (!is_known(number)) {
      current_[number] = {block_, add_web(number)};
      unwritten_.push_back(number);
    }
    return current_[number].web;
  }

  /// An instruction that leaves a part of its result as it is names it among its sources, too, even if nobody
  /// has written it before. It stays one register.
  Web write(Access& access) {
    const bool was_unwritten =
        std::find(unwritten_.begin(), unwritten_.end(), access.number) != unwritten_.end();
    if (was_unwritten) return current_[access.number].web;
    if (!is_known(access.number)) access.starts = true;
    if (access.starts) current_[access.number] = {block_, add_web(access.number)};
    return current_[access.number].web;
  }

  /// The sums that a product adds to are those that it leaves.
  void tie_sums(Pc pc) {
    const auto runs = ir::registers_of(kernel_.instructions[pc]);
    std::vector<Web> written;
    std::vector<Web> read;
    for (const Access& access : webs_.accesses.of(pc)) {
      if (!(runs.begin() + access.run)->are_sums) continue;
      (access.is_written ? written : read).push_back(access.number);
    }
    for (std::size_t i = 0; i < std::min(written.size(), read.size()); ++i) sets_.unite(written[i], read[i]);
  }

  void leave(const cfg::BasicBlock& block) {
    std::vector<Web>& live_out = webs_.live_out.emplace_back();
    for (const BlockIndex next : block.successors) {
      for (std::size_t i = 0; i < live_.in[next].size(); ++i) {
        const Number number = live_.in[next][i];
        if (!is_known(number)) continue;
        live_out.push_back(current_[number].web);
        sets_.unite(live_in_[next][i], current_[number].web);
      }
    }
  }

  /// Webs get their numbers in the order in which the kernel meets them.
  void finish() {
    constexpr Web kNone = ~Web{0};
    std::vector<Web> final_of(sets_.size(), kNone);
    const auto final_web = [&](Web web) {
      Web& number = final_of[sets_.find(web)];
      if (number == kNone) {
        number = static_cast<Web>(webs_.list.size());
        webs_.list.push_back({webs_.accesses.registers()[registers_of_[web]]});
      }
      return number;
    };
    for (Pc pc = 0; pc < kernel_.instructions.size(); ++pc) {
      for (Access& access : webs_.accesses.of(pc)) access.number = final_web(access.number);
    }
    for (std::vector<Web>& webs : webs_.live_out) {
      for (Web& web : webs) web = final_web(web);
      std::sort(webs.begin(), webs.end());
      webs.erase(std::unique(webs.begin(), webs.end()), webs.end());
    }
  }

  const ir::Kernel& kernel_;
  Webs& webs_;
  LiveRegisters live_;
  DisjointSets sets_;
  std::vector<Number> registers_of_;       // by web before they become one
  std::vector<std::vector<Web>> live_in_;  // beside live_.in
  std::vector<Current> current_;           // by register: its web at this place of the block
  std::vector<Number> unwritten_;          // that this instruction reads
  BlockIndex block_ = 0;
};

}  // namespace

Webs::Webs(const ir::Kernel& kernel) : graph(make_calling_flow(kernel)), accesses(kernel) {
  WebBuilder(kernel, *this).run();
}

Web web_at(const Webs& webs, Pc pc, ir::RegisterName name, bool is_written) {
  Web found = ~Web{0};
  for (const Access& access : webs.accesses.of(pc)) {
    if (webs.list[access.number].name != name) continue;
    found = access.number;
    if (access.is_written == is_written) break;
  }
  return found;
}

}  // namespace heddle::lower
