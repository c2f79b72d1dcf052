#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/words.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

using report::Document;

/// Four digits, more where there are more before the point.
std::string figure_text(double value) {
  constexpr double kFourDigits = 1000;
  if (std::abs(value) < kFourDigits) return fmt::format("{:.4g}", value);
  constexpr double kMostGrouped = 1e15;
  if (value < 0 || value > kMostGrouped) return fmt::format("{:.4g}", value);
  return report::grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string error_text(double error) { return fmt::format("{:+.1f} %", 100 * error); }

std::string letter_of(std::size_t number) {
  const char last = static_cast<char>('a' + number % 26);
  return number < 26 ? std::string(1, last) : letter_of(number / 26 - 1) + last;
}

/// The reasons of a group, each once, with a letter for each.
class Reasons {
 public:
  std::string letter(const std::string& reason) {
    const auto number =
        static_cast<std::size_t>(std::find(list_.begin(), list_.end(), reason) - list_.begin());
    if (number == list_.size()) list_.push_back(reason);
    return letter_of(number);
  }

  void add_to(Document& document) const {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      document.items.push_back(report::Statement{fmt::format("{}:", letter_of(i)), list_[i]});
    }
  }

 private:
  std::vector<std::string> list_;
};

std::string note_of(const Comparison& one, Reasons& reasons) {
  if (one.is_unexpected()) return "outside";
  if (one.is_within())
    return one.deviates ? fmt::format("now within, {}", reasons.letter(*one.deviates)) : "";
  return fmt::format("known, {}", reasons.letter(*one.deviates));
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? figure_text(value) : fmt::format("{} {}", figure_text(value), unit);
}

report::Table case_table(const GroupResult& group, Reasons& reasons) {
  report::Table table{{"case", "GPU", "measured", "simulated", "error", "allowed", ""}, {}};
  for (const Comparison& one : group.cases) {
    table.rows.push_back({one.name, one.gpu, with_unit(one.measured, one.unit), figure_text(one.simulated),
                          error_text(one.error()), fmt::format("{:g} %", 100 * one.tolerance),
                          note_of(one, reasons)});
  }
  return table;
}

std::string outside_text(const GroupResult& group) {
  const std::size_t outside = group.cases.size() - group.within();
  if (outside == 0) return "all within their tolerance";
  const std::size_t known = outside - group.unexpected();
  return fmt::format("{} outside of their tolerance, {} of them known", outside, known);
}

void add_group(Document& document, const GroupResult& group) {
  document.items.push_back(report::Line{{group.name, group.title}, true});
  document.items.push_back(report::Statement{"source:", group.source});
  Reasons reasons;
  document.items.push_back(case_table(group, reasons));
  document.items.push_back(report::Line{
      {report::counted(group.cases.size(), "case"),
       fmt::format("mean absolute error {}", report::percent(mean_absolute_error(group.cases))),
       fmt::format("correlation {}", report::decimal(correlation(group.cases), 4)), outside_text(group)}});
  reasons.add_to(document);
  document.items.push_back(report::Gap{});
}

}  // namespace

Document document(std::span<const GroupResult> groups) {
  Document document;
  for (const GroupResult& group : groups) add_group(document, group);
  report::Table table{{"group", "cases", "mean absolute error", "correlation", "within", "known", "outside"},
                      {}};
  for (const GroupResult& group : groups) {
    const std::size_t within = group.within();
    const std::size_t unexpected = group.unexpected();
    table.rows.push_back(
        {fmt::format("{}  {}", group.name, group.title), fmt::format("{}", group.cases.size()),
         report::percent(mean_absolute_error(group.cases)), report::decimal(correlation(group.cases), 4),
         fmt::format("{}", within), fmt::format("{}", group.cases.size() - within - unexpected),
         fmt::format("{}", unexpected)});
  }
  document.items.push_back(table);
  return document;
}

}  // namespace heddle::validate
