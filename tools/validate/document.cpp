#include <fmt/format.h>

#include <algorithm>

#include "tools/report/words.h"
#include "tools/validate/figure_text.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

using report::Document;

std::string allowed_text(const std::optional<double>& tolerance) {
  return tolerance ? fmt::format("{:g} %", 100 * *tolerance) : "";
}

std::string letter_of(std::size_t number) {
  const char last = static_cast<char>('a' + number % 26);
  return number < 26 ? std::string(1, last) : letter_of(number / 26 - 1) + last;
}

/// The reasons of a group, each once, with a letter.
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
      document.items.emplace_back(report::Statement{fmt::format("{}:", letter_of(i)), list_[i]});
    }
  }

 private:
  std::vector<std::string> list_;
};

std::string note_of(const Comparison& one, Reasons& reasons) {
  if (one.is_unexpected()) return "outside";
  if (one.is_better_than_said()) return fmt::format("now within, {}", reasons.letter(*one.deviates));
  if (one.is_within()) return "";
  return fmt::format("known, {}", reasons.letter(*one.deviates));
}

bool is_judged(const GroupResult& group) {
  return std::any_of(group.cases.begin(), group.cases.end(),
                     [](const Comparison& one) { return one.tolerance.has_value(); });
}

report::Table case_table(const GroupResult& group, Reasons& reasons) {
  report::Table table{
      {"case", "GPU", "measured", "simulated", "error", is_judged(group) ? "allowed" : "", ""}, {}};
  for (const Comparison& one : group.cases) {
    table.rows.push_back({one.name, one.gpu, with_unit(one.measured, one.unit), figure_text(one.simulated),
                          error_text(one.error()), allowed_text(one.tolerance), note_of(one, reasons)});
  }
  return table;
}

/// Empty if no case has a tolerance.
std::string outside_text(const GroupResult& group) {
  const std::size_t outside = group.cases.size() - group.within();
  if (outside != 0) {
    return fmt::format("{} outside of their tolerance, {} of them known", outside,
                       outside - group.unexpected());
  }
  return is_judged(group) ? "all within their tolerance" : "";
}

void add_group(Document& document, const GroupResult& group) {
  document.items.emplace_back(report::Line{{group.name, group.title}, true});
  document.items.emplace_back(report::Statement{"source:", group.source});
  Reasons reasons;
  document.items.emplace_back(case_table(group, reasons));
  if (group.is_population) {
    report::Line line{
        {report::counted(group.cases.size(), "case"),
         fmt::format("mean absolute error {}", report::percent(mean_absolute_error(group.cases))),
         fmt::format("correlation {}", report::decimal(correlation(group.cases), 4))}};
    if (const std::string outside = outside_text(group); !outside.empty()) line.facts.push_back(outside);
    document.items.emplace_back(line);
  }
  reasons.add_to(document);
  document.items.emplace_back(report::Gap{});
}

report::Table group_table(const Results& results) {
  const bool has_tolerances = std::any_of(results.groups.begin(), results.groups.end(), is_judged);
  report::Table table{{"group", "cases", "mean absolute error", "correlation"}, {}};
  if (has_tolerances) table.headings.insert(table.headings.end(), {"within", "known", "outside"});
  for (const GroupResult& group : results.groups) {
    if (!group.is_population) continue;
    auto& row = table.rows.emplace_back();
    row = {fmt::format("{}  {}", group.name, group.title), fmt::format("{}", group.cases.size()),
           report::percent(mean_absolute_error(group.cases)), report::decimal(correlation(group.cases), 4)};
    if (!has_tolerances) continue;
    const std::size_t within = group.within();
    const std::size_t unexpected = group.unexpected();
    for (const std::size_t number : {within, group.cases.size() - within - unexpected, unexpected}) {
      row.push_back(fmt::format("{}", number));
    }
  }
  return table;
}

}  // namespace

Document document(const Results& results) {
  Document document;
  for (const GroupResult& group : results.groups) add_group(document, group);
  const report::Table table = group_table(results);
  if (!table.rows.empty()) document.items.emplace_back(table);
  if (!table.rows.empty() && !results.not_compared.empty()) document.items.emplace_back(report::Gap{});
  for (const std::string& reason : results.not_compared) {
    document.items.emplace_back(report::Statement{"not compared:", reason});
  }
  return document;
}

}  // namespace heddle::validate
