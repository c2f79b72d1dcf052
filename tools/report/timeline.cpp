#include "tools/report/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

constexpr char kIssued = '#';
constexpr char kFinished = '.';
constexpr std::size_t kNameWidth = 24;
constexpr Cycle kTick = 10;

/// Cycle numbers, and marks below them.
std::string ruler(sim::CycleRange range, std::size_t names) {
  std::string numbers(names, ' ');
  std::string marks(names, ' ');
  for (Cycle cycle = range.from; cycle < range.until; ++cycle) {
    const bool marked = cycle % kTick == 0;
    const std::size_t column = names + (cycle - range.from);
    const std::string number = fmt::format("{}", cycle);
    marks += marked ? '|' : ' ';
    // The last number may be wider than the rest of the piece.
    const bool has_room =
        numbers.size() <= column && column + number.size() <= names + range.until - range.from;
    if (marked && (has_room || numbers.size() == names))
      numbers += fmt::format("{:{}}{}", "", column - std::min(numbers.size(), column), number);
  }
  return fmt::format("{}\n{}\n", numbers, marks);
}

/// Pieces as wide as there is room for. All but the first begin at a tick.
std::vector<sim::CycleRange> pieces_of(sim::CycleRange range, std::size_t room) {
  if (range.until - range.from <= room) return {range};
  const Cycle width = std::max<Cycle>(room / kTick * kTick, kTick);
  std::vector<sim::CycleRange> pieces;
  for (Cycle from = range.from; from < range.until;) {
    const Cycle until = std::min(range.until, (from / kTick) * kTick + width);
    pieces.push_back({from, until});
    from = until;
  }
  return pieces;
}

/// Lane 0 comes first, as lanes are ordered in memory.
std::string mask_text(LaneMask mask, unsigned lanes) {
  std::string text;
  for (unsigned lane = 0; lane < lanes; ++lane) text += (mask >> lane & 1) != 0 ? '1' : '.';
  return text;
}

std::string warp_name(BlockId block, std::uint32_t warp_in_block) {
  return fmt::format("block {} warp {}", block, warp_in_block);
}

/// The columns of the list of issues. An instruction that does not fit is continued below. If there is little
/// room, it takes the place of the mask, which is printed below.
class IssueList {
 public:
  IssueList(const std::vector<sim::WarpIssued>& issues, unsigned warp_size, std::size_t columns)
      : columns_(columns) {
    for (const sim::WarpIssued& issue : issues) {
      cycle_ = std::max(cycle_, fmt::formatted_size("{}", issue.cycle));
      warp_ = std::max(warp_, warp_name(issue.block, issue.warp_in_block).size());
    }
    mask_ = std::max<std::size_t>(warp_size, kMaskHeading);
    const std::size_t with_mask = before_mask() + mask_ + kGap + kLeastInstruction;
    if (with_mask > columns) mask_ = 0;
  }

  [[nodiscard]] std::string row(const std::string& cycle, const std::string& warp, const std::string& lanes,
                                const std::string& mask, const std::string& instruction) const {
    std::string line = fmt::format("{:>{}}  {:<{}}  {:>5}  ", cycle, cycle_, warp, warp_, lanes);
    if (mask_ != 0) line += fmt::format("{:<{}}  ", mask, mask_);
    const std::size_t indent = line.size();
    const std::size_t room = columns_ - std::min(columns_ - 1, indent);
    const std::vector<std::string> parts = wrapped_lines(instruction, room, room);
    line += parts[0] + '\n';
    for (std::size_t i = 1; i < parts.size(); ++i) line += fmt::format("{:{}}{}\n", "", indent, parts[i]);
    return mask_ != 0 ? line : fmt::format("{}{:{}}{}\n", line, "", cycle_ + kGap, mask);
  }

 private:
  static constexpr std::size_t kGap = 2;
  static constexpr std::size_t kLanes = 5;
  static constexpr std::size_t kMaskHeading = 20;
  static constexpr std::size_t kLeastInstruction = 14;

  [[nodiscard]] std::size_t before_mask() const { return cycle_ + kGap + warp_ + kGap + kLanes + kGap; }

  std::size_t columns_;
  std::size_t cycle_ = 5;
  std::size_t warp_ = 4;
  std::size_t mask_ = 0;  ///< 0 if the mask is printed below.
};

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

std::string Timeline::row_name(const WarpName& name) {
  return "  " + warp_name(name.block, name.warp_in_block);
}

std::vector<Timeline::Row> Timeline::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, cells] : rows_) rows.push_back({warp_name(name.block, name.warp_in_block), cells});
  return rows;
}

std::size_t Timeline::name_columns() const {
  std::size_t columns = kNameWidth;
  for (const auto& [name, cells] : rows_) columns = std::max(columns, row_name(name).size() + 1);
  return columns;
}

std::string Timeline::text(std::size_t columns) const {
  std::string text = fmt::format("SM {}, cycles {} to {}\n", sm_, range_.from, range_.until - 1);
  if (rows_.empty()) return fmt::format("{}no warp is resident: {}\n", text, whereabouts());
  const std::size_t names = name_columns();
  for (const sim::CycleRange& piece : pieces_of(range_, columns - std::min(names, columns)))
    text += piece_text(piece, names);
  return text + legend();
}

/// Warps that are not resident in any of the cycles have no row.
std::string Timeline::piece_text(sim::CycleRange piece, std::size_t names) const {
  std::string text = ruler(piece, names);
  WarpSlot scheduler = ~WarpSlot{0};
  for (const auto& [name, cells] : rows_) {
    const std::string shown = cells.substr(piece.from - range_.from, piece.until - piece.from);
    if (shown.find_first_not_of(' ') == std::string::npos) continue;
    if (name.scheduler != scheduler) text += fmt::format("scheduler {}\n", scheduler = name.scheduler);
    text += fmt::format("{:<{}}{}\n", row_name(name), names, shown);
  }
  return text;
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

std::string Timeline::issues_text(unsigned warp_size, const std::function<std::string(Pc)>& instruction,
                                  std::size_t columns) const {
  IssueList list(issues_, warp_size, columns);
  std::string text = list.row("cycle", "warp", "lanes", "active, lane 0 first", "instruction");
  for (const sim::WarpIssued& issue : issues_) {
    text += list.row(fmt::format("{}", issue.cycle), warp_name(issue.block, issue.warp_in_block),
                     fmt::format("{}", lane_count(issue.active)), mask_text(issue.active, warp_size),
                     instruction(issue.pc));
  }
  return text;
}

}  // namespace heddle::report
