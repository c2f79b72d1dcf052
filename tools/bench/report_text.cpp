#include <fmt/format.h>

#include "tools/bench/report.h"
#include "tools/report/words.h"

namespace heddle::bench {

namespace {

using report::Table;

constexpr double kMillion = 1e6;

/// A number in millions with about three digits: 712, 71.2, 8.15, 0.0034.
std::string millions(double number) {
  const double amount = number / kMillion;
  if (amount >= 100) return fmt::format("{:.0f}", amount);
  if (amount >= 10) return fmt::format("{:.1f}", amount);
  return amount >= 0.1 ? fmt::format("{:.2f}", amount) : fmt::format("{:.2g}", amount);
}

std::string speed_text(const std::optional<Speed>& speed) {
  return speed ? millions(speed->per_second()) : "-";
}

Table speeds(const Run& run) {
  Table table{{"launch", "functional", "timed"}, {}};
  if (run.threads > 1) table.headings.push_back(fmt::format("{} threads", run.threads));
  for (const char* heading : {"timed/functional", "M cycles/s", "heap MB", "bytes/warp", "noise"}) {
    table.headings.emplace_back(heading);
  }
  for (const Row& row : run.rows) {
    std::vector<std::string> cells = {row.name, speed_text(row.functional), speed_text(row.timed)};
    if (run.threads > 1) cells.push_back(speed_text(row.threaded));
    cells.push_back(report::decimal(row.timed_per_functional(), 2));
    cells.push_back(millions(row.cycles_per_second()));
    cells.push_back(fmt::format("{:.1f}", static_cast<double>(row.heap_bytes) / kMillion));
    cells.push_back(report::grouped(static_cast<std::uint64_t>(row.bytes_per_resident_warp())));
    cells.push_back(report::percent(row.noise()));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string change_text(const std::optional<Change>& change) {
  if (!change) return "-";
  return fmt::format(fmt::runtime(change->is_clear ? "{:.2f}" : "({:.2f})"), change->ratio);
}

Table changes(const Run& run, const Baseline& baseline) {
  Table table{{"times as fast as then", "functional", "timed"}, {}};
  if (run.threads > 1) table.headings.push_back(fmt::format("{} threads", run.threads));
  for (const Row& row : run.rows) {
    const RowChange found = change(run, row, baseline).value_or(RowChange{});
    std::vector<std::string> cells = {row.name, change_text(found.functional), change_text(found.timed)};
    if (run.threads > 1) cells.push_back(change_text(found.threaded));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void add_changes(report::Document& document, const Run& run, const Baseline& baseline) {
  document.items.emplace_back(report::Gap{});
  document.items.emplace_back(report::Line{
      {fmt::format("against {}", baseline.path), baseline.processor, fmt::format("GPU {}", baseline.gpu)}});
  document.items.emplace_back(changes(run, baseline));
  document.items.emplace_back(report::Gap{});
  document.items.emplace_back(
      report::Statement{"(1.02):", "no more than runs differ among themselves, then and now together."});
}

}  // namespace

report::Document document(const Run& run, const Baseline* baseline) {
  report::Document document;
  document.items.emplace_back(
      report::Line{{fmt::format("How fast heddle {} simulates {}", run.version, run.gpu)}, true});
  document.items.emplace_back(
      report::Line{{run.machine.processor, report::counted(run.machine.cores, "core"), run.machine.compiler,
                    fmt::format("medians of {} or more", report::counted(run.repetitions, "run"))}});
  document.items.emplace_back(
      report::Line{{"million warp instructions a second; timed: on one thread; noise: the "
                    "median distance from the median"}});
  document.items.emplace_back(report::Gap{});
  document.items.emplace_back(speeds(run));
  if (baseline != nullptr) add_changes(document, run, *baseline);
  return document;
}

}  // namespace heddle::bench
