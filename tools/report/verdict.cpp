#include "tools/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "tools/report/advice.h"
#include "tools/report/beside.h"
#include "tools/report/blame.h"
#include "tools/report/limits.h"
#include "tools/report/losses.h"
#include "tools/report/time_split.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// Nsight Compute's rules call a scheduler well used from 80 % on; here lanes and idle SMs count as well.
constexpr double kWellUsed = 0.6;
/// A loss that is smaller is not the reason.
constexpr double kGreatLoss = 0.2;
/// Share of shared memory's time, from which on it has to do with little else.
constexpr double kManyConflicts = 0.3;
/// Share of a warp's time, in one stall.
constexpr double kMostOfTime = 0.5;
/// A smaller gain is none to name.
constexpr double kSomeGain = 1.05;

/// What is judged, and what follows from it at once.
struct Case {
  const Summary& summary;
  TimeSplit time;
  std::vector<Loss> losses;

  [[nodiscard]] Loss worst() const { return losses.empty() ? Loss{} : losses.front(); }
  /// Share of the issue slots of all SMs, from the launch to the end.
  [[nodiscard]] double of_all(double of_held) const { return of_held * (1 - time.idle); }
};

Case case_of(const Summary& summary) { return {summary, time_split(summary), losses_of(summary)}; }

std::string gain_text(Ratio gain, std::string_view without) {
  if (gain.value_or(0) < kSomeGain) return {};
  return fmt::format("; {}, at most {:.1f} times as fast", without, *gain);
}

// -- resources at their limit ---------------------------------------------------------------------

std::string limit_text(const Case& at, const Limit& limit) {
  const std::string used = whole_percent(limit.shown);
  const sim::MemoryCounters& counters = at.summary.memory.counters;
  const std::string access =
      scattered_access(counters).value_or(greatest_access(counters).value_or("no access asks for it"));
  if (limit.kind == "dram_bandwidth")
    return fmt::format(
        "DRAM bandwidth: {} of its peak is in use, so only fewer bytes make the kernel faster; {}", used,
        access);
  if (limit.kind == "l2_bandwidth")
    return fmt::format(
        "L2 bandwidth: {} of its peak is in use, so only fewer sectors, or more hits in L1, make the kernel faster; {}",
        used, access);
  if (limit.kind == "l2_fabric")
    return fmt::format(
        "The path between L2's partitions: {} of it is in use, so only fewer sectors that pass it make the kernel "
        "faster; {}",
        used, access);
  if (limit.kind == "pipe")
    return fmt::format(
        "{}: it is busy {} of the time, so only fewer of its instructions make the kernel faster",
        "T" + limit.name.substr(1), used);
  return fmt::format(
      "L1 and shared memory: their data pipe is busy {} of the time, so only fewer accesses, or fewer passes over the "
      "banks for each, make the kernel faster",
      used);
}

Verdict limited(const Case& at, const Limit& limit) {
  const Limit next = next_limit(at.summary, limit);
  Verdict verdict{
      limit.kind, limit.shown, gain_without(at.time, 1 - next.pressure), limit_text(at, limit), {}};
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

Verdict several(const Case& at) {
  const Loss worst = at.worst();
  return {"several",
          1 - at.of_all(used_share(at.summary)),
          std::nullopt,
          fmt::format("No single thing: {}, and the greatest loss ({}) takes {} of them.",
                      use_text(at.summary), key_text(worst.key), whole_percent(worst.share)),
          {}};
}

// -- shared memory --------------------------------------------------------------------------------

/// Loads and stores of both kinds share a path through the SM, so that conflicts also make those wait that
/// have none, and with them the block's other warps.
bool is_for_conflicts(const Summary& summary, std::string_view stall) {
  static constexpr std::string_view kBehindThem[] = {"short_scoreboard", "mio_throttle", "long_scoreboard",
                                                     "lg_throttle", "barrier"};
  return summary.memory.bank_conflict_share >= kManyConflicts &&
         std::find(std::begin(kBehindThem), std::end(kBehindThem), stall) != std::end(kBehindThem);
}

Verdict bank_conflicts(const Case& at) {
  const double share = at.summary.memory.bank_conflict_share;
  const Ratio gain = gain_without(at.time, std::min(1.0, share) * at.time.held);
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
  for (const LedgerSummary* ledger : {&summary.issue_slots, &summary.lane_slots}) {
    if (const Part* part = ledger->find(key)) return part->summary;
  }
  return key;
}

std::string lanes_text(const Summary& summary, std::string_view key) {
  static constexpr std::pair<std::string_view, std::string_view> kCauses[] = {
      {"predicated_off", "Predication: the guards of instructions switch lanes off"},
      {"diverged", "Divergence: lanes of a warp take different paths, one after the other"},
      {"exited", "Exited lanes: some threads of a warp end long before the others"},
      {"never_existed", "Partial warps: the block's size is no multiple of the warp size"},
  };
  const auto cause = std::find_if(std::begin(kCauses), std::end(kCauses),
                                  [&](const auto& each) { return each.first == key; });
  return fmt::format("{}, so that an instruction does {:.1f} lanes of work, not {}",
                     cause == std::end(kCauses) ? "Lanes that do not work" : cause->second,
                     summary.divergence_utilization_pred_on * summary.warp_size, summary.warp_size);
}

/// Where slots are lost to a short wait between others, it is no more than the last one of most warps.
std::string mostly_text(const Summary& summary, std::string_view key) {
  const auto most = std::max_element(summary.stalls.begin(), summary.stalls.end(),
                                     [](const Part& a, const Part& b) { return a.slots < b.slots; });
  if (most == summary.stalls.end() || most->key == key || most->key == "not_selected") return {};
  const double share = ratio(most->slots, summary.total.resident_warp_cycles).value_or(0);
  if (share < kMostOfTime) return {};
  return fmt::format(", though warps wait {} of their time for {}", whole_percent(share),
                     most->summary);
}

/// ", and 28 % to room in global memory's queue"
std::string other_waits_text(const Case& at) {
  constexpr double kWorthNaming = 0.1;
  std::string text;
  for (const Loss& loss : at.losses) {
    const bool is_other = is_global_wait(loss.key) && loss.key != at.worst().key;
    if (!is_global_wait(at.worst().key) || !is_other || loss.share < kWorthNaming) continue;
    text += fmt::format(", and {} to {}", whole_percent(loss.share), summary_of(at.summary, loss.key));
  }
  return text;
}

/// Where most schedulers have no warp, slots say little: of the time of the warps that there are.
std::string lone_stall_text(const Summary& summary, const Loss& loss) {
  const auto stall = std::find_if(summary.stalls.begin(), summary.stalls.end(),
                                  [&](const Part& each) { return each.key == loss.key; });
  const std::uint64_t cycles = stall == summary.stalls.end() ? 0 : stall->slots;
  return fmt::format("Waiting for {}: warps spend {} of their time on it, and more of them would fill it",
                     summary_of(summary, loss.key),
                     whole_percent(ratio(cycles, summary.total.resident_warp_cycles).value_or(0)));
}

std::string stall_text(const Case& at, const Loss& loss) {
  const Summary& summary = at.summary;
  if (loss.key != "no_warp" && schedulers_without_warp(summary) > 0) return lone_stall_text(summary, loss);
  if (loss.key == "no_warp") {
    return fmt::format(
        "Too few warps: in {} of the issue slots of SMs that hold a block the scheduler has no warp at all; "
        "such an SM holds {:.1f} unfinished warps on average, for {} schedulers; {}",
        whole_percent(loss.share), summary.achieved_warps_per_sm, summary.sub_partitions,
        what_brings_warps(summary));
  }
  const std::string mostly = mostly_text(summary, loss.key);
  const bool is_chain = loss.key == "wait" && mostly.empty();
  return fmt::format("Waiting for {}: {} of issue slots are lost to it{}{}; {}{}",
                     summary_of(summary, loss.key), whole_percent(loss.share), other_waits_text(at), mostly,
                     advice(summary, loss.key), is_chain ? ", as would independent instructions" : "");
}

Verdict lost(const Case& at, const Loss& loss) {
  const bool is_lanes = is_lane_part(at.summary, loss.key);
  const Ratio gain = gain_without(at.time, loss.time * at.time.held);
  const std::string text = is_lanes ? lanes_text(at.summary, loss.key) : stall_text(at, loss);
  return {std::string(loss.key),
          at.of_all(loss.share),
          gain,
          fmt::format("{}{}.", text, gain_text(gain, is_lanes ? "with all of them" : "without it")),
          {}};
}

// -- SMs without a block --------------------------------------------------------------------------

std::string cause_text(const Summary& summary, const Loss& loss) {
  const std::string share = whole_percent(loss.share);
  if (loss.key == "no_warp") return fmt::format("schedulers that have no warp ({})", share);
  if (is_lane_part(summary, loss.key)) return fmt::format("{} ({})", summary_of(summary, loss.key), share);
  if (is_for_conflicts(summary, loss.key)) {
    return fmt::format("bank conflicts in shared memory ({} of its time)",
                       whole_percent(summary.memory.bank_conflict_share));
  }
  return fmt::format("waiting for {} ({})", summary_of(summary, loss.key), share);
}

/// The pipe of the SM that is as busy as it can be, if lanes that do no work are not what keeps it so.
std::optional<Limit> limiting_pipe(const Case& at) {
  const Loss worst = at.worst();
  if (is_lane_part(at.summary, worst.key) && worst.time >= kGreatLoss) return std::nullopt;
  for (Limit& limit : limits_of(at.summary)) {
    if ((limit.kind == "pipe" || limit.kind == "l1_data_pipe") && limit.binds()) return std::move(limit);
  }
  return std::nullopt;
}

/// What SMs suffer from while they hold a block.
std::string then_text(const Case& at) {
  const Loss loss = at.worst();
  if (const std::optional<Limit> pipe = limiting_pipe(at)) {
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
  const Ratio gain = gain_without(at.time, std::max(at.time.after, at.time.uneven));
  const std::string text = is_after ? after_text(at) : uneven_text(at);
  return {"idle_sm", at.time.idle, gain, fmt::format("{}{}.", text, gain_text(gain, "without it")), {}};
}

// -- which of them --------------------------------------------------------------------------------

Verdict judge_kernel(const Case& at) {
  for (const Limit& limit : limits_of(at.summary)) {
    const bool is_of_sm = limit.kind == "pipe" || limit.kind == "l1_data_pipe";
    if (!is_of_sm && limit.binds()) return limited(at, limit);
  }
  const Loss worst = at.worst();
  const double active_loss = worst.time * at.time.held;
  const double idle_loss = std::max(at.time.after, at.time.uneven);
  if (active_loss >= idle_loss) {
    if (const std::optional<Limit> pipe = limiting_pipe(at)) {
      const bool is_for_banks =
          pipe->kind == "l1_data_pipe" && at.summary.memory.bank_conflict_share >= kManyConflicts;
      return is_for_banks ? bank_conflicts(at) : limited(at, *pipe);
    }
  }
  if (used_share(at.summary) * at.time.held >= kWellUsed) return well_used(at);
  if (std::max(active_loss, idle_loss) < kGreatLoss) return several(at);
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
