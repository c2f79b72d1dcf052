#include "tools/show/scheduling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/ir/stall_reason.h"
#include "tools/plot/palette.h"
#include "tools/plot/svg.h"

namespace heddle::show {

namespace {

constexpr char kIssued = '#';
constexpr char kReady = 'n';

std::string title_of(const ShownSchedule& shown) {
  return fmt::format("Scheduling: {} on {}, policy {}", shown.launch, shown.gpu, shown.policy);
}

/// What a letter of the timeline means.
std::string meaning_of(char letter) {
  if (letter == kIssued) return "issued";
  if (letter == '.') return "finished, the block is not";
  for (const ir::StallReasonInfo& stall : ir::kStallReasonTable) {
    if (stall.letter == letter) return fmt::format("{}: {}", stall.key, stall.summary);
  }
  return {};
}

std::string_view colour_of(char letter) {
  if (letter == kIssued) return plot::kPalette[0];
  if (letter == kReady) return plot::kPalette[4];
  return letter == '.' ? "#f2f2f2" : "#c8c8c8";
}

constexpr double kCell = 22;
constexpr double kNames = 170;
constexpr double kTop = 90;

void draw_row(plot::Svg& svg, const report::Timeline::Row& row, double y) {
  svg.text({16, y + 15}, row.name);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const char letter = row.cells[i];
    if (letter == ' ') continue;
    const double x = kNames + kCell * static_cast<double>(i);
    svg.rectangle({x, y}, kCell - 2, kCell - 2, colour_of(letter));
    svg.text(
        {x + kCell / 2 - 1, y + 15}, std::string(1, letter),
        {.anchor = plot::Anchor::Middle, .size = 11, .colour = letter == kIssued ? "#ffffff" : "#000000"});
  }
}

std::string drawn(const ShownSchedule& shown, const report::Timeline& timeline) {
  const std::vector<report::Timeline::Row> rows = timeline.rows();
  std::string letters;
  for (const report::Timeline::Row& row : rows) {
    for (const char letter : row.cells) {
      if (letter != ' ' && letters.find(letter) == std::string::npos) letters += letter;
    }
  }
  const auto cycles = static_cast<double>(timeline.range().until - timeline.range().from);
  const double below = kTop + kCell * static_cast<double>(rows.size()) + 16;
  plot::Svg svg(std::max(640.0, kNames + kCell * cycles + 16),
                below + kCell * static_cast<double>(letters.size()) + 8, title_of(shown));
  svg.text({16, 28}, title_of(shown), {.size = 15, .is_bold = true});
  svg.text({16, kTop - 12}, "cycle");
  constexpr Cycle kTick = 5;
  for (Cycle i = 0; i < timeline.range().until - timeline.range().from; ++i) {
    if (i % kTick == 0)
      svg.text({kNames + kCell * (static_cast<double>(i) + 0.5) - 1, kTop - 12},
               fmt::format("{}", timeline.range().from + i), {.anchor = plot::Anchor::Middle, .size = 11});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) draw_row(svg, rows[i], kTop + kCell * static_cast<double>(i));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const double y = below + kCell * static_cast<double>(i);
    svg.rectangle({16, y}, kCell - 2, kCell - 2, colour_of(letters[i]));
    svg.text({26, y + 15}, std::string(1, letters[i]),
             {.anchor = plot::Anchor::Middle,
              .size = 11,
              .colour = letters[i] == kIssued ? "#ffffff" : "#000000"});
    svg.text({48, y + 15}, meaning_of(letters[i]));
  }
  return svg.document();
}

}  // namespace

Picture schedule_picture(const ShownSchedule& shown, const report::Timeline& timeline, std::size_t columns) {
  return {{},
          drawn(shown, timeline),
          fmt::format("{}\n\n{}\n{}", title_of(shown), timeline.text(columns),
                      timeline.issues_text(shown.warp_size, shown.instruction, columns))};
}

}  // namespace heddle::show
