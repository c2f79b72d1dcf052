#include "tools/report/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

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
/// Sectors of a request from which on lanes read far apart: 4-byte lanes side by side need 4.
constexpr double kScatteredSectors = 12;
/// Of a request to shared memory: wide lanes, or lanes in one bank.
constexpr double kSeveralPasses = 1.5;
/// Of the time of shared memory, from which on it has to do with little else.
constexpr double kManyConflicts = 0.3;
constexpr double kHighOccupancy = 0.6;
/// Of a warp's time, in one stall.
constexpr double kMostOfTime = 0.5;

std::string rounded(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// For stalls that more warps do not cure.
constexpr std::pair<std::string_view, std::string_view> kAdvice[] = {
    {"barrier", "fewer barriers, or several smaller blocks beside one another, would help"},
    {"lg_throttle", "memory does not keep up: fewer, wider or better cached accesses would help"},
    {"mio_throttle", "fewer or wider accesses to shared memory would help"},
};

constexpr std::string_view kAtomicsAdvice =
    "atomics on one address take turns, and so do those on one line: fewer of them, or more lines, would help";

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
    if (memory.l2_utilization >= kBusyBandwidth * memory.l2_efficiency) return l2();
    if (memory.l2_fabric_utilization >= kBusyBandwidth) return l2_fabric();
    const bool lanes_lose = is_lane_part(worst.key);
    const PipeUse* pipe = limiting_pipe(worst);
    if (pipe != nullptr && worst.key != "idle_sm") return busy_pipe(*pipe);
    if (used_ >= kWellUsed) return well_used();
    if (worst.share < kGreatLoss) return several(worst);
    if (worst.key == "idle_sm") return {"idle_sm", worst.share, idle_text(worst.share)};
    if (lanes_lose) return {std::string(worst.key), worst.share, lanes_text(worst)};
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
    return std::any_of(summary_.lane_slots.parts.begin(), summary_.lane_slots.parts.end(),
                       [key](const Part& part) { return part.key == key; });
  }

  /// That holds SMs with a block back, whatever warps wait for; null if none does, or idle lanes are the
  /// greater loss.
  [[nodiscard]] const PipeUse* limiting_pipe(const Loss& worst) const {
    const PipeUse* pipe = summary_.scarcest_pipe();
    const bool is_busy = pipe != nullptr && pipe->pressure >= kBusyPipe;
    return is_busy && !is_lane_part(worst.key) ? pipe : nullptr;
  }

  [[nodiscard]] Verdict well_used() const {
    return {"well_used", used_,
            fmt::format("Nothing much: {} of all lanes of all issue slots do useful work.", rounded(used_))};
  }

  [[nodiscard]] Verdict several(const Loss& worst) const {
    return {"several", 1 - used_,
            fmt::format(
                "No single thing: {} of all lanes of all issue slots do useful work, and the greatest loss "
                "({}) costs {} of all issue slots.",
                rounded(used_), key_text(worst.key), rounded(worst.share))};
  }

  [[nodiscard]] Verdict dram() const {
    const double share = summary_.memory.dram_utilization;
    return {"dram_bandwidth", share,
            fmt::format("DRAM bandwidth: {} of its peak is in use, so the kernel gets faster only by moving "
                        "fewer bytes.",
                        rounded(share))};
  }

  [[nodiscard]] Verdict l2() const {
    const double share = summary_.memory.l2_utilization;
    return {
        "l2_bandwidth", share,
        fmt::format("L2 bandwidth: {} of its peak is in use, so only fewer sectors, or more hits in L1, make "
                    "the kernel faster.",
                    rounded(share))};
  }

  [[nodiscard]] Verdict l2_fabric() const {
    const double share = summary_.memory.l2_fabric_utilization;
    return {
        "l2_fabric", share,
        fmt::format("The way between L2's partitions: {} of it is in use, so only fewer sectors that pass "
                    "it make the kernel faster.",
                    rounded(share))};
  }

  [[nodiscard]] static Verdict busy_pipe(const PipeUse& pipe) {
    return {"pipe", pipe.pressure,
            fmt::format("The {} pipe: it is busy {} of the time, so only fewer of its instructions make the "
                        "kernel faster.",
                        pipe.name, rounded(pipe.pressure))};
  }

  /// Of the time in which SMs hold a block: shared memory makes a pass a cycle.
  [[nodiscard]] double conflict_share() const {
    return ratio(summary_.memory.shared_conflict_passes, summary_.total.active_cycles).value_or(0);
  }

  /// Loads and stores of both kinds share a way through the SM, so that conflicts also make those wait that
  /// have none, and with them the block's other warps.
  [[nodiscard]] bool is_for_conflicts(std::string_view stall) const {
    static constexpr std::string_view kBehindThem[] = {"short_scoreboard", "mio_throttle", "long_scoreboard",
                                                       "lg_throttle", "barrier"};
    return conflict_share() >= kManyConflicts &&
           std::find(std::begin(kBehindThem), std::end(kBehindThem), stall) != std::end(kBehindThem);
  }

  [[nodiscard]] Verdict bank_conflicts() const {
    const double loads = summary_.memory.shared_passes_per_load.value_or(0);
    const double stores = summary_.memory.shared_passes_per_store.value_or(0);
    return {
        "bank_conflicts", conflict_share(),
        fmt::format(
            "Bank conflicts: a {} takes {:.1f} passes over shared memory's banks, and repeated passes take "
            "{} of its time; rows of another length would put lanes into different banks.",
            loads >= stores ? "load" : "store", std::max(loads, stores), rounded(conflict_share()))};
  }

  /// What an idle GPU would suffer from next.
  [[nodiscard]] std::string then_text() const {
    const Loss loss = greatest_active_loss();
    if (const PipeUse* pipe = limiting_pipe(loss)) {
      return fmt::format("; while they hold one, the {} pipe is busy {} of the time", pipe->name,
                         rounded(pipe->pressure));
    }
    if (loss.of_active < kGreatLoss) return {};
    return fmt::format("; while they hold one, most is lost to {}", cause_text(loss));
  }

  [[nodiscard]] std::string cause_text(const Loss& loss) const {
    if (loss.key == "no_warp")
      return fmt::format("schedulers that have no warp ({})", rounded(loss.of_active));
    if (is_lane_part(loss.key)) return fmt::format("{} ({})", summary_of(loss.key), rounded(loss.of_active));
    if (is_for_conflicts(loss.key)) {
      return fmt::format("bank conflicts in shared memory ({} of its time)", rounded(conflict_share()));
    }
    return fmt::format("waiting for {} ({})", summary_of(loss.key), rounded(loss.of_active));
  }

  /// SMs without a block, the launch, memory that goes on, and what is left: blocks that end at different
  /// times.
  [[nodiscard]] std::string idle_text(double share) const {
    const std::string idle =
        fmt::format("{} of all issue slots pass while SMs hold no block", rounded(share));
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
          rounded(after), also, memory_advice());
    }
    if (launch_share >= uneven) {
      return fmt::format("The launch itself: {}, as starting the kernel takes {} of the time{}{}.", idle,
                         rounded(launch), also, then_text());
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
          rounded(loss.of_active), summary_.achieved_warps_per_sm, summary_.sub_partitions);
    }
    return fmt::format("Waiting for {}: {} of the issue slots of SMs that hold a block are lost to it{}; {}.",
                       summary_of(loss.key), rounded(loss.of_active), mostly_text(loss.key),
                       advice(loss.key));
  }

  /// Where slots are lost to a short wait between others, it is no more than the last one of most warps.
  [[nodiscard]] std::string mostly_text(std::string_view key) const {
    const auto most = std::max_element(summary_.stalls.begin(), summary_.stalls.end(),
                                       [](const Part& a, const Part& b) { return a.slots < b.slots; });
    if (most == summary_.stalls.end() || most->key == key || most->key == "not_selected") return {};
    const double share = ratio(most->slots, summary_.total.resident_warp_cycles).value_or(0);
    if (share < kMostOfTime) return {};
    return fmt::format(", though warps spend {} of their time waiting for {}", rounded(share), most->summary);
  }

  [[nodiscard]] std::string_view summary_of(std::string_view key) const {
    for (const LedgerSummary* ledger : {&summary_.issue_slots, &summary_.lane_slots}) {
      for (const Part& part : ledger->parts) {
        if (part.key == key) return part.summary;
      }
    }
    return key;
  }

  [[nodiscard]] std::string advice(std::string_view key) const {
    const MemorySummary& memory = summary_.memory;
    const bool is_global = key == "long_scoreboard" || key == "lg_throttle";
    if (is_global && memory.sectors_per_load_request.value_or(0) >= kScatteredSectors) {
      return fmt::format(
          "each load touches {:.1f} sectors, so let neighbouring lanes read neighbouring addresses",
          *memory.sectors_per_load_request);
    }
    if (is_global && memory.counters.l2_atomic_sectors > memory.counters.l2_load_sectors) {
      return fmt::format("most of what L2 has to do are atomics; {}", kAtomicsAdvice);
    }
    const bool is_shared = key == "short_scoreboard" || key == "mio_throttle";
    if (is_shared && memory.shared_passes_per_load.value_or(0) >= kSeveralPasses) {
      return fmt::format(
          "a load from shared memory takes {:.1f} passes over its banks; lanes of 4 bytes, each in another "
          "bank, would take 1",
          *memory.shared_passes_per_load);
    }
    for (const auto& [reason, text] : kAdvice) {
      if (key == reason) return std::string(text);
    }
    if (key == "math_pipe_throttle" && summary_.busiest_pipe() != nullptr) {
      return fmt::format("the busiest one, {}, is in use {} of the time", summary_.busiest_pipe()->name,
                         rounded(summary_.busiest_pipe()->utilization));
    }
    return more_warps();
  }

  /// What keeps more warps away, if anything does.
  [[nodiscard]] std::string more_warps() const {
    if (summary_.achieved_occupancy >= kHighOccupancy) {
      return fmt::format("{:.1f} warps a scheduler do not hide it, and more hardly fit",
                         summary_.active_warps_per_scheduler);
    }
    if (summary_.theoretical_occupancy < kHighOccupancy) {
      return fmt::format("more warps would hide it, but {}", too_few_fit());
    }
    return fmt::format(
        "with {:.1f} warps a scheduler there is too little else to do, and a larger grid would bring more",
        summary_.active_warps_per_scheduler);
  }

  [[nodiscard]] std::string too_few_fit() const {
    if (!summary_.launch) {
      return fmt::format("the kernels' theoretical occupancy is only {}",
                         rounded(summary_.theoretical_occupancy));
    }
    const sim::Occupancy& occupancy = summary_.launch->occupancy;
    return fmt::format("the SM holds only {} of {} ({} limit)", occupancy.warps_per_sm, summary_.max_warps,
                       limiters_text(occupancy));
  }

  const Summary& summary_;
  double supply_ = 1;
  double used_ = 0;
};

}  // namespace

Verdict judge(const Summary& summary) { return Judge(summary).judge(); }

}  // namespace heddle::report
