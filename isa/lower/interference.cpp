#include "isa/lower/interference.h"

#include <algorithm>

#include "isa/lower/number_sorter.h"

namespace heddle::lower {

namespace {

bool is_plain_copy(const ir::Instruction& instruction) {
  const bool is_copy = instruction.opcode == ir::Opcode::Mov || instruction.opcode == ir::Opcode::Mov64 ||
                       instruction.opcode == ir::Opcode::Umov || instruction.opcode == ir::Opcode::Umov64;
  const ir::Operand& source = instruction.operands[1];
  return is_copy && source.kind == instruction.operands[0].kind && !source.negated && !source.absolute &&
         source.part == ir::RegisterPart::All;
}

/// Walks the kernel from its end and notes edges from each web that is written.
class EdgeBuilder {
 public:
  EdgeBuilder(const ir::Kernel& kernel, const Webs& webs, std::vector<std::vector<Web>>& edges)
      : kernel_(kernel), webs_(webs), edges_(edges), live_(kRegisterFiles, WebSet(webs.list.size())) {}

  void run() {
    for (std::size_t block = 0; block < webs_.graph.blocks.size(); ++block) {
      for (WebSet& set : live_) set.clear();
      for (const Web web : webs_.live_out[block]) live_in_file(web).insert(web);
      for (Pc pc = webs_.graph.blocks[block].end; pc-- > webs_.graph.blocks[block].begin;) step(pc);
    }
  }

 private:
  WebSet& live_in_file(Web web) { return live_[static_cast<std::size_t>(webs_.list[web].name.file)]; }

  void step(Pc pc) {
    const std::span<const Access> accesses = webs_.accesses.of(pc);
    const Copy copy = copy_at(kernel_, webs_, pc);
    for (const Access& access : accesses) {
      if (!access.is_written) continue;
      add_edges(access.number, live_in_file(access.number).list(), copy);
      add_results(access, accesses);
    }
    for (const Access& access : accesses) {
      if (access.is_written && access.starts) live_in_file(access.number).erase(access.number);
    }
    for (const Access& access : accesses) {
      if (!access.is_written) live_in_file(access.number).insert(access.number);
    }
  }

  void add_edges(Web written, const std::vector<Web>& live, const Copy& copy) {
    Web source = written;
    for (const auto& [to, from] : copy.words) {
      if (to == written) source = from;
    }
    for (const Web web : live) {
      if (web != written && web != source) edges_[written].push_back(web);
    }
  }

  /// Two results have two registers, whether they are read or not.
  void add_results(const Access& access, std::span<const Access> accesses) {
    for (const Access& other : accesses) {
      if (other.is_written && other.file == access.file && other.number != access.number)
        edges_[access.number].push_back(other.number);
    }
  }

  const ir::Kernel& kernel_;
  const Webs& webs_;
  std::vector<std::vector<Web>>& edges_;
  std::vector<WebSet> live_;  // by file
};

/// Adds what is there in the other direction, too.
void make_symmetric(std::vector<std::vector<Web>>& edges) {
  NumberSorter sorter(edges.size());
  for (std::vector<Web>& list : edges) sorter.sort(list);
  std::vector<std::size_t> counts;
  for (const std::vector<Web>& list : edges) counts.push_back(list.size());
  for (Web web = 0; web < edges.size(); ++web) {
    for (std::size_t i = 0; i < counts[web]; ++i) edges[edges[web][i]].push_back(web);
  }
  for (std::vector<Web>& list : edges) sorter.sort(list);
}

}  // namespace

Copy copy_at(const ir::Kernel& kernel, const Webs& webs, Pc pc) {
  Copy copy{pc, {}};
  if (!is_plain_copy(kernel.instructions[pc])) return copy;
  std::vector<Web> written;
  std::vector<Web> read;
  const ir::RegisterRuns runs = ir::registers_of(kernel.instructions[pc]);
  for (const Access& access : webs.accesses.of(pc)) {
    if ((runs.begin() + access.run)->use == ir::RegisterRun::Use::Guard) continue;
    (access.is_written ? written : read).push_back(access.number);
  }
  if (written.size() != read.size()) return copy;  // one is RZ
  for (std::size_t i = 0; i < written.size(); ++i) copy.words.emplace_back(written[i], read[i]);
  return copy;
}

Interference::Interference(const ir::Kernel& kernel, const Webs& webs) : edges_(webs.list.size()) {
  EdgeBuilder(kernel, webs, edges_).run();
  for (const std::vector<Web>& set : uniform_webs_of_divergent_paths(kernel, webs)) {
    for (const Web one : set) {
      for (const Web other : set) {
        if (one < other) edges_[one].push_back(other);
      }
    }
  }
  make_symmetric(edges_);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    Copy copy = copy_at(kernel, webs, pc);
    if (!copy.words.empty()) copies_.push_back(std::move(copy));
  }
}

}  // namespace heddle::lower
