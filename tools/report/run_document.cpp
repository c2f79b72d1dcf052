#include "tools/report/run_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "tools/report/verdict.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

constexpr std::size_t kMostStalls = 4;
constexpr std::size_t kMostParts = 7;
constexpr std::size_t kMostChecks = 4;
constexpr std::size_t kMostApproximations = 6;

// -- head -----------------------------------------------------------------------------------------

/// Named barriers hardly ever bind; the others always say something about a kernel.
bool is_worth_a_word(const sim::Occupancy& occupancy, sim::Resource resource) {
  return resource != sim::Resource::Barriers || occupancy.is_limited_by(resource);
}

std::string fit_text(const sim::Occupancy& occupancy) {
  std::vector<std::string> limits;
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    if (occupancy.limits[i] == sim::kNoBlockLimit ||
        !is_worth_a_word(occupancy, static_cast<sim::Resource>(i)))
      continue;
    limits.push_back(fmt::format("{} {}", sim::kResourceTable[i].key, occupancy.limits[i]));
  }
  return fmt::format("{} {} an SM ({})", counted(occupancy.blocks_per_sm, "block"),
                     occupancy.blocks_per_sm == 1 ? "fits" : "fit", fmt::join(limits, ", "));
}

std::string shared_text(std::uint32_t bytes) {
  return bytes == 0 ? "no shared memory" : fmt::format("{} of shared memory a block", byte_text(bytes));
}

/// Nothing for a run of the whole GPU.
void add_sample(Document& document, const std::optional<SampleSize>& size) {
  if (!size) return;
  const SampleSize& sample = *size;
  document.items.push_back(
      Line{{fmt::format("SAMPLE: {} of {} simulated", sample.sms, counted(sample.of_sms, "SM")),
            fmt::format("{} of {}", grouped(sample.blocks), counted(sample.of_blocks, "block")),
            "cycles stand for the whole GPU, counts are the sample's"}});
}

void add_head(Document& document, const Summary& summary) {
  const stream::LaunchShape& launch = summary.launch;
  document.items.push_back(
      Line{{fmt::format("{} on {} ({})", summary.kernel, summary.gpu_description, summary.gpu)}, true});
  document.items.push_back(
      Line{{fmt::format("grid {}, block {}", extents_text(launch.grid), extents_text(launch.block)),
            counted(launch.registers_per_thread, "register") + " a thread",
            shared_text(launch.shared_bytes_per_block),
            fmt::format("scheduler {}{}", summary.scheduler, summary.is_cold ? ", cold launch" : "")}});
  document.items.push_back(Line{{fmt::format("{} = {} at {:g} MHz", counted(summary.cycles, "cycle"),
                                             time_text(summary.time_us), summary.clock_mhz),
                                 counted(summary.total.warp_instructions, "warp instruction"),
                                 fmt::format("{:.2f} a cycle and active SM", summary.ipc)}});
  document.items.push_back(Line{{fit_text(summary.occupancy), fmt::format("{:.2f} waves", summary.waves),
                                 fmt::format("{} of {} SMs", summary.active_sms, summary.sms)}});
  add_sample(document, summary.info.sample);
}

// -- headline figures -----------------------------------------------------------------------------

Bar headline(std::string label, double value, std::string note) {
  return {std::move(label), 0, value, percent(value), std::move(note), Tone::Plain};
}

/// Nothing where there is only one.
std::string range_text(const Summary& summary, const Spread& spread) {
  if (summary.active_sms < 2) return {};
  return fmt::format("; SMs from {:.1f} to {:.1f} %", 100 * spread.least, 100 * spread.most);
}

std::string lanes_note(const Summary& summary) {
  const double lanes = summary.launch.warp_size;
  return fmt::format("{:.1f} of {} lanes active, {:.1f} execute", summary.divergence_utilization * lanes,
                     lanes, summary.divergence_utilization_pred_on * lanes);
}

void add_headlines(Document& document, const Summary& summary) {
  BarChart chart;
  chart.has_track = true;
  chart.bars.push_back(
      headline("Theoretical occupancy", summary.theoretical_occupancy,
               summary.info.kernels > 1
                   ? "of the kernels, by their active cycles"
                   : fmt::format("{} of {} warps an SM; limit: {}", summary.occupancy.warps_per_sm,
                                 summary.max_warps, limiters_text(summary.occupancy))));
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
  return divergence == "stack" ? "SIMT stack" : "convergence barriers";
}

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
             fmt::format("{} x {}; {}", counted(summary.launch.warp_size, "lane"),
                         counted(summary.total.warp_instructions, "warp instruction"),
                         mechanism_text(summary.divergence)),
             summary.lane_slots);
}

// -- stalls ---------------------------------------------------------------------------------------

/// Words only where the issue ledger, which stands above, does not have them.
std::string stall_note(const Summary& summary, const Part& stall) {
  const std::string cycles = decimal(ratio(stall.slots, summary.total.warp_instructions), 2);
  return stall.key == "not_selected" ? fmt::format("{} cycles: {}", cycles, stall.summary)
                                     : fmt::format("{} cycles", cycles);
}

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

// -- memory and pipes -----------------------------------------------------------------------------

void add_rate(BarChart& chart, std::string label, const Ratio& value, std::string note) {
  if (value)
    chart.bars.push_back({std::move(label), 0, *value, percent(*value), std::move(note), Tone::Plain});
}

/// Accesses of one kind, and what they took.
struct AccessKind {
  std::string_view name;
  std::uint64_t sim::MemoryCounters::*requests;
  std::uint64_t sim::MemoryCounters::*amount;
};

using M = sim::MemoryCounters;
constexpr AccessKind kDeviceAccesses[] = {
    {"global load", &M::global_load_requests, &M::global_load_sectors},
    {"global store", &M::global_store_requests, &M::global_store_sectors},
    {"global atomic", &M::global_atomic_requests, &M::global_atomic_sectors},
    {"local load", &M::local_load_requests, &M::local_load_sectors},
    {"local store", &M::local_store_requests, &M::local_store_sectors},
};
constexpr AccessKind kSharedAccesses[] = {
    {"shared load", &M::shared_load_requests, &M::shared_load_passes},
    {"shared store", &M::shared_store_requests, &M::shared_store_passes},
    {"shared atomic", &M::shared_atomic_requests, &M::shared_atomic_passes},
};

/// "4,096 global loads, 4.0 sectors each"; nothing of kinds that there were none of.
Line accesses(const sim::MemoryCounters& counters, std::span<const AccessKind> kinds, std::string_view unit) {
  Line line;
  line.is_indented = true;
  for (const AccessKind& kind : kinds) {
    const std::uint64_t requests = counters.*kind.requests;
    if (requests == 0) continue;
    const std::string each = decimal(ratio(counters.*kind.amount, requests), 1);
    line.facts.push_back(fmt::format("{}, {} {} each", counted(requests, kind.name), each, unit));
  }
  return line;
}

/// Neither hits nor asked of L2 again.
std::string on_their_way(const sim::MemoryCounters& counters) {
  if (counters.l1_merged_sectors == 0) return {};
  return fmt::format("; {} already on their way", grouped(counters.l1_merged_sectors));
}

BarChart memory_chart(const Summary& summary) {
  const MemorySummary& memory = summary.memory;
  const sim::MemoryCounters& counters = memory.counters;
  BarChart chart;
  chart.title = "Memory and pipes";
  chart.has_track = true;
  add_rate(chart, "L1 hit rate", memory.l1_hit_rate,
           fmt::format("of {} loaded{}", counted(memory.l1_load_sectors, "sector"), on_their_way(counters)));
  add_rate(chart, "L2 hit rate", memory.l2_hit_rate,
           fmt::format("of {} loaded", counted(counters.l2_load_sectors, "sector")));
  if (memory.l2_sectors != 0) {
    add_rate(chart, "L2 bandwidth", memory.l2_utilization,
             fmt::format("of what its slices can serve; {}", counted(memory.l2_sectors, "sector")));
  }
  if (memory.l2_far_sectors != 0) {
    add_rate(chart, "L2 fabric", memory.l2_fabric_utilization,
             fmt::format("between its partitions; {}", counted(memory.l2_far_sectors, "sector")));
  }
  if (counters.dram_read_bytes + counters.dram_write_bytes != 0) {
    add_rate(chart, "DRAM bandwidth", memory.dram_utilization,
             fmt::format("of {:.0f} GB/s; {} read, {} written", memory.dram_peak_gbps,
                         byte_text(counters.dram_read_bytes), byte_text(counters.dram_write_bytes)));
  }
  if (const PipeUse* pipe = summary.busiest_pipe()) {
    add_rate(chart, "Busiest pipe", pipe->utilization, fmt::format("of the time {} is busy", pipe->name));
  }
  return chart;
}

void add_memory(Document& document, const Summary& summary) {
  document.items.push_back(memory_chart(summary));
  const sim::MemoryCounters& counters = summary.memory.counters;
  for (const Line& line :
       {accesses(counters, kDeviceAccesses, "sectors"), accesses(counters, kSharedAccesses, "bank passes")}) {
    if (!line.facts.empty()) document.items.push_back(line);
  }
}

// -- end ------------------------------------------------------------------------------------------

std::string checked_text(const CheckResult& check) {
  if (check.differing == 0) {
    const std::string sample = check.compared == check.elements ? "" : grouped(check.compared) + " of ";
    return fmt::format("'{}' is as expected ({}{})", check.buffer, sample,
                       counted(check.elements, "element"));
  }
  return fmt::format("'{}' differs in {} of {}", check.buffer, grouped(check.differing),
                     counted(check.compared, "element"));
}

/// "UIADD3 as IADD3 (4.5 %)", the most frequent first.
std::string approximated_text(const Summary& summary) {
  std::vector<Approximation> list = summary.info.approximations;
  if (list.empty()) return "nothing: the instruction table has every opcode of the trace";
  std::stable_sort(list.begin(), list.end(), [](const Approximation& a, const Approximation& b) {
    return a.warp_instructions > b.warp_instructions;
  });
  const auto share = [&](std::uint64_t count) {
    return percent(ratio(count, summary.total.warp_instructions).value_or(0));
  };
  std::vector<std::string> texts;
  for (const Approximation& each : list) {
    if (texts.size() == kMostApproximations) break;
    texts.push_back(fmt::format("{} as {} ({})", each.opcode, each.as, share(each.warp_instructions)));
  }
  if (list.size() > texts.size()) texts.push_back(fmt::format("and {} more", list.size() - texts.size()));
  return fmt::format("{} of warp instructions: {}", share(summary.approximated_instructions()),
                     fmt::join(texts, ", "));
}

void add_checks(Document& document, const Summary& summary) {
  if (summary.info.is_trace) {
    document.items.push_back(Statement{"Approximated:", approximated_text(summary)});
    return;
  }
  const std::vector<CheckResult>& checks = summary.info.checks;
  if (!summary.info.checked || checks.empty()) {
    document.items.push_back(Statement{
        "Checked:", summary.info.checked ? "nothing; the launch names no check" : "nothing, as asked"});
    return;
  }
  std::vector<std::string> texts;
  for (const CheckResult& check : checks) {
    if (texts.size() < kMostChecks) texts.push_back(checked_text(check));
  }
  if (checks.size() > kMostChecks) texts.push_back(fmt::format("and {} more", checks.size() - kMostChecks));
  const bool good = summary.all_checks_hold();
  document.items.push_back(
      Statement{good ? "Checked:" : "CHECK FAILED:", fmt::format("{}", fmt::join(texts, ", ")),
                good ? Tone::Used : Tone::Lost});
}

std::string check_word(const Summary& run) {
  if (!run.info.checked || run.info.checks.empty()) return "-";
  return run.all_checks_hold() ? "ok" : "WRONG";
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() > most) text = fmt::format("{}..", text.substr(0, most - 2));
  return text;
}

/// All that follows the head.
void add_figures(Document& document, const Summary& summary) {
  add_headlines(document, summary);
  document.items.push_back(Gap{});
  add_ledgers(document, summary);
  add_stalls(document, summary);
  document.items.push_back(Gap{});
  add_memory(document, summary);
  document.items.push_back(Gap{});
  add_checks(document, summary);
  document.items.push_back(Statement{"What holds it back:", judge(summary).text, Tone::Plain});
}

}  // namespace

Document run_document(const Summary& summary) {
  Document document;
  add_head(document, summary);
  document.items.push_back(Gap{});
  add_figures(document, summary);
  return document;
}

namespace {

std::vector<std::string> overview_row(const std::string& name, const Summary& run) {
  std::vector<std::string> row = {name,
                                  grouped(run.cycles),
                                  time_text(run.time_us),
                                  percent(run.theoretical_occupancy),
                                  percent(run.achieved_occupancy),
                                  percent(run.issue_efficiency),
                                  percent(run.divergence_utilization)};
  row.push_back(run.info.is_trace
                    ? percent(ratio(run.approximated_instructions(), run.total.warp_instructions).value_or(0))
                    : check_word(run));
  return row;
}

/// What a sweep changes stands beside the name; the same for all rows.
Table overview_table(std::span<const Summary> runs) {
  constexpr std::size_t kLongestName = 32;
  constexpr int kBehindName = 1;
  const RunInfo& first = runs[0].info;
  Table table{{"launch", "cycles", "time", "theoretical", "achieved", "issue", "lanes",
               first.is_trace ? "approximated" : "check"},
              {}};
  for (const Summary& run : runs) {
    table.rows.push_back(overview_row(shortened(run.info.short_name, kLongestName), run));
    for (std::size_t i = run.info.swept.size(); i-- > 0;) {
      auto& row = table.rows.back();
      row.insert(row.begin() + kBehindName, shortened(run.info.swept[i].second, kLongestName));
    }
  }
  for (std::size_t i = first.swept.size(); i-- > 0;)
    table.headings.insert(table.headings.begin() + kBehindName, first.swept[i].first);
  return table;
}

bool all_on_one_gpu(std::span<const Summary> runs) {
  return std::all_of(runs.begin(), runs.end(), [&](const Summary& run) { return run.gpu == runs[0].gpu; });
}

/// Points of a sweep may be samples of different kinds, which have no sum.
void add_samples(Document& document, std::span<const Summary> runs) {
  if (runs[0].info.swept.empty()) return add_sample(document, sample_of(runs));
  const auto is_sample = [](const Summary& run) { return run.info.sample.has_value(); };
  if (std::any_of(runs.begin(), runs.end(), is_sample))
    document.items.push_back(
        Line{{"SAMPLE: of some runs only some SMs simulated", "JSON and CSV say how many"}});
}

}  // namespace

Document overview_document(std::span<const Summary> runs) {
  Document document;
  const auto is_one = [](const Summary& run) { return run.info.kernels == 1; };
  const auto count = static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_one));
  std::string title = counted(count, "run");
  if (all_on_one_gpu(runs)) title += fmt::format(" on {} ({})", runs[0].gpu_description, runs[0].gpu);
  document.items.push_back(Line{{title}, true});
  add_samples(document, runs);
  document.items.push_back(overview_table(runs));
  return document;
}

Document list_document(std::span<const Summary> kernels, const Summary& all) {
  Document document;
  document.items.push_back(
      Line{{fmt::format("{}: {} on {} ({})", all.info.launch_path, counted(kernels.size(), "kernel"),
                        all.gpu_description, all.gpu)},
           true});
  add_sample(document, all.info.sample);
  Table table = overview_table(kernels);
  table.rows.push_back(overview_row("all", all));
  document.items.push_back(std::move(table));
  document.items.push_back(Gap{});
  add_figures(document, all);
  return document;
}

Document failures_document(std::span<const Failure> failures) {
  Document document;
  std::set<std::string> told;
  for (const Failure& failure : failures) {
    const std::string first_line = failure.message.substr(0, failure.message.find('\n'));
    if (told.insert(first_line).second)
      document.items.push_back(Statement{"NOT RUN TO ITS END:", first_line, Tone::Lost});
  }
  return document;
}

}  // namespace heddle::report
