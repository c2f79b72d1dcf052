#include "tools/report/beside.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "sim/figures/losses.h"
#include "sim/figures/time_split.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// A smaller share of the run's time or of the SMs is not mentioned.
constexpr double kWorthAWord = 0.1;

}  // namespace

std::string beside_text(const Summary& summary) {
  const sim::TimeSplit time = time_split(summary);
  std::vector<std::string> parts;
  if (time.launch >= kWorthAWord) {
    parts.push_back(fmt::format("launching takes {} of the run", whole_percent(time.launch)));
  }
  if (time.unused_sms >= kWorthAWord) {
    const std::uint32_t without = summary.sms - summary.active_sms;
    parts.push_back(
        fmt::format("{} of {} SMs {} no block", without, summary.sms, without == 1 ? "gets" : "get"));
  }
  if (schedulers_without_warp(summary) > 0) parts.push_back("an SM has fewer warps than schedulers");
  return parts.empty() ? "" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace heddle::report
