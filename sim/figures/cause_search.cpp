#include "sim/figures/cause_search.h"

#include <algorithm>
#include <compare>
#include <utility>

#include "isa/cfg/reconvergence.h"
#include "isa/ir/register_use.h"
#include "sim/figures/ratio.h"

namespace heddle::sim {

namespace {

using ir::StallReason;
using stream::OpKind;

bool has_slot(const ir::SlotList& list, ir::RegisterSlot slot) {
  return std::find(list.begin(), list.end(), slot) != list.end();
}

bool writes(const stream::StaticOp& op, ir::RegisterSlot slot) {
  const bool is_sum = slot >= op.sums.first && slot < op.sums.first + op.sums.count;
  return is_sum || has_slot(op.writes, slot);
}

/// Whether the result comes by a register that the waiting instruction names.
bool is_for_registers(StallReason reason) {
  return reason == StallReason::Wait || reason == StallReason::LongScoreboard ||
         reason == StallReason::ShortScoreboard;
}

/// Whether warps wait behind such an instruction for this reason, whatever registers they use.
bool holds_up(const stream::StaticOp& op, StallReason reason) {
  switch (reason) {
    case StallReason::Barrier:
      return stream::is_barrier(op.kind);
    case StallReason::Membar:
      return op.kind == OpKind::Fence;
    case StallReason::BranchResolving:
      return op.may_branch;
    case StallReason::Sleeping:
      return op.kind == OpKind::Sleep;
    case StallReason::WarpgroupArrive:
      return op.kind == OpKind::ArriveInGroup;
    case StallReason::Gmma:
      return op.kind == OpKind::GroupProduct;
    default:
      return false;
  }
}

/// What accesses of one kind of memory take, and what of that better addresses would avoid.
struct Traffic {
  std::uint64_t amount = 0;
  std::uint64_t excess = 0;

  [[nodiscard]] bool is_wasteful() const { return 2 * excess > amount; }
};

Traffic device_traffic(const MemoryCounters& counters) {
  return {counters.global_load_sectors + counters.global_store_sectors + counters.global_atomic_sectors,
          counters.global_load_excess_sectors + counters.global_store_excess_sectors};
}

Traffic shared_traffic(const MemoryCounters& counters) {
  return {counters.shared_load_passes + counters.shared_store_passes + counters.shared_atomic_passes,
          counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts +
              counters.shared_atomic_bank_conflicts};
}

/// The instruction whose excess is more than half of all traffic.
template <typename TrafficOf>
std::optional<Pc> most_wasteful(std::span<const PcCounters> by_pc, TrafficOf traffic_of) {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  std::optional<Pc> found;
  for (Pc pc = 0; pc < by_pc.size(); ++pc) {
    const Traffic traffic = traffic_of(by_pc[pc].memory);
    all += traffic.amount;
    if (traffic.excess <= most) continue;
    most = traffic.excess;
    found = pc;
  }
  return 2 * most > all ? found : std::nullopt;
}

}  // namespace

CauseSearch::CauseSearch(const ir::Kernel& kernel, std::span<const PcCounters> by_pc)
    : kernel_(kernel),
      by_pc_(by_pc.first(std::min(by_pc.size(), kernel.instructions.size()))),
      ops_(stream::make_static_ops(kernel)),
      graph_(cfg::make_flow_graph(kernel)),
      scattered_(most_wasteful(by_pc_, device_traffic)),
      conflicting_(most_wasteful(by_pc_, shared_traffic)) {}

double CauseSearch::pipe_cycles(Pc pc) const {
  return quotient(by_pc_[pc].memory.l1_data_pipe_cycles, by_pc_[pc].issued);
}

void CauseSearch::walk_back(Pc pc, const Test& test) const {
  std::vector<bool> is_seen(graph_.blocks.size());
  std::vector<std::pair<cfg::BlockIndex, Pc>> open = {{graph_.block_of[pc], pc}};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const auto [index, end] = open[next];
    const cfg::BasicBlock& block = graph_.blocks[index];
    Pc at = end;
    while (at > block.begin && !test(at - 1)) --at;
    if (at > block.begin) continue;
    for (const cfg::BlockIndex before : block.predecessors) {
      if (is_seen[before]) continue;
      is_seen[before] = true;
      open.emplace_back(before, graph_.blocks[before].end);
    }
  }
}

std::optional<Pc> CauseSearch::last_before(Pc waiting, const Test& test) const {
  std::optional<Pc> found;
  walk_back(waiting, [&](Pc pc) {
    if (found || !test(pc)) return found.has_value();
    found = pc;
    return true;
  });
  return found;
}

/// A guarded write may have been passed over: what wrote the register before it counts, too. Nothing makes
/// warps wait more often than it is issued, so that of several what stands before a loop loses against what
/// stands in it. Else it is the last one that warps wait for.
std::optional<Pc> CauseSearch::writer(Pc waiting, StallReason reason) const {
  struct Found {
    std::uint64_t latency = 0;
    std::uint64_t issued = 0;
    std::size_t nearness = 0;
    Pc pc = 0;
    auto operator<=>(const Found&) const = default;
  };
  std::optional<Found> best;
  const std::size_t count = by_pc_.size();
  for (const ir::RegisterSlot slot : ops_[waiting].waits_for) {
    walk_back(waiting, [&](Pc pc) {
      if (!writes(ops_[pc], slot)) return false;
      if (pc < count && by_pc_[pc].issued != 0 && stall_of_waiter(pc) == reason) {
        const std::size_t nearness = pc < waiting ? count + pc - waiting : pc - waiting;
        const Found found{by_pc_[pc].all_latency().sum, by_pc_[pc].issued, nearness, pc};
        if (!best || found > *best) best = found;
      }
      return kernel_.instructions[pc].guard.always();
    });
  }
  return best ? std::optional(best->pc) : std::nullopt;
}

template <typename Weight>
std::optional<Pc> CauseSearch::greatest(const Test& test, Weight weight) const {
  std::optional<Pc> found;
  decltype(weight(Pc{})) most = 0;
  for (Pc pc = 0; pc < by_pc_.size(); ++pc) {
    if (!test(pc) || weight(pc) <= most) continue;
    found = pc;
    most = weight(pc);
  }
  return found;
}

/// Accesses that take much longer than others fill the queue for them.
std::optional<Pc> CauseSearch::filler_of_queue(Pc waiting, StallReason throttle) const {
  constexpr double kMuchLonger = 2;
  const auto filler = greatest([&](Pc pc) { return ir::info(ops_[pc].timing_class).throttle == throttle; },
                               [&](Pc pc) { return by_pc_[pc].memory.l1_data_pipe_cycles; });
  if (!filler || pipe_cycles(*filler) < kMuchLonger * pipe_cycles(waiting)) return std::nullopt;
  return filler;
}

Pc CauseSearch::behind_waste(Pc cause, StallReason reason) const {
  const auto instead = [&](const std::optional<Pc>& waste, auto traffic_of) {
    const Traffic traffic = traffic_of(by_pc_[cause].memory);
    return waste && traffic.amount != 0 && !traffic.is_wasteful() ? *waste : cause;
  };
  if (reason == StallReason::LongScoreboard || reason == StallReason::LgThrottle)
    return instead(scattered_, device_traffic);
  if (reason == StallReason::ShortScoreboard || reason == StallReason::MioThrottle)
    return instead(conflicting_, shared_traffic);
  return cause;
}

/// The access with most turns at L2. A sector takes one. Lanes of an atomic that name one address take turns,
/// too: if the request touches one sector, nearly all do; the more sectors, the fewer share an address.
std::optional<Pc> CauseSearch::unanswered() const {
  const auto turns = [&](Pc pc) {
    const MemoryCounters& memory = by_pc_[pc].memory;
    const std::uint64_t sectors =
        memory.global_store_sectors + memory.global_atomic_sectors + memory.local_store_sectors;
    const auto lanes = static_cast<double>(by_pc_[pc].lane_slots[LaneSlotPart::Executed]);
    return std::max(static_cast<double>(sectors),
                    lanes * quotient(memory.global_atomic_requests, memory.global_atomic_sectors));
  };
  const auto found = greatest([&](Pc pc) { return ops_[pc].writes.size() == 0; }, turns);
  return found ? found : greatest([](Pc) { return true; }, turns);
}

Pc CauseSearch::decider_of_guard(Pc pc) const {
  if (ops_[pc].may_branch || ops_[pc].kind == OpKind::Exit) return pc;
  for (const ir::RegisterSlot slot : ir::register_use(kernel_.instructions[pc]).reads) {
    if (!ir::is_guard_slot(slot) && !ir::is_uniform_predicate_slot(slot)) continue;
    return last_before(pc, [&](Pc before) { return writes(ops_[before], slot); }).value_or(pc);
  }
  return pc;
}

bool CauseSearch::feeds_itself(Pc pc) const {
  bool is_found = false;
  std::vector<bool> is_seen(by_pc_.size());
  std::vector<Pc> open = {pc};
  while (!open.empty() && !is_found) {
    const Pc reader = open.back();
    open.pop_back();
    for (const ir::RegisterSlot slot : ir::register_use(kernel_.instructions[reader]).reads) {
      walk_back(reader, [&](Pc before) {
        if (before >= by_pc_.size() || !writes(ops_[before], slot)) return false;
        is_found |= before == pc;
        if (!is_seen[before]) open.push_back(before);
        is_seen[before] = true;
        return kernel_.instructions[before].guard.always();
      });
    }
  }
  return is_found;
}

/// What a loop counts and what it does with addresses are shorter: two or three instructions.
bool CauseSearch::ends_long_chain(Pc pc) const {
  constexpr std::size_t kLongChain = 4;
  std::vector<Pc> links = {pc};
  while (links.size() < kLongChain) {
    const std::optional<Pc> before = writer(links.back(), StallReason::Wait);
    if (!before || std::find(links.begin(), links.end(), *before) != links.end()) return false;
    links.push_back(*before);
  }
  return true;
}

Pc CauseSearch::cause_of(Pc waiting, StallReason reason) const {
  if (waiting >= by_pc_.size()) return waiting;
  std::optional<Pc> cause;
  if (is_for_registers(reason)) {
    cause = writer(waiting, reason);
    const auto is_copy = [&](Pc pc) {
      return ops_[pc].kind == OpKind::Copy || ops_[pc].kind == OpKind::BulkLoad;
    };
    if (!cause && reason == StallReason::LongScoreboard)
      cause = greatest(is_copy, [&](Pc pc) { return by_pc_[pc].issued; });
  } else if (reason == StallReason::Drain) {
    cause = unanswered();
  } else if (reason == StallReason::LgThrottle || reason == StallReason::MioThrottle) {
    cause = filler_of_queue(waiting, reason);
  } else {
    cause = last_before(waiting, [&](Pc pc) { return holds_up(ops_[pc], reason); });
  }
  return behind_waste(cause.value_or(waiting), reason);
}

std::vector<Pc> CauseSearch::parting_branches() const {
  const std::vector<Pc> meeting = cfg::reconvergence_points(kernel_);
  std::vector<Pc> branches(by_pc_.size());
  std::vector<std::size_t> smallest(by_pc_.size(), ~std::size_t{0});
  for (Pc pc = 0; pc < branches.size(); ++pc) branches[pc] = pc;
  for (Pc branch = 0; branch < by_pc_.size(); ++branch) {
    if (by_pc_[branch].divergent_branches == 0) continue;
    std::vector<bool> is_inside(graph_.blocks.size());
    std::vector<cfg::BlockIndex> open = {graph_.block_of[branch]};
    std::vector<Pc> inside;
    for (std::size_t next = 0; next < open.size(); ++next) {
      for (const cfg::BlockIndex block : graph_.blocks[open[next]].successors) {
        if (is_inside[block] || graph_.blocks[block].begin == meeting[branch]) continue;
        is_inside[block] = true;
        open.push_back(block);
        for (Pc pc = graph_.blocks[block].begin; pc < graph_.blocks[block].end; ++pc) inside.push_back(pc);
      }
    }
    for (const Pc pc : inside) {
      if (pc >= branches.size() || inside.size() >= smallest[pc]) continue;
      branches[pc] = branch;
      smallest[pc] = inside.size();
    }
  }
  return branches;
}

Pc CauseSearch::exit_before(Pc pc) const {
  for (Pc before = pc; before-- > 0;) {
    if (ops_[before].kind == OpKind::Exit && !kernel_.instructions[before].guard.always()) return before;
  }
  return pc;
}

}  // namespace heddle::sim
