#include "tools/report/timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {

namespace {

constexpr char kIssued = '#';
constexpr char kFinished = '.';
constexpr std::size_t kNameWidth = 24;
constexpr Cycle kTick = 10;

/// Cycle numbers, and marks below them.
std::string ruler(sim::CycleRange range) {
  std::string numbers(kNameWidth, ' ');
  std::string marks(kNameWidth, ' ');
  for (Cycle cycle = range.from; cycle < range.until; ++cycle) {
    const bool marked = cycle % kTick == 0;
    const std::size_t column = kNameWidth + (cycle - range.from);
    marks += marked ? '|' : ' ';
    if (marked && numbers.size() <= column)
      numbers += fmt::format("{:{}}{}", "", column - numbers.size(), cycle);
  }
  return fmt::format("{}\n{}\n", numbers, marks);
}

/// Lane 0 first, as lanes stand in memory.
std::string mask_text(LaneMask mask, unsigned lanes) {
  std::string text;
  for (unsigned lane = 0; lane < lanes; ++lane) text += (mask >> lane & 1) != 0 ? '1' : '.';
  return text;
}

}  // namespace

void Timeline::warp_issued(const sim::WarpIssued& issued) {
  if (issued.sm != sm_) return;
  first_issue_ = std::min(first_issue_, issued.cycle);
  last_issue_ = std::max(last_issue_, issued.cycle);
  if (!range_.contains(issued.cycle)) return;
  issues_.push_back(issued);
  row(issued.slot, issued.block, issued.warp_in_block)[issued.cycle - range_.from] = kIssued;
}

void Timeline::warp_sampled(const sim::WarpSampled& sampled) {
  if (sampled.sm == sm_) last_sample_ = std::max(last_sample_, sampled.cycle);
  if (sampled.sm != sm_ || sampled.state == sim::WarpSampled::State::Issued) return;
  char& cell = row(sampled.slot, sampled.block, sampled.warp_in_block)[sampled.cycle - range_.from];
  if (sampled.state == sim::WarpSampled::State::Finished) {
    cell = kFinished;
  } else {
    cell = ir::info(sampled.stall).letter;
    seen_.insert(sampled.stall);
  }
}

std::string& Timeline::row(WarpSlot slot, BlockId block, std::uint32_t warp_in_block) {
  std::string& cells = rows_[{slot % schedulers_, slot, block, warp_in_block}];
  if (cells.empty()) cells.assign(range_.until - range_.from, ' ');
  return cells;
}

void Timeline::end_at(Cycle cycles) {
  if (cycles <= range_.from || cycles >= range_.until) return;
  range_.until = cycles;
  for (auto& [name, cells] : rows_) cells.resize(range_.until - range_.from);
}

void Timeline::end_where_heard() {
  if (!rows_.empty()) end_at(std::max(last_sample_, last_issue_) + 1);
}

std::string Timeline::text() const {
  std::string text = fmt::format("SM {}, cycles {} to {}\n", sm_, range_.from, range_.until - 1);
  if (rows_.empty()) return fmt::format("{}no warp is resident: {}\n", text, whereabouts());
  text += ruler(range_);
  WarpSlot scheduler = ~WarpSlot{0};
  for (const auto& [name, cells] : rows_) {
    if (name.scheduler != scheduler) text += fmt::format("scheduler {}\n", scheduler = name.scheduler);
    text += fmt::format("  {:<{}}{}\n", fmt::format("block {} warp {}", name.block, name.warp_in_block),
                        kNameWidth - 2, cells);
  }
  return text + legend();
}

std::string Timeline::whereabouts() const {
  if (first_issue_ == kNever) return "the SM gets no block";
  return fmt::format("those of this SM issue from cycle {} to {}", first_issue_, last_issue_);
}

std::string Timeline::legend() const {
  std::string text = fmt::format("{} issued\n", kIssued);
  for (const ir::StallReason reason : seen_) {
    text +=
        fmt::format("{} {}: {}\n", ir::info(reason).letter, ir::info(reason).key, ir::info(reason).summary);
  }
  return text + fmt::format("{} finished, the block is not; blank: not resident\n", kFinished);
}

std::string Timeline::issues_text(unsigned warp_size,
                                  const std::function<std::string(Pc)>& instruction) const {
  std::string text = fmt::format("{:>10}  {:<22}{:>5}  {:<{}}  instruction\n", "cycle", "warp", "lanes",
                                 "active, lane 0 first", warp_size);
  for (const sim::WarpIssued& issue : issues_) {
    text += fmt::format("{:>10}  {:<22}{:>5}  {:<{}}  {}\n", issue.cycle,
                        fmt::format("block {} warp {}", issue.block, issue.warp_in_block),
                        lane_count(issue.active), mask_text(issue.active, warp_size), warp_size,
                        instruction(issue.pc));
  }
  return text;
}

}  // namespace heddle::report
