#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/report/run_sections.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

constexpr std::size_t kMostChecks = 4;
constexpr std::size_t kMostApproximations = 6;

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

}  // namespace

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

}  // namespace heddle::report
