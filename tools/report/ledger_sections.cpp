#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "isa/exec/divergence.h"
#include "tools/report/run_sections.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

constexpr std::size_t kMostStalls = 4;
constexpr std::size_t kMostParts = 7;

// -- headline figures -----------------------------------------------------------------------------

Bar headline(std::string label, double value, std::string note) {
  return {std::move(label), 0, value, percent(value), std::move(note), Tone::Plain};
}

/// Empty if there is only one SM, or if all values look the same.
std::string range_text(const Summary& summary, const Spread& spread) {
  const std::string most = percent(spread.most);
  if (summary.active_sms < 2 || percent(spread.least) == most) return {};
  return fmt::format("; {:.1f} to {} from SM to SM", 100 * spread.least, most);
}

/// If all warps fit, there is no limit to name.
std::string fitting_warps(const Summary& summary, Detail detail) {
  if (!summary.launch) return "mean of the kernels";
  const sim::Occupancy& occupancy = summary.launch->occupancy;
  if (occupancy.warps_per_sm == summary.max_warps)
    return fmt::format("{} of {} warps fit an SM", occupancy.warps_per_sm, summary.max_warps);
  std::vector<std::string> limits;
  for (const sim::Resource resource : occupancy.limiters()) limits.push_back(resource_text(resource));
  return fmt::format("{} of {}{}; limit: {}", occupancy.warps_per_sm, summary.max_warps,
                     detail == Detail::Full ? " warps fit an SM" : "", fmt::join(limits, ", "));
}

std::string lanes_text(const Summary& summary) {
  const double lanes = summary.warp_size;
  return fmt::format("{:.1f} of {} lanes active", summary.divergence_utilization * lanes, lanes);
}

/// Empty unless predicates switch lanes off.
std::string predicates_text(const Summary& summary) {
  if (summary.divergence_utilization_pred_on == summary.divergence_utilization) return {};
  return fmt::format("; with true predicates {:.1f}",
                     summary.divergence_utilization_pred_on * summary.warp_size);
}

}  // namespace

void add_headlines(Document& document, const Summary& summary, Detail detail) {
  const bool is_full = detail == Detail::Full;
  const auto with = [is_full](std::string text, const std::string& more) {
    return is_full ? text + more : text;
  };
  BarChart chart;
  chart.has_track = true;
  chart.bars = {
      headline("Theoretical occupancy", summary.theoretical_occupancy, fitting_warps(summary, detail)),
      headline("Achieved occupancy", summary.achieved_occupancy,
               with(fmt::format("{:.1f} warps on average", summary.achieved_warps_per_sm),
                    range_text(summary, summary.sm_achieved_occupancy))),
      headline("Issue efficiency", summary.issue_efficiency,
               with(fmt::format("{:.2f} of {} issue slots a cycle", summary.ipc, summary.sub_partitions),
                    range_text(summary, summary.sm_issue_efficiency))),
      headline("Divergence utilization", summary.divergence_utilization,
               with(lanes_text(summary), predicates_text(summary)))};
  document.items.emplace_back(std::move(chart));
}

// -- ledgers --------------------------------------------------------------------------------------

namespace {

/// The parts that are not zero. Beyond `most` losses, the smallest ones are added up as "other".
std::vector<Part> shown_parts(const LedgerSummary& ledger, std::size_t most) {
  std::vector<Part> parts;
  for (const Part& part : ledger.parts) {
    if (part.slots != 0) parts.push_back(part);
  }
  if (parts.size() <= most) return parts;
  std::vector<Part> by_size(parts.begin() + 1, parts.end());
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Part& a, const Part& b) { return a.slots > b.slots; });
  Part other{"other", "all other reasons", 0};
  for (std::size_t i = most - 2; i < by_size.size(); ++i) {
    other.slots += by_size[i].slots;
    std::erase_if(parts, [&](const Part& part) { return part.key == by_size[i].key; });
  }
  parts.push_back(other);
  return parts;
}

void add_ledger(Document& document, std::string title, std::string note, const LedgerSummary& ledger) {
  BarChart chart;
  chart.title = std::move(title);
  chart.note = std::move(note);
  double begin = 0;
  for (const Part& part : shown_parts(ledger, kMostParts)) {
    const double end = begin + ledger.share(part);
    const Tone tone = part.key == ledger.parts.front().key ? Tone::Used : Tone::Lost;
    chart.bars.push_back(
        {key_text(part.key), begin, end, percent(ledger.share(part)), std::string(part.summary), tone});
    begin = end;
  }
  document.items.emplace_back(chart);
  document.items.emplace_back(Gap{});
}

std::string mechanism_text(const std::string& divergence) {
  const exec::DivergenceInfo* known = exec::find_divergence(divergence);
  return known == nullptr ? divergence : std::string(known->name);
}

}  // namespace

void add_ledgers(Document& document, const Summary& summary) {
  add_ledger(document, "Where the warp slots went",
             fmt::format("{} x {} x {}", counted(summary.max_warps, "warp"), counted(summary.sms, "SM"),
                         counted(summary.cycles, "cycle")),
             summary.ledgers.warp_slots);
  add_ledger(document, "Where the issue slots went",
             fmt::format("{} x {} with a block", counted(summary.sub_partitions, "scheduler"),
                         counted(summary.total.active_cycles, "cycle")),
             summary.ledgers.issue_slots);
  add_ledger(document, "Where the lane slots went",
             fmt::format("{} x {}; {}", counted(summary.warp_size, "lane"),
                         counted(summary.total.warp_instructions, "warp instruction"),
                         mechanism_text(summary.divergence)),
             summary.ledgers.lane_slots);
}

// -- the greatest losses --------------------------------------------------------------------------

namespace {

/// A smaller loss is left out, unless it is the greatest of its ledger.
constexpr double kWorthALine = 0.01;
/// A smaller loss would be printed as <0.1 %.
constexpr double kReadsAsNothing = 0.0005;

/// A lost part of a ledger.
struct Lost {
  std::size_t ledger = 0;
  const Part* part = nullptr;
  double share = 0;
  bool is_greatest = false;  ///< Greatest of its ledger.
};

/// Sorted, greatest first.
std::vector<Lost> losses_of(const LedgerSummary& ledger, std::size_t index) {
  std::vector<Lost> losses;
  for (const Part& part : ledger.parts) {
    if (&part != &ledger.parts.front()) losses.push_back({index, &part, ledger.share(part)});
  }
  const auto by_share = [](const Lost& a, const Lost& b) { return a.share > b.share; };
  std::stable_sort(losses.begin(), losses.end(), by_share);
  if (!losses.empty()) losses.front().is_greatest = true;
  std::erase_if(losses, [](const Lost& lost) {
    return lost.share < (lost.is_greatest ? kReadsAsNothing : kWorthALine);
  });
  return losses;
}

/// The greatest loss of each ledger, then the greatest of all ledgers; the result is in the order of the
/// ledgers.
std::vector<Lost> greatest_losses(const Summary& summary, std::size_t most) {
  std::vector<Lost> losses;
  std::size_t index = 0;
  for (const LedgerSummary* ledger :
       {&summary.ledgers.warp_slots, &summary.ledgers.issue_slots, &summary.ledgers.lane_slots}) {
    const std::vector<Lost> more = losses_of(*ledger, index++);
    losses.insert(losses.end(), more.begin(), more.end());
  }
  std::stable_sort(losses.begin(), losses.end(), [](const Lost& a, const Lost& b) {
    return std::pair(a.is_greatest, a.share) > std::pair(b.is_greatest, b.share);
  });
  if (losses.size() > most) losses.resize(most);
  std::stable_sort(losses.begin(), losses.end(), [](const Lost& a, const Lost& b) {
    return std::pair(a.ledger, -a.share) < std::pair(b.ledger, -b.share);
  });
  return losses;
}

}  // namespace

void add_greatest_losses(Document& document, const Summary& summary, std::size_t most) {
  static constexpr std::string_view kSupplies[] = {"warps", "issue", "lanes"};
  BarChart chart;
  const Lost* before = nullptr;
  const std::vector<Lost> losses = greatest_losses(summary, most);
  for (const Lost& lost : losses) {
    const bool is_first = before == nullptr || before->ledger != lost.ledger;
    chart.bars.push_back(
        {fmt::format("{:<5}  {}", is_first ? kSupplies[lost.ledger] : "", key_text(lost.part->key)), 0,
         lost.share, percent(lost.share), std::string(lost.part->summary), Tone::Lost});
    before = &lost;
  }
  if (losses.empty()) return;
  document.items.emplace_back(
      Statement{"Where the lost slots went:", "of warps, of turns to issue, of lanes; greatest first"});
  document.items.emplace_back(std::move(chart));
  document.items.emplace_back(Gap{});
}

// -- stalls ---------------------------------------------------------------------------------------

namespace {

/// An explanation, unless the issue ledger above has it already.
std::string stall_note(const Summary& summary, const Part& stall) {
  const std::string cycles = decimal(ratio(stall.slots, summary.total.warp_instructions), 2);
  return stall.key == "not_selected" ? fmt::format("{} cycles: {}", cycles, stall.summary)
                                     : fmt::format("{} cycles", cycles);
}

}  // namespace

void add_stalls(Document& document, const Summary& summary) {
  std::vector<Part> stalls = summary.ledgers.stalls;
  std::erase_if(stalls, [](const Part& part) { return part.slots == 0; });
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Part& a, const Part& b) { return a.slots > b.slots; });
  if (stalls.size() > kMostStalls) stalls.resize(kMostStalls);
  BarChart chart;
  chart.title = "What a warp waits for";
  chart.note = fmt::format("in the {} cycles from one instruction to the next",
                           decimal(summary.cycles_per_issued_instruction, 2));
  for (const Part& stall : stalls) {
    const double share = ratio(stall.slots, summary.total.resident_warp_cycles).value_or(0);
    chart.bars.push_back(
        {key_text(stall.key), 0, share, percent(share), stall_note(summary, stall), Tone::Lost});
  }
  if (!chart.bars.empty()) document.items.emplace_back(chart);
}

}  // namespace heddle::report
