#include "tools/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "tools/report/access_kinds.h"
#include "tools/report/advice.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// From here on a resource, and not the warps' waiting for it, is what limits.
constexpr double kBusyBandwidth = 0.7;
constexpr double kBusyPipe = 0.85;
/// Nsight Compute's rules call a scheduler well used from 80 % on; here lanes and idle SMs count as well.
constexpr double kWellUsed = 0.6;
/// A loss that is smaller is not the reason.
constexpr double kGreatLoss = 0.2;
/// Of the time of shared memory, from which on it has to do with little else.
constexpr double kManyConflicts = 0.3;
/// Of a warp's time, in one stall.
constexpr double kMostOfTime = 0.5;

/// Issue slots that did no work.
struct Loss {
  std::string_view key;
  double share = 0;      // of all of the run
  double of_active = 0;  // of those of SMs that held a block, as the ledgers show it
};

class Judge {
 public:
  explicit Judge(const Summary& summary) : summary_(summary) {
    const std::uint64_t slots = summary.cycles * summary.sms * summary.sub_partitions;
    supply_ = slots == 0 ? 1 : static_cast<double>(slots);
    used_ = static_cast<double>(summary.total.issue_slots.issued) / supply_ *
            summary.divergence_utilization_pred_on;
  }

  Verdict judge() const {
    const Loss worst = greatest_loss();
    const MemorySummary& memory = summary_.memory;
    if (memory.dram_utilization >= kBusyBandwidth * memory.dram_efficiency) return dram();
    if (memory.l2_utilization.value_or(0) >= kBusyBandwidth * memory.l2_efficiency) return l2();
    if (memory.l2_fabric_utilization >= kBusyBandwidth) return l2_fabric();
    if (worst.key != "idle_sm") {
      if (const PipeUse* pipe = limiting_pipe(worst)) return busy_pipe(*pipe);
      if (data_pipe_limits(worst)) return data_pipe();
    }
    if (used_ >= kWellUsed) return well_used();
    if (worst.share < kGreatLoss) return several(worst);
    if (worst.key == "idle_sm") return {"idle_sm", worst.share, idle_text(worst.share)};
    if (is_lane_part(worst.key)) return {std::string(worst.key), worst.share, lanes_text(worst)};
    if (is_for_conflicts(worst.key)) return bank_conflicts();
    return {std::string(worst.key), worst.share, stall_text(worst)};
  }

 private:
  [[nodiscard]] Loss greatest_loss() const {
    const Loss idle = {"idle_sm", 1 - static_cast<double>(summary_.issue_slots.total) / supply_, 0};
    Loss worst = greatest_active_loss();
    worst.share = worst.of_active * (1 - idle.share);
    return idle.share >= worst.share ? idle : worst;
  }

  /// While SMs hold a block.
  [[nodiscard]] Loss greatest_active_loss() const {
    Loss worst;
    const auto consider = [&](const Part& part, double share) {
      if (share > worst.of_active) worst = {part.key, share, share};
    };
    for (const Part& part : lost_parts(summary_.issue_slots))
      consider(part, summary_.issue_slots.share(part));
    for (const Part& part : lost_parts(summary_.lane_slots)) {
      consider(part, summary_.issue_efficiency * summary_.lane_slots.share(part));
    }
    return worst;
  }

  static std::span<const Part> lost_parts(const LedgerSummary& ledger) {
    return std::span(ledger.parts).subspan(1);
  }

  [[nodiscard]] bool is_lane_part(std::string_view key) const {
    return summary_.lane_slots.find(key) != nullptr;
  }

  /// Instructions that keep something busy would be fewer if they had more lanes.
  [[nodiscard]] bool lanes_lose(const Loss& worst) const {
    return is_lane_part(worst.key) && worst.share >= kGreatLoss;
  }

  /// That holds SMs with a block back, whatever warps wait for; null if none does, or idle lanes are the
  /// reason.
  [[nodiscard]] const PipeUse* limiting_pipe(const Loss& worst) const {
    const PipeUse* pipe = summary_.scarcest_pipe();
    const bool is_busy = pipe != nullptr && pipe->pressure >= kBusyPipe;
    return is_busy && !lanes_lose(worst) ? pipe : nullptr;
  }

  /// Whether the data pipe does.
  [[nodiscard]] bool data_pipe_limits(const Loss& worst) const {
    return summary_.memory.l1_data_pipe_utilization >= kBusyPipe && !lanes_lose(worst);
  }

  [[nodiscard]] Verdict well_used() const {
    return {"well_used", used_,
            fmt::format("Nothing much: {} of all lanes of all issue slots do useful work.",
                        whole_percent(used_))};
  }

  [[nodiscard]] Verdict several(const Loss& worst) const {
    return {"several", 1 - used_,
            fmt::format(
                "No single thing: {} of all lanes of all issue slots do useful work, and the greatest loss "
                "({}) costs {} of all issue slots.",
                whole_percent(used_), key_text(worst.key), whole_percent(worst.share))};
  }

  [[nodiscard]] Verdict dram() const {
    const double share = summary_.memory.dram_utilization;
    return {"dram_bandwidth", share,
            fmt::format("DRAM bandwidth: {} of its peak is in use, so the kernel gets faster only by moving "
                        "fewer bytes.",
                        whole_percent(share))};
  }

  [[nodiscard]] Verdict l2() const {
    const double share = summary_.memory.l2_utilization.value_or(0);
    return {
        "l2_bandwidth", share,
        fmt::format("L2 bandwidth: {} of its peak is in use, so only fewer sectors, or more hits in L1, make "
                    "the kernel faster.",
                    whole_percent(share))};
  }

  [[nodiscard]] Verdict l2_fabric() const {
    const double share = summary_.memory.l2_fabric_utilization;
    return {
        "l2_fabric", share,
        fmt::format("The way between L2's partitions: {} of it is in use, so only fewer sectors that pass "
                    "it make the kernel faster.",
                    whole_percent(share))};
  }

  [[nodiscard]] static Verdict busy_pipe(const PipeUse& pipe) {
    return {"pipe", pipe.pressure,
            fmt::format("The {} pipe: it is busy {} of the time, so only fewer of its instructions make the "
                        "kernel faster.",
                        pipe.name, whole_percent(pipe.pressure))};
  }

  [[nodiscard]] Verdict data_pipe() const {
    if (conflict_share() >= kManyConflicts) return bank_conflicts();
    const double share = summary_.memory.l1_data_pipe_utilization;
    return {
        "l1_data_pipe", share,
        fmt::format("L1 and shared memory: their data pipe is busy {} of the time, so only fewer accesses, "
                    "or fewer passes over the banks for each, make the kernel faster.",
                    whole_percent(share))};
  }

  [[nodiscard]] double conflict_share() const { return summary_.memory.bank_conflict_share; }

  /// Loads and stores of both kinds share a way through the SM, so that conflicts also make those wait that
  /// have none, and with them the block's other warps.
  [[nodiscard]] bool is_for_conflicts(std::string_view stall) const {
    static constexpr std::string_view kBehindThem[] = {"short_scoreboard", "mio_throttle", "long_scoreboard",
                                                       "lg_throttle", "barrier"};
    return conflict_share() >= kManyConflicts &&
           std::find(std::begin(kBehindThem), std::end(kBehindThem), stall) != std::end(kBehindThem);
  }

  /// Of the kind of accesses that has most of them.
  [[nodiscard]] Verdict bank_conflicts() const {
    const sim::MemoryCounters& counters = summary_.memory.counters;
    const AccessKind& most = *std::max_element(std::begin(kSharedAccesses), std::end(kSharedAccesses),
                                               [&](const AccessKind& a, const AccessKind& b) {
                                                 return counters.*a.conflicts < counters.*b.conflicts;
                                               });
    const std::uint64_t requests = counters.*most.requests;
    const std::uint64_t passes = counters.*most.amount;
    const bool is_atomic = most.kind == "atomic";
    return {
        "bank_conflicts", conflict_share(),
        fmt::format("Bank conflicts: {} {} takes {:.1f} passes over shared memory's banks where {:.1f} would "
                    "do, and repeated passes take {} of its time; {}.",
                    is_atomic ? "an" : "a", most.kind, ratio(passes, requests).value_or(0),
                    ratio(passes - counters.*most.conflicts, requests).value_or(0),
                    whole_percent(conflict_share()),
                    is_atomic ? "lanes that update words of different banks take no turns"
                              : "rows of another length would put lanes into different banks")};
  }

  /// What an idle GPU would suffer from next.
  [[nodiscard]] std::string then_text() const {
    const Loss loss = greatest_active_loss();
    if (const PipeUse* pipe = limiting_pipe(loss)) {
      return fmt::format("; while they hold one, the {} pipe is busy {} of the time", pipe->name,
                         whole_percent(pipe->pressure));
    }
    if (data_pipe_limits(loss) && conflict_share() < kManyConflicts) {
      return fmt::format(
          "; while they hold one, the data pipe of L1 and shared memory is busy {} of the time",
          whole_percent(summary_.memory.l1_data_pipe_utilization));
    }
    if (loss.of_active < kGreatLoss) return {};
    return fmt::format("; while they hold one, most is lost to {}", cause_text(loss));
  }

  [[nodiscard]] std::string cause_text(const Loss& loss) const {
    if (loss.key == "no_warp")
      return fmt::format("schedulers that have no warp ({})", whole_percent(loss.of_active));
    if (is_lane_part(loss.key))
      return fmt::format("{} ({})", summary_of(loss.key), whole_percent(loss.of_active));
    if (is_for_conflicts(loss.key)) {
      return fmt::format("bank conflicts in shared memory ({} of its time)", whole_percent(conflict_share()));
    }
    return fmt::format("waiting for {} ({})", summary_of(loss.key), whole_percent(loss.of_active));
  }

  /// SMs without a block, the launch, memory that goes on, and what is left: blocks that end at different
  /// times.
  [[nodiscard]] std::string idle_text(double share) const {
    const std::string idle =
        fmt::format("{} of all issue slots pass while SMs hold no block", whole_percent(share));
    const std::uint32_t without = summary_.sms - summary_.active_sms;
    const double never = ratio(without, summary_.sms).value_or(0);
    const double launch = ratio(summary_.kernel_launch_cycles, summary_.cycles).value_or(0);
    const double launch_share = launch * (1 - never);
    const double after = ratio(summary_.after_blocks, summary_.cycles).value_or(0);
    const double after_share = after * (1 - never);
    const double uneven = share - never - launch_share - after_share;
    const std::string missing =
        fmt::format("{} of {} SMs {} no block", without, summary_.sms, without == 1 ? "gets" : "get");
    if (never >= std::max({launch_share, after_share, uneven})) {
      return fmt::format("The grid is too small: {}, and {}{}.", missing, idle, then_text());
    }
    const std::string also = without == 0 ? "" : fmt::format(", and {}", missing);
    if (after_share >= std::max(launch_share, uneven)) {
      return fmt::format(
          "Memory: for {} of the time all blocks have ended, and it finishes what they have asked for{}{}.",
          whole_percent(after), also, memory_advice());
    }
    if (launch_share >= uneven) {
      return fmt::format("The launch itself: {}, as starting the kernel takes {} of the time{}{}.", idle,
                         whole_percent(launch), also, then_text());
    }
    const std::string waves =
        summary_.launch ? fmt::format(", with {:.2f} waves of blocks", summary_.launch->waves) : "";
    return fmt::format("The blocks do not fill the GPU evenly: {}{}{}{}.", idle, waves, also, then_text());
  }

  /// What is left to be done when blocks have ended is mostly updates.
  [[nodiscard]] std::string memory_advice() const {
    return summary_.memory.counters.l2_atomic_sectors == 0 ? "" : fmt::format("; {}", kAtomicsAdvice);
  }

  [[nodiscard]] std::string lanes_text(const Loss& loss) const {
    static constexpr std::pair<std::string_view, std::string_view> kCauses[] = {
        {"predicated_off", "Predication: the guards of instructions switch lanes off"},
        {"diverged", "Divergence: lanes of a warp take different paths, one after the other"},
        {"exited", "Exited lanes: some threads of a warp end long before the others"},
        {"never_existed", "Partial warps: the block's size is no multiple of the warp size"},
    };
    const auto cause = std::find_if(std::begin(kCauses), std::end(kCauses),
                                    [&](const auto& each) { return each.first == loss.key; });
    return fmt::format("{}, so that an instruction does {:.1f} lanes of work, not {}.",
                       cause == std::end(kCauses) ? "Lanes that do not work" : cause->second,
                       summary_.divergence_utilization_pred_on * summary_.warp_size, summary_.warp_size);
  }

  [[nodiscard]] std::string stall_text(const Loss& loss) const {
    if (loss.key == "no_warp") {
      return fmt::format(
          "Too few warps: in {} of the issue slots of SMs that hold a block the scheduler has no warp at all; "
          "such an SM holds {:.1f} unfinished warps on average, for {} schedulers.",
          whole_percent(loss.of_active), summary_.achieved_warps_per_sm, summary_.sub_partitions);
    }
    return fmt::format("Waiting for {}: {} of the issue slots of SMs that hold a block are lost to it{}; {}.",
                       summary_of(loss.key), whole_percent(loss.of_active), mostly_text(loss.key),
                       advice(summary_, loss.key));
  }

  /// Where slots are lost to a short wait between others, it is no more than the last one of most warps.
  [[nodiscard]] std::string mostly_text(std::string_view key) const {
    const auto most = std::max_element(summary_.stalls.begin(), summary_.stalls.end(),
                                       [](const Part& a, const Part& b) { return a.slots < b.slots; });
    if (most == summary_.stalls.end() || most->key == key || most->key == "not_selected") return {};
    const double share = ratio(most->slots, summary_.total.resident_warp_cycles).value_or(0);
    if (share < kMostOfTime) return {};
    return fmt::format(", though warps spend {} of their time waiting for {}", whole_percent(share),
                       most->summary);
  }

  [[nodiscard]] std::string_view summary_of(std::string_view key) const {
    for (const LedgerSummary* ledger : {&summary_.issue_slots, &summary_.lane_slots}) {
      if (const Part* part = ledger->find(key)) return part->summary;
    }
    return key;
  }

  const Summary& summary_;
  double supply_ = 1;
  double used_ = 0;
};

}  // namespace

Verdict judge(const Summary& summary) { return Judge(summary).judge(); }

}  // namespace heddle::report
