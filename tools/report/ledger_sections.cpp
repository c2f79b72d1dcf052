#include <fmt/format.h>

#include <algorithm>

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

/// Nothing where there is only one, or all read alike.
std::string range_text(const Summary& summary, const Spread& spread) {
  const std::string most = percent(spread.most);
  if (summary.active_sms < 2 || percent(spread.least) == most) return {};
  return fmt::format("; SMs from {:.1f} to {}", 100 * spread.least, most);
}

std::string lanes_note(const Summary& summary) {
  const double lanes = summary.warp_size;
  return fmt::format("{:.1f} of {} lanes active, {:.1f} execute", summary.divergence_utilization * lanes,
                     lanes, summary.divergence_utilization_pred_on * lanes);
}

}  // namespace

void add_headlines(Document& document, const Summary& summary) {
  BarChart chart;
  chart.has_track = true;
  chart.bars.push_back(
      headline("Theoretical occupancy", summary.theoretical_occupancy,
               summary.launch
                   ? fmt::format("{} of {} warps an SM; limit: {}", summary.launch->occupancy.warps_per_sm,
                                 summary.max_warps, limiters_text(summary.launch->occupancy))
                   : "of the kernels, by their active cycles"));
  chart.bars.push_back(headline("Achieved occupancy", summary.achieved_occupancy,
                                fmt::format("{:.1f} warps{}", summary.achieved_warps_per_sm,
                                            range_text(summary, summary.sm_achieved_occupancy))));
  chart.bars.push_back(
      headline("Issue efficiency", summary.issue_efficiency,
               fmt::format("of issue slots used{}", range_text(summary, summary.sm_issue_efficiency))));
  chart.bars.push_back(
      headline("Divergence utilization", summary.divergence_utilization, lanes_note(summary)));
  document.items.push_back(chart);
}

// -- ledgers --------------------------------------------------------------------------------------

namespace {

/// The parts that are not zero; from the most-th lost one on, the least ones are summed up as "other".
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
  document.items.push_back(chart);
  document.items.push_back(Gap{});
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
             summary.warp_slots);
  add_ledger(document, "Where the issue slots went",
             fmt::format("{} x {} of SMs that held a block", counted(summary.sub_partitions, "scheduler"),
                         counted(summary.total.active_cycles, "cycle")),
             summary.issue_slots);
  add_ledger(document, "Where the lane slots went",
             fmt::format("{} x {}; {}", counted(summary.warp_size, "lane"),
                         counted(summary.total.warp_instructions, "warp instruction"),
                         mechanism_text(summary.divergence)),
             summary.lane_slots);
}

// -- stalls ---------------------------------------------------------------------------------------

namespace {

/// Words only where the issue ledger, which stands above, does not have them.
std::string stall_note(const Summary& summary, const Part& stall) {
  const std::string cycles = decimal(ratio(stall.slots, summary.total.warp_instructions), 2);
  return stall.key == "not_selected" ? fmt::format("{} cycles: {}", cycles, stall.summary)
                                     : fmt::format("{} cycles", cycles);
}

}  // namespace

void add_stalls(Document& document, const Summary& summary) {
  std::vector<Part> stalls = summary.stalls;
  std::erase_if(stalls, [](const Part& part) { return part.slots == 0; });
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Part& a, const Part& b) { return a.slots > b.slots; });
  if (stalls.size() > kMostStalls) stalls.resize(kMostStalls);
  BarChart chart;
  chart.title = "What a warp waits for";
  chart.note = fmt::format("in the {} cycles from one of its instructions to the next",
                           decimal(summary.cycles_per_issued_instruction, 2));
  for (const Part& stall : stalls) {
    const double share = ratio(stall.slots, summary.total.resident_warp_cycles).value_or(0);
    chart.bars.push_back(
        {key_text(stall.key), 0, share, percent(share), stall_note(summary, stall), Tone::Lost});
  }
  if (!chart.bars.empty()) document.items.push_back(chart);
}

}  // namespace heddle::report
