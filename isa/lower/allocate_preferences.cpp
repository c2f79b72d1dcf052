#include "isa/lower/allocate_preferences.h"

#include <algorithm>
#include <deque>

#include "isa/ir/opcode.h"

namespace heddle::lower {

namespace {

/// For how many instructions a register rests. With 8 to 16 the counts of ptxas 11.8 to 13.0 in
/// tests/isa/compiled are met within 10 % in the median, and with 8 those of lowered PTX best.
constexpr Pc kRest = 8;

bool has_address(const ir::Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ir::Operand& operand) { return operand.kind == ir::Operand::Kind::Address; });
}

/// Whether a warp learns from a scoreboard that the instruction has read its sources.
bool has_variable_latency(const ir::Instruction& instruction) {
  using ir::TimingClass;
  switch (ir::info(instruction.opcode).timing_class) {
    case TimingClass::LoadConstant:
    case TimingClass::Shuffle:
    case TimingClass::Convert:
    case TimingClass::SpecialFunction:
      return true;
    default:
      return has_address(instruction);
  }
}

class Finder {
 public:
  Finder(const ir::Kernel& kernel, const Webs& webs) : kernel_(kernel), webs_(webs) {
    found_.other_bank.resize(webs.list.size());
    found_.resting.resize(webs.list.size());
  }

  Preferences run() {
    for (const cfg::BasicBlock& block : webs_.graph.blocks) {
      read_.clear();
      for (Pc pc = block.begin; pc < block.end; ++pc) {
        note_rest(pc);
        note_banks(pc);
        note_reads(pc);
      }
    }
    for (std::vector<Web>& list : found_.resting) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return std::move(found_);
  }

 private:
  struct Read {
    Pc pc = 0;
    Web web = 0;
  };

  static void connect(std::vector<std::vector<Web>>& lists, Web one, Web other) {
    if (one == other) return;
    lists[one].push_back(other);
    lists[other].push_back(one);
  }

  template <typename Visit>
  void each_general(Pc pc, bool is_written, Visit visit) const {
    for (const Access& access : webs_.accesses.of(pc)) {
      if (access.file == ir::RegisterFile::General && access.is_written == is_written) visit(access);
    }
  }

  void note_rest(Pc pc) {
    while (!read_.empty() && read_.front().pc + kRest < pc) read_.pop_front();
    each_general(pc, true, [&](const Access& access) {
      for (const Read& read : read_) connect(found_.resting, access.number, read.web);
    });
  }

  /// Pairs and quads lie in both banks; what counts is where they begin.
  void note_banks(Pc pc) {
    std::vector<Web> firsts;
    each_general(pc, false, [&](const Access& access) {
      if (access.place == 0) firsts.push_back(access.number);
    });
    std::sort(firsts.begin(), firsts.end());
    firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      for (std::size_t j = i + 1; j < firsts.size(); ++j) connect(found_.other_bank, firsts[i], firsts[j]);
    }
  }

  void note_reads(Pc pc) {
    if (!has_variable_latency(kernel_.instructions[pc])) return;
    each_general(pc, false, [&](const Access& access) { read_.push_back({pc, access.number}); });
  }

  const ir::Kernel& kernel_;
  const Webs& webs_;
  Preferences found_;
  std::deque<Read> read_;
};

}  // namespace

Preferences find_preferences(const ir::Kernel& kernel, const Webs& webs) {
  return Finder(kernel, webs).run();
}

}  // namespace heddle::lower
