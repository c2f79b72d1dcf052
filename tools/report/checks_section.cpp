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

std::string share_of(const Summary& summary, std::uint64_t instructions) {
  return percent(ratio(instructions, summary.total.warp_instructions).value_or(0));
}

/// "UIADD3 as IADD3 (4.5 %)", most frequent first.
std::string approximated_text(const Summary& summary, Detail detail) {
  std::vector<Approximation> list = summary.info.approximations;
  if (list.empty()) return "nothing: the instruction table has every opcode of the trace";
  const std::string share = share_of(summary, summary.approximated_instructions());
  if (detail == Detail::Page) return fmt::format("{} of warp instructions, timed as others", share);
  std::stable_sort(list.begin(), list.end(), [](const Approximation& a, const Approximation& b) {
    return a.warp_instructions > b.warp_instructions;
  });
  std::vector<std::string> texts;
  for (const Approximation& each : list) {
    if (texts.size() == kMostApproximations) break;
    texts.push_back(
        fmt::format("{} as {} ({})", each.opcode, each.as, share_of(summary, each.warp_instructions)));
  }
  if (list.size() > texts.size()) texts.push_back(fmt::format("and {} more", list.size() - texts.size()));
  return fmt::format("{} of warp instructions: {}", share, fmt::join(texts, ", "));
}

/// On a page, passed checks are reported for one buffer, or for all together.
std::string checks_text(const std::vector<CheckResult>& checks, Detail detail) {
  std::vector<std::string> texts;
  std::size_t right = 0;
  for (const CheckResult& check : checks) {
    if (check.differing == 0 && detail == Detail::Page && checks.size() > 1) {
      ++right;
    } else {
      texts.push_back(checked_text(check));
    }
  }
  const std::size_t more = texts.size() - std::min(texts.size(), kMostChecks);
  texts.resize(texts.size() - more);
  if (more != 0) texts.push_back(fmt::format("and {} more", more));
  if (right != 0) texts.push_back(fmt::format("{} as expected", counted(right, "buffer")));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void add_checks(Document& document, const Summary& summary, Detail detail) {
  if (summary.info.is_trace) {
    document.items.emplace_back(Statement{"Approximated:", approximated_text(summary, detail)});
    return;
  }
  const std::vector<CheckResult>& checks = summary.info.checks;
  if (!summary.info.checked || checks.empty()) {
    document.items.emplace_back(Statement{
        "Checked:", summary.info.checked ? "nothing; the launch names no check" : "nothing, as asked"});
    return;
  }
  const bool good = summary.all_checks_hold();
  document.items.emplace_back(Statement{good ? "Checked:" : "CHECK FAILED:", checks_text(checks, detail),
                                        good ? Tone::Used : Tone::Lost});
}

}  // namespace heddle::report
