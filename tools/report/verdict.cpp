#include "tools/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "sim/figures/limits.h"
#include "sim/figures/losses.h"
#include "sim/figures/time_split.h"
#include "tools/report/advice.h"
#include "tools/report/beside.h"
#include "tools/report/blame.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// Nsight Compute's rules call a scheduler well used from 80 % on; here lanes and idle SMs count, too.
constexpr double kWellUsed = 0.6;
/// A smaller loss does not explain a slow kernel.
constexpr double kGreatLoss = 0.2;
/// Share of shared memory's time from which on bank conflicts are the cause.
constexpr double kManyConflicts = 0.3;
/// From this share on, conflicts are named even if no loss is great, because their passes appear as many
/// small waits.
constexpr double kMostlyConflicts = 0.5;
/// Share of a warp's time in one stall.
constexpr double kMostOfTime = 0.5;
/// Share of the reachable bandwidth. Below it, queues and the beginning and end of the kernel contribute.
constexpr double kAtItsLimit = 0.85;
/// A smaller speedup is not mentioned.
constexpr double kSomeGain = 1.05;

/// A run and the figures that the verdict needs.
struct Case {
  const Summary& summary;
  sim::TimeSplit time;
  std::vector<sim::Loss> losses;

  [[nodiscard]] sim::Loss worst() const { return losses.empty() ? sim::Loss{} : losses.front(); }
  /// Share of the issue slots of all SMs, from the launch to the end.
  [[nodiscard]] double of_all(double of_held) const { return of_held * (1 - time.idle); }
};

Case case_of(const Summary& summary) { return {summary, time_split(summary), losses_of(summary)}; }

std::string gain_text(Ratio gain, std::string_view without) {
  if (gain.value_or(0) < kSomeGain) return {};
  return fmt::format("; {}, at most {:.1f} times as fast", without, *gain);
}

// -- resources at their limit ---------------------------------------------------------------------

std::string limit_text(const Case& at, const sim::Limit& limit) {
  const std::string used = whole_percent(limit.shown);
  const sim::MemoryCounters& counters = at.summary.memory.counters;
  const std::string_view only = limit.pressure >= kAtItsLimit ? "only" : "mostly";
  const std::string access =
      scattered_access(counters).value_or(greatest_access(counters).value_or("no access asks for it"));
  if (limit.kind == "dram_bandwidth")
    return fmt::format(
        "DRAM bandwidth: {} of its peak is in use, so {} fewer bytes make the kernel faster; {}", used, only,
        access);
  if (limit.kind == "l2_bandwidth")
    return fmt::format(
        "L2 bandwidth: {} of its peak is in use, so {} fewer sectors, or more hits in L1, make the kernel faster; {}",
        used, only, access);
  if (limit.kind == "l2_fabric")
    return fmt::format(
        "The path between L2's partitions: {} of it is in use, so {} fewer sectors that pass it make the kernel "
        "faster; {}",
        used, only, access);
  if (limit.kind == "pipe")
    return fmt::format(
        "{}: it is busy {} of the time, so only fewer of its instructions make the kernel faster",
        "T" + limit.name.substr(1), used);
  return fmt::format(
      "L1 and shared memory: their data pipe is busy {} of the time, so only fewer accesses, or fewer passes over the "
      "banks for each, make the kernel faster",
      used);
}

Verdict limited(const Case& at, const sim::Limit& limit) {
  const sim::Limit next = next_limit(at.summary, limit);
  Verdict verdict{
      limit.kind, limit.shown, sim::gain_without(at.time, 1 - next.pressure), limit_text(at, limit), {}};
  if (verdict.gain.value_or(0) >= kSomeGain)
    verdict.text +=
        fmt::format("; at {:.1f} times this speed the limit would be {}", *verdict.gain, next.name);
  verdict.text += '.';
  return verdict;
}

// -- use ------------------------------------------------------------------------------------------

double used_share(const Summary& summary) {
  return summary.issue_efficiency * summary.divergence_utilization_pred_on;
}

std::string use_text(const Summary& summary) {
  return fmt::format("schedulers issue in {} of their turns, with {:.1f} of {} lanes at work",
                     whole_percent(summary.issue_efficiency),
                     summary.divergence_utilization_pred_on * summary.warp_size, summary.warp_size);
}

Verdict well_used(const Case& at) {
  return {"well_used",
          at.of_all(used_share(at.summary)),
          std::nullopt,
          fmt::format("Nothing much: {}, so only fewer instructions make the kernel faster.",
                      use_text(at.summary)),
          {}};
}

/// "wait (16 %), barrier (9 %)"
std::string greatest_losses_text(const Case& at) {
  constexpr std::size_t kNamed = 3;
  constexpr double kWorthNaming = 0.05;
  std::vector<sim::Loss> losses = at.losses;
  std::erase_if(losses, [](const sim::Loss& loss) { return loss.share < kWorthNaming; });
  std::stable_sort(losses.begin(), losses.end(),
                   [](const sim::Loss& a, const sim::Loss& b) { return a.share > b.share; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, losses.size()); ++i) {
    text +=
        fmt::format("{}{} ({})", i == 0 ? "" : ", ", key_text(losses[i].key), whole_percent(losses[i].share));
  }
  return text.empty() ? "many causes" : text;
}

Verdict several(const Case& at) {
  return {"several",
          1 - at.of_all(used_share(at.summary)),
          std::nullopt,
          fmt::format("No single thing: {}; most of the others are lost to {}.", use_text(at.summary),
                      greatest_losses_text(at)),
          {}};
}

// -- shared memory --------------------------------------------------------------------------------

/// Loads and stores of shared and global memory share a path through the SM. So conflicts also delay accesses
/// without conflicts, and with them other warps of the block.
bool is_for_conflicts(const Summary& summary, std::string_view stall) {
  static constexpr std::string_view kBehindThem[] = {"short_scoreboard", "mio_throttle", "long_scoreboard",
                                                     "lg_throttle", "barrier"};
  return summary.memory.bank_conflict_share >= kManyConflicts &&
         std::find(std::begin(kBehindThem), std::end(kBehindThem), stall) != std::end(kBehindThem);
}

Verdict bank_conflicts(const Case& at) {
  const double share = at.summary.memory.bank_conflict_share;
  const Ratio gain = sim::gain_without(at.time, std::min(1.0, share) * at.time.held);
  return {"bank_conflicts",
          share,
          gain,
          fmt::format("Bank conflicts: {}. Repeated passes take {} of its time{}.",
                      conflicting_access(at.summary.memory.counters), whole_percent(share),
                      gain_text(gain, "without them")),
          {}};
}

// -- lanes and waits ------------------------------------------------------------------------------

std::string_view summary_of(const Summary& summary, std::string_view key) {
  for (const LedgerSummary* ledger : {&summary.ledgers.issue_slots, &summary.ledgers.lane_slots}) {
    if (const Part* part = ledger->find(key)) return part->summary;
  }
  return key;
}

std::string lanes_text(const Summary& summary, std::string_view key) {
  struct Cause {
    std::string_view key;
    std::string_view what;
    std::string_view cure;
  };
  static constexpr Cause kCauses[] = {
      {"predicated_off", "Predication: the guards of instructions switch lanes off", ""},
      {"diverged", "Divergence: lanes of a warp take different paths, one after the other",
       "; threads grouped by their path would help"},
      {"exited", "Exited lanes: some threads of a warp end long before the others",
       "; as much work for each thread would help"},
      {"never_existed", "Partial warps: the block's size is no multiple of the warp size", ""},
  };
  const auto cause = std::find_if(std::begin(kCauses), std::end(kCauses),
                                  [&](const Cause& each) { return each.key == key; });
  const bool is_known = cause != std::end(kCauses);
  return fmt::format("{}, so that an instruction does {:.1f} lanes of work, not {}{}",
                     is_known ? cause->what : "Lanes that do not work",
                     summary.divergence_utilization_pred_on * summary.warp_size, summary.warp_size,
                     is_known ? cause->cure : "");
}

double time_share(const Summary& summary, std::string_view stall) {
  const auto found = std::find_if(summary.ledgers.stalls.begin(), summary.ledgers.stalls.end(),
                                  [&](const Part& each) { return each.key == stall; });
  const std::uint64_t cycles = found == summary.ledgers.stalls.end() ? 0 : found->slots;
  return ratio(cycles, summary.total.resident_warp_cycles).value_or(0);
}

/// The stall that takes most of a warp's time, if it differs from the stall with most lost slots. In that
/// case the short wait is only the last wait of most warps. Null if there is none.
const Part* longest_wait(const Summary& summary, std::string_view key) {
  const auto most = std::max_element(summary.ledgers.stalls.begin(), summary.ledgers.stalls.end(),
                                     [](const Part& a, const Part& b) { return a.slots < b.slots; });
  if (most == summary.ledgers.stalls.end() || most->key == key || most->key == "not_selected") return nullptr;
  return time_share(summary, most->key) < kMostOfTime ? nullptr : &*most;
}

/// ", and 28 % to room in global memory's queue"
std::string other_waits_text(const Case& at) {
  constexpr double kWorthNaming = 0.1;
  std::string text;
  for (const sim::Loss& loss : at.losses) {
    const bool is_other = sim::is_global_wait(loss.key) && loss.key != at.worst().key;
    if (!sim::is_global_wait(at.worst().key) || !is_other || loss.share < kWorthNaming) continue;
    text += fmt::format(", and {} to {}", whole_percent(loss.share), summary_of(at.summary, loss.key));
  }
  return text;
}

/// The share of lost slots, and the share of the warps' time if that is more telling.
std::string stall_text(const Case& at, const sim::Loss& loss) {
  const Summary& summary = at.summary;
  if (loss.key == "no_warp") {
    return fmt::format(
        "Too few warps: in {} of issue slots the scheduler has no warp at all; an SM with a block holds {:.1f} "
        "unfinished warps on average, for {} schedulers; {}",
        whole_percent(loss.share), summary.achieved_warps_per_sm, summary.sub_partitions,
        what_brings_warps(summary));
  }
  if (schedulers_without_warp(summary) > 0) {
    return fmt::format("Waiting for {}: warps spend {} of their time on it; {}",
                       summary_of(summary, loss.key), whole_percent(time_share(summary, loss.key)),
                       lone_advice(summary, loss.key));
  }
  if (const Part* wait = longest_wait(summary, loss.key)) {
    return fmt::format(
        "Waiting for {}: warps spend {} of their time on it, while {} of issue slots are lost to {}; {}",
        wait->summary, whole_percent(time_share(summary, wait->key)), whole_percent(loss.share),
        key_text(loss.key), advice(summary, wait->key));
  }
  return fmt::format("Waiting for {}: {} of issue slots are lost to it{}; {}{}",
                     summary_of(summary, loss.key), whole_percent(loss.share), other_waits_text(at),
                     advice(summary, loss.key),
                     loss.key == "wait" ? ", as would independent instructions" : "");
}

/// The share of the warps' time, if most schedulers have no warp.
double lost_time(const Case& at, const sim::Loss& loss) {
  const bool is_lone =
      schedulers_without_warp(at.summary) > 0 && loss.key != "no_warp" && !is_lane_part(at.summary, loss.key);
  return is_lone ? std::max(loss.time, time_share(at.summary, loss.key)) : loss.time;
}

Verdict lost(const Case& at, const sim::Loss& loss) {
  const bool is_lanes = is_lane_part(at.summary, loss.key);
  const Ratio gain = sim::gain_without(at.time, lost_time(at, loss) * at.time.held);
  const std::string text = is_lanes ? lanes_text(at.summary, loss.key) : stall_text(at, loss);
  return {std::string(loss.key),
          at.of_all(loss.share),
          gain,
          fmt::format("{}{}.", text, gain_text(gain, is_lanes ? "with all of them" : "without it")),
          {}};
}

// -- SMs without a block --------------------------------------------------------------------------

std::string cause_text(const Summary& summary, const sim::Loss& loss) {
  const std::string share = whole_percent(loss.share);
  if (loss.key == "no_warp") return fmt::format("schedulers that have no warp ({})", share);
  if (is_lane_part(summary, loss.key)) return fmt::format("{} ({})", summary_of(summary, loss.key), share);
  if (is_for_conflicts(summary, loss.key)) {
    return fmt::format("bank conflicts in shared memory ({} of its time)",
                       whole_percent(summary.memory.bank_conflict_share));
  }
  return fmt::format("waiting for {} ({})", summary_of(summary, loss.key), share);
}

/// The SM's pipe that is at its limit, unless lanes without work keep it busy.
std::optional<sim::Limit> limiting_pipe(const Case& at) {
  const sim::Loss worst = at.worst();
  if (is_lane_part(at.summary, worst.key) && worst.time >= kGreatLoss) return std::nullopt;
  for (sim::Limit& limit : limits_of(at.summary)) {
    if ((limit.kind == "pipe" || limit.kind == "l1_data_pipe") && limit.binds()) return std::move(limit);
  }
  return std::nullopt;
}

/// The problem of SMs while they hold a block.
std::string then_text(const Case& at) {
  const sim::Loss loss = at.worst();
  if (const std::optional<sim::Limit> pipe = limiting_pipe(at)) {
    const bool is_for_banks = pipe->kind == "l1_data_pipe" && is_for_conflicts(at.summary, "barrier");
    if (!is_for_banks)
      return fmt::format("; while they hold one, {} is busy {} of the time", pipe->name,
                         whole_percent(pipe->shown));
  }
  if (loss.time < kGreatLoss) return {};
  return fmt::format("; while they hold one, most is lost to {}", cause_text(at.summary, loss));
}

std::string after_text(const Case& at) {
  const Summary& summary = at.summary;
  const std::string advice =
      summary.memory.counters.l2_atomic_sectors == 0 ? "" : fmt::format("; {}", kAtomicsAdvice);
  return fmt::format(
      "Memory: for {} of the time all blocks have ended, and it finishes what they have asked for{}",
      whole_percent(ratio(summary.after_blocks, summary.cycles).value_or(0)), advice);
}

std::string uneven_text(const Case& at) {
  const std::string waves =
      at.summary.launch ? fmt::format(", with {:.2f} waves of blocks", at.summary.launch->waves) : "";
  return fmt::format(
      "The blocks do not fill the GPU evenly: {} of all issue slots pass while SMs hold no block{}{}",
      whole_percent(at.time.idle), waves, then_text(at));
}

Verdict idle(const Case& at) {
  const bool is_after = at.time.after >= at.time.uneven;
  const Ratio gain = sim::gain_without(at.time, std::max(at.time.after, at.time.uneven));
  const std::string text = is_after ? after_text(at) : uneven_text(at);
  return {"idle_sm", at.time.idle, gain, fmt::format("{}{}.", text, gain_text(gain, "without it")), {}};
}

// -- choosing the verdict -------------------------------------------------------------------------

/// Whether issue slots are lost to global memory at all.
bool waits_for_memory(const Case& at) {
  double share = 0;
  for (const sim::Loss& loss : at.losses) share += sim::is_global_wait(loss.key) ? loss.share : 0;
  return share >= kGreatLoss;
}

/// The resource of the whole GPU that is closest to its limit. If it is not quite at its limit, it counts
/// only if warps wait for memory.
std::optional<sim::Limit> limiting_bandwidth(const Case& at) {
  const bool is_waited_for = waits_for_memory(at);
  std::optional<sim::Limit> most;
  for (sim::Limit& limit : limits_of(at.summary)) {
    const bool is_of_sm = limit.kind == "pipe" || limit.kind == "l1_data_pipe";
    const bool holds_back = limit.binds() && (is_waited_for || limit.pressure >= kAtItsLimit);
    if (!is_of_sm && holds_back && (!most || limit.pressure > most->pressure)) most = std::move(limit);
  }
  return most;
}

Verdict judge_kernel(const Case& at) {
  if (const std::optional<sim::Limit> limit = limiting_bandwidth(at)) return limited(at, *limit);
  const sim::Loss worst = at.worst();
  const double active_loss = worst.time * at.time.held;
  const double idle_loss = std::max(at.time.after, at.time.uneven);
  if (active_loss >= idle_loss) {
    if (const std::optional<sim::Limit> pipe = limiting_pipe(at)) {
      const bool is_for_banks =
          pipe->kind == "l1_data_pipe" && at.summary.memory.bank_conflict_share >= kManyConflicts;
      return is_for_banks ? bank_conflicts(at) : limited(at, *pipe);
    }
  }
  if (used_share(at.summary) * at.time.held >= kWellUsed) return well_used(at);
  if (std::max(active_loss, idle_loss) < kGreatLoss) {
    return at.summary.memory.bank_conflict_share >= kMostlyConflicts ? bank_conflicts(at) : several(at);
  }
  if (idle_loss > active_loss) return idle(at);
  if (is_for_conflicts(at.summary, worst.key)) return bank_conflicts(at);
  return lost(at, worst);
}

}  // namespace

Verdict judge(const Summary& summary) {
  Verdict verdict = judge_kernel(case_of(summary));
  verdict.beside = beside_text(summary);
  return verdict;
}

}  // namespace heddle::report
