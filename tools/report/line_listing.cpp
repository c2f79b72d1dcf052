#include "tools/report/line_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/report/line_cause.h"
#include "tools/report/line_notes.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// From this share of the issue slots on, a line matters: it was issued in them, or they were lost there.
constexpr double kMatters = 0.005;
/// Lines around one that matters, for orientation.
constexpr std::uint32_t kContext = 1;

std::uint64_t lost_for(const sim::LineFigures& line) { return line.cost.slots.sum(); }

double share_of(const Summary& summary, std::uint64_t slots) {
  return ratio(slots, summary.ledgers.issue_slots.total).value_or(0);
}

/// "8", "12.3k", "3.95M": three digits in six columns.
std::string short_count(std::uint64_t count) {
  constexpr std::string_view kUnits = "kMGTPE";
  constexpr double kStep = 1000;
  constexpr double kRounded = 999.5;
  if (count < 10000) return fmt::format("{}", count);
  auto amount = static_cast<double>(count);
  std::size_t unit = 0;
  for (amount /= kStep; amount >= kRounded; amount /= kStep) ++unit;
  const int digits = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", amount, digits, kUnits[unit]);
}

std::string mean_lanes(const sim::PcCounters& counters) {
  return decimal(ratio(counters.lane_slots[sim::LaneSlotPart::Executed], counters.issued), 1);
}

/// What is shown beside a line.
struct Cells {
  std::string lost;
  std::string reason;
  std::string issued;
  std::string lanes;
};

Cells cells_of(const Summary& summary, const sim::LineFigures& line) {
  const auto first = sim::first_reason(line.cost.slots);
  return {percent(share_of(summary, lost_for(line))), first ? key_text(first->key) : "",
          short_count(line.counters.issued), mean_lanes(line.counters)};
}

std::string without_tabs(std::string_view text) {
  constexpr std::size_t kTab = 4;
  std::string result;
  for (const char c : text)
    result += c == '\t' ? std::string(kTab - result.size() % kTab, ' ') : std::string(1, c);
  return printable(result);
}

/// Lists one file.
class FileListing {
 public:
  FileListing(const Summary& summary, const LineProfile& profile, std::uint32_t file, const TextStyle& style,
              bool all)
      : summary_(summary), profile_(profile), file_(file), style_(style) {
    for (const sim::LineFigures& line : profile_.lines) {
      if (line.place.file == file && line.place.line != 0) lines_.push_back(&line);
    }
    const auto worst = sim::worst_first(profile_.lines, summary.warp_size);
    if (!worst.empty()) worst_ = worst.front();
    choose(all);
    measure();
  }

  [[nodiscard]] std::string text() const {
    if (lines_.empty()) return {};
    const std::string head = fmt::format("Lines of {}: the share of issue slots lost for each, to what first",
                                         profile_.files[file_].short_name());
    std::string text = shortened(head, style_.columns) + '\n' + heading();
    std::uint32_t next = shown_.empty() ? 0 : *shown_.begin();
    for (const std::uint32_t number : shown_) {
      if (number != next)
        text += std::string(source_column_ - kGapMark.size() - 2, ' ') + std::string(kGapMark) + '\n';
      text += row(number);
      next = number + 1;
    }
    return text;
  }

 private:
  static constexpr std::string_view kGapMark = "...";
  static constexpr std::size_t kLostColumns = 7;
  static constexpr std::size_t kIssuedColumns = 7;
  static constexpr std::size_t kLanesColumns = 6;

  [[nodiscard]] bool matters(const sim::LineFigures& line) const {
    return share_of(summary_, lost_for(line) + line.counters.issued) >= kMatters ||
           late_share(summary_, line) >= kMatters;
  }

  [[nodiscard]] const sim::LineFigures* find(std::uint32_t number) const {
    const auto found =
        std::lower_bound(lines_.begin(), lines_.end(), number,
                         [](const auto* line, std::uint32_t n) { return line->place.line < n; });
    return found == lines_.end() || (*found)->place.line != number ? nullptr : *found;
  }

  void choose(bool all) {
    if (lines_.empty()) return;
    const std::uint32_t first = lines_.front()->place.line;
    const std::uint32_t last = lines_.back()->place.line;
    for (const sim::LineFigures* line : lines_) {
      if (all) shown_.insert(line->place.line);
      if (all || !matters(*line)) continue;
      const std::uint32_t number = line->place.line;
      for (std::uint32_t n = std::max(number, first + kContext) - kContext;
           n <= std::min(number + kContext, last); ++n)
        shown_.insert(n);
    }
    for (std::uint32_t n = first; all && n <= last && n <= profile_.files[file_].lines.size(); ++n)
      shown_.insert(n);
  }

  /// How wide the columns are, and by how much all lines are indented.
  void measure() {
    std::size_t indent = style_.columns;
    for (const std::uint32_t number : shown_) {
      const std::string text = without_tabs(profile_.files[file_].line(number));
      indent = std::min(indent, std::min(text.find_first_not_of(' '), style_.columns));
      const sim::LineFigures* line = find(number);
      if (line != nullptr)
        reason_columns_ = std::max(reason_columns_, cells_of(summary_, *line).reason.size());
    }
    indent_ = indent == style_.columns ? 0 : indent;
    const std::uint32_t last = shown_.empty() ? 0 : *shown_.rbegin();
    number_columns_ = std::max<std::size_t>(fmt::format("{}", last).size(), 4);
    source_column_ = left_columns() + 2 + number_columns_ + 2;
  }

  [[nodiscard]] std::size_t left_columns() const {
    return kLostColumns + 1 + reason_columns_ + kIssuedColumns + kLanesColumns;
  }

  [[nodiscard]] std::string left(const Cells& cells) const {
    return pad_left(cells.lost, kLostColumns) + ' ' + pad_right(cells.reason, reason_columns_) +
           pad_left(cells.issued, kIssuedColumns) + pad_left(cells.lanes, kLanesColumns);
  }

  [[nodiscard]] std::string heading() const {
    return left({"lost", "", "issued", "lanes"}) + "  " + pad_left("line", number_columns_) + '\n';
  }

  [[nodiscard]] std::string row(std::uint32_t number) const {
    const sim::LineFigures* line = find(number);
    const bool is_worst = line != nullptr && line == worst_;
    std::string text = line == nullptr ? std::string(left_columns(), ' ') : left(cells_of(summary_, *line));
    text += is_worst ? " >" : "  ";
    text += pad_left(fmt::format("{}", number), number_columns_) + "  ";
    const std::string source = without_tabs(profile_.files[file_].line(number));
    text += shortened(source.substr(std::min(indent_, source.size())),
                      style_.columns - std::min(source_column_, style_.columns));
    trim_end(text);
    return text + '\n' + (line != nullptr && matters(*line) ? notes(*line) : "");
  }

  [[nodiscard]] std::string notes(const sim::LineFigures& line) const {
    std::vector<std::string> all = access_notes(line.counters);
    if (const double late = late_share(summary_, line); late >= kMatters)
      all.push_back(fmt::format("memory busy after all blocks: {}", percent(late)));
    std::string text;
    for (const std::string& note : all) {
      const std::size_t column = std::min(source_column_, style_.columns - text_width(note));
      text += std::string(column, ' ') + note + '\n';
    }
    return text;
  }

  const Summary& summary_;
  const LineProfile& profile_;
  std::uint32_t file_;
  const TextStyle& style_;
  std::vector<const sim::LineFigures*> lines_;  // of this file, in order
  const sim::LineFigures* worst_ = nullptr;
  std::set<std::uint32_t> shown_;
  std::size_t reason_columns_ = 6;
  std::size_t number_columns_ = 4;
  std::size_t source_column_ = 0;
  std::size_t indent_ = 0;
};

/// Says where all issue slots are: the parts add up to all of them.
std::string sum_text(const Summary& summary, const LineProfile& profile) {
  std::uint64_t known = 0;
  std::uint64_t elsewhere = 0;
  for (const sim::LineFigures& line : profile.lines)
    (line.place.line == 0 ? elsewhere : known) += lost_for(line);
  const sim::IssueSlots& slots = summary.total.issue_slots;
  std::string text = fmt::format("Of all issue slots {} issue, {} are lost at these lines",
                                 percent(share_of(summary, slots.issued)), percent(share_of(summary, known)));
  if (elsewhere != 0)
    text += fmt::format(", {} at instructions of no known line", percent(share_of(summary, elsewhere)));
  return text + fmt::format(", {} without a warp.", percent(share_of(summary, slots.no_warp)));
}

}  // namespace

std::string line_listing(const Summary& summary, const LineProfile& profile, const TextStyle& style,
                         bool all) {
  std::string text;
  for (std::uint32_t file = 0; file < profile.files.size(); ++file) {
    const std::string listing = FileListing(summary, profile, file, style, all).text();
    if (!text.empty() && !listing.empty()) text += '\n';
    text += listing;
  }
  for (const std::string& line : wrapped_lines(sum_text(summary, profile), style.columns, style.columns))
    text += line + '\n';
  return text;
}

std::string worst_line_text(const Summary& summary, const LineProfile& profile) {
  const auto worst = sim::worst_first(profile.lines, summary.warp_size);
  if (worst.empty()) return {};
  const sim::LineFigures& line = *worst.front();
  if (!is_worth_naming(summary, line)) return {};
  const sim::Cost& cost = line.cost;
  std::string text = profile.name_of(line.place);
  text.front() = 'L';
  if ((cost.slots.sum() + cost.late) * summary.warp_size < cost.lanes)
    text += fmt::format(": {} of the lanes that could work do not because of it",
                        whole_percent(cost_share(summary, line)));
  else if (cost.late > cost.slots.sum())
    text += fmt::format(": memory finishes what it asked for in {} of the time, after all blocks",
                        whole_percent(late_share(summary, line)));
  else
    text += fmt::format(": {} of issue slots are lost for it, most to {}",
                        whole_percent(share_of(summary, cost.slots.sum())),
                        key_text(sim::first_reason(cost.slots)->key));
  for (const FoundCause& cause : line_causes(summary, line)) text += fmt::format("; {}", cause.text);
  return text + '.';
}

}  // namespace heddle::report
