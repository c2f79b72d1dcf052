#include "tools/report/overview_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/report/provenance_section.h"
#include "tools/report/run_sections.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

std::string check_word(const Summary& run) {
  if (!run.info.checked || run.info.checks.empty()) return "-";
  return run.all_checks_hold() ? "ok" : "WRONG";
}

std::vector<std::string> overview_row(const std::string& name, const Summary& run) {
  std::vector<std::string> row = {name,
                                  grouped(run.whole_cycles()),
                                  time_text(run.whole_time_us()),
                                  percent(run.theoretical_occupancy),
                                  percent(run.achieved_occupancy),
                                  percent(run.issue_efficiency),
                                  percent(run.divergence_utilization)};
  row.push_back(run.info.is_trace
                    ? percent(ratio(run.approximated_instructions(), run.total.warp_instructions).value_or(0))
                    : check_word(run));
  return row;
}

/// How many launches of the list it stands for; all of them for the list.
std::string stands_for_text(const Summary& run) {
  return grouped(run.info.list_sample ? run.info.list_sample->launches : run.weight());
}

/// Swept values that change stand beside the name. All rows have the same ones.
Table overview_table(std::span<const Summary> runs) {
  constexpr int kBehindName = 1;
  const RunInfo& first = runs[0].info;
  Table table{{"launch", "cycles", "time", "theor.", "achieved", "issue", "lanes",
               first.is_trace ? "approx" : "check"},
              {}};
  table.names = kBehindName + first.swept.size();
  if (first.stands_for) table.headings.emplace_back("stands for");
  for (const Summary& run : runs) {
    table.rows.push_back(overview_row(run.info.short_name, run));
    if (first.stands_for) table.rows.back().push_back(stands_for_text(run));
    for (std::size_t i = run.info.swept.size(); i-- > 0;) {
      auto& row = table.rows.back();
      row.insert(row.begin() + kBehindName, run.info.swept[i].second);
    }
  }
  for (std::size_t i = first.swept.size(); i-- > 0;)
    table.headings.insert(table.headings.begin() + kBehindName, first.swept[i].first);
  return table;
}

template <typename Text>
bool share(std::span<const Summary> runs, Text text) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const Summary& run) { return text(run) == text(runs[0]); });
}

/// " on NVIDIA H100 ... (h100)", with the changes if all runs have the same; empty if there are several GPUs.
std::string shared_gpu(std::span<const Summary> runs) {
  if (!share(runs, [](const Summary& run) { return run.gpu; })) return {};
  return fmt::format(" on {} ({})", runs[0].gpu_description,
                     share(runs, gpu_text) ? gpu_text(runs[0]) : runs[0].gpu);
}

/// Points of a sweep can have different samples, which cannot be added up.
void add_samples(Document& document, std::span<const Summary> runs) {
  const auto has_blocks = [](const Summary& run) {
    return run.info.blocks && run.info.blocks->why_whole.empty();
  };
  if (std::any_of(runs.begin(), runs.end(), has_blocks)) {
    document.items.emplace_back(Line{{"SAMPLE: of some runs only some blocks simulated, cycles are estimates",
                                      "JSON and CSV say how far off"}});
  }
  if (runs[0].info.swept.empty()) return add_sample(document, sample_of(runs));
  const auto is_sample = [](const Summary& run) { return run.info.sample.has_value(); };
  if (std::any_of(runs.begin(), runs.end(), is_sample))
    document.items.emplace_back(
        Line{{"SAMPLE: of some runs only some SMs simulated", "JSON and CSV say how many"}});
}

/// "12,345 cycles of all are an estimate, +- 2.1 % in 95 % of cases".
void add_list_sample(Document& document, const Summary& all) {
  if (!all.info.list_sample) return;
  const ListSample& sample = *all.info.list_sample;
  const double half = sample.half_width() / static_cast<double>(all.cycles);
  document.items.emplace_back(
      Line{{fmt::format("SAMPLE: {} of {} timed, of {}", grouped(sample.timed),
                        counted(sample.launches, "launch"), counted(sample.groups, "group")),
            fmt::format("all: within {} in {} of cases", percent(half), whole_percent(sample.confidence))}});
}

/// "3-7, 12"
std::string ranges_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (last != i) text += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return text;
}

/// Which launch of the list stands for which.
void add_stand_ins(Document& document, std::span<const Summary> kernels) {
  if (!kernels[0].info.stands_for) return;
  Table table{{"launch", "group", "stands for"}, {}};
  table.ends_in_text = true;
  for (const Summary& kernel : kernels) {
    const StandsFor& stands_for = kernel.info.stands_for.value();
    table.rows.push_back(
        {kernel.info.short_name, std::to_string(stands_for.group), ranges_text(stands_for.launches)});
  }
  document.items.emplace_back(std::move(table));
  document.items.emplace_back(Gap{});
}

}  // namespace

Document overview_document(std::span<const Summary> runs) {
  Document document;
  const auto is_one = [](const Summary& run) { return run.launch.has_value(); };
  const auto count = static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_one));
  document.items.emplace_back(Line{{counted(count, "run") + shared_gpu(runs)}, true});
  add_samples(document, runs);
  document.items.emplace_back(overview_table(runs));
  document.items.emplace_back(Gap{});
  add_provenance(document, runs);
  return document;
}

Document list_overview(std::span<const Summary> kernels, const Summary& all) {
  Document document;
  document.items.emplace_back(Line{
      {fmt::format("{}: {} on {} ({})", all.info.launch_path,
                   counted(all.info.list_sample ? all.info.list_sample->launches : kernels.size(), "kernel"),
                   all.gpu_description, gpu_text(all))},
      true});
  add_sample(document, all.info.sample);
  add_sampled_blocks(document, all);
  add_list_sample(document, all);
  Table table = overview_table(kernels);
  table.rows.push_back(overview_row("all", all));
  if (kernels[0].info.stands_for) table.rows.back().push_back(stands_for_text(all));
  document.items.emplace_back(std::move(table));
  return document;
}

Document list_document(std::span<const Summary> kernels, const Summary& all) {
  Document document = list_overview(kernels, all);
  document.items.emplace_back(Gap{});
  add_stand_ins(document, kernels);
  add_figures(document, all);
  document.items.emplace_back(Gap{});
  add_provenance(document, {&all, 1});
  return document;
}

Document failures_document(std::span<const Failure> failures) {
  Document document;
  std::set<std::string> told;
  for (const Failure& failure : failures) {
    const std::string first_line = failure.message.substr(0, failure.message.find('\n'));
    if (told.insert(first_line).second)
      document.items.emplace_back(Statement{"NOT RUN TO ITS END:", first_line, Tone::Lost});
  }
  return document;
}

}  // namespace heddle::report
