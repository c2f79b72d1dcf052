#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/memory/bank_conflicts.h"
#include "tools/plot/palette.h"
#include "tools/plot/svg.h"
#include "tools/report/words.h"
#include "tools/show/coalescing.h"
#include "tools/show/lane_text.h"

namespace heddle::show {

namespace {

using report::Gap;
using report::Line;
using report::Table;

/// A word of a bank, and the lanes that share it.
struct Word {
  Addr number = 0;
  LaneMask lanes = 0;
};

/// By bank: its words, in the order in which lanes first name them. The n-th word of a bank is served in the
/// n-th pass.
using Banks = std::vector<std::vector<Word>>;

void add(Banks& banks, Addr word, unsigned lane) {
  std::vector<Word>& words = banks[word % banks.size()];
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.number == word; });
  Word& shared = found != words.end() ? *found : words.emplace_back(Word{word, 0});
  shared.lanes |= LaneMask{1} << lane;
}

Banks banks_of(const Access& access, const sim::SharedMemorySpec& spec) {
  Banks banks(spec.banks);
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Addr first = access.addresses[lane] / spec.bank_bytes;
    const Addr last = (access.addresses[lane] + access.bytes - 1) / spec.bank_bytes;
    for (Addr word = first; word <= last; ++word) add(banks, word, lane);
  });
  return banks;
}

std::size_t most_words(const Banks& banks) {
  std::size_t most = 0;
  for (const std::vector<Word>& words : banks) most = std::max(most, words.size());
  return most;
}

/// The lane that is shown of a word: '*' if all lanes of the warp share it.
char letter_of(const Word& word, const Access& access) {
  if (word.lanes == access.lanes && lane_count(word.lanes) > 1) return '*';
  return lane_letter(first_lane(word.lanes));
}

/// "word 0  | 0 1 2 3 ..."
std::string row_text(const Banks& banks, std::size_t row, const Access& access) {
  std::string text;
  for (const std::vector<Word>& words : banks)
    text += fmt::format("{} ", row < words.size() ? letter_of(words[row], access) : '.');
  return text;
}

/// The tens and the ones of bank numbers, one below the other.
std::string ruler_text(std::size_t banks, std::size_t divisor) {
  std::string text;
  for (std::size_t bank = 0; bank < banks; ++bank) text += fmt::format("{} ", bank / divisor % 10);
  return text;
}

std::string counts_text(const Access& access, const sim::GpuSpec& spec) {
  const sim::BankPasses passes = sim::bank_passes(access.lane_access(), spec.sm.shared);
  return fmt::format("{} lanes, {} bytes each: {} over {} banks of {} bytes, {} of them for conflicts",
                     lane_count(access.lanes), access.bytes,
                     passes.all == 1 ? "1 pass" : fmt::format("{} passes", passes.all), spec.sm.shared.banks,
                     spec.sm.shared.bank_bytes, passes.for_conflicts);
}

/// A column of the table's text for each bank; the numbers of banks stand above, tens over ones.
Table grid_of(const Banks& banks, const Access& access) {
  constexpr std::size_t kTen = 10;
  Table table{{"bank", ruler_text(banks.size(), kTen)}, {{"", ruler_text(banks.size(), 1)}}};
  table.ends_in_text = true;
  for (std::size_t row = 0; row < most_words(banks); ++row)
    table.rows.push_back({fmt::format("word {:2}", row + 1), row_text(banks, row, access)});
  return table;
}

Table accesses_table(const ShownAccesses& shown) {
  Table table{{"access", "times", "lanes", "passes", "instruction"}, {}};
  table.ends_in_text = true;
  for (std::size_t i = 0; i < shown.accesses.size(); ++i) {
    const Access& access = shown.accesses[i];
    table.rows.push_back({fmt::format("{}{}", i, i == shown.chosen ? " <- below" : ""),
                          report::grouped(access.times), fmt::format("{}", lane_count(access.lanes)),
                          fmt::format("{}", access.cost), shown.instruction(access.pc)});
  }
  return table;
}

/// Banks from left to right; a cell for each word that a bank has to read, with the lane's number.
std::string drawn(const ShownAccesses& shown, const Access& access, const Banks& banks,
                  const sim::GpuSpec& spec) {
  constexpr double kCell = 24;
  constexpr double kLeft = 80;
  constexpr double kTop = 100;
  const double width = kLeft + kCell * static_cast<double>(banks.size()) + 24;
  const double height = kTop + kCell * static_cast<double>(most_words(banks)) + 24;
  plot::Svg svg(width, height, access_title("Banks", shown));
  svg.text({24, 28}, access_title("Banks", shown), {.size = 15, .is_bold = true});
  svg.text({24, 50}, counts_text(access, spec));
  svg.text({24, kTop - 10}, "bank");
  for (std::size_t bank = 0; bank < banks.size(); ++bank) {
    const double x = kLeft + kCell * static_cast<double>(bank);
    svg.text({x + kCell / 2, kTop - 10}, fmt::format("{}", bank),
             {.anchor = plot::Anchor::Middle, .size = 10});
    for (std::size_t row = 0; row < banks[bank].size(); ++row) {
      const double y = kTop + kCell * static_cast<double>(row);
      const LaneMask lanes = banks[bank][row].lanes;
      // Every word after a bank's first has to wait for another pass.
      svg.rectangle({x, y}, kCell - 2, kCell - 2, plot::kPalette[row == 0 ? 0 : 1]);
      svg.text({x + kCell / 2 - 1, y + 15},
               fmt::format("{}{}", first_lane(lanes), lane_count(lanes) > 1 ? "+" : ""),
               {.anchor = plot::Anchor::Middle, .size = 10, .colour = "#ffffff"});
    }
  }
  for (std::size_t row = 0; row < most_words(banks); ++row)
    svg.text({24, kTop + kCell * static_cast<double>(row) + 15}, fmt::format("word {}", row + 1));
  return svg.document();
}

}  // namespace

std::uint64_t passes_of(const Access& access, const sim::GpuSpec& spec) {
  return sim::bank_passes(access.lane_access(), spec.sm.shared).all;
}

Picture banks_picture(const ShownAccesses& shown, const sim::GpuSpec& spec) {
  const Access& access = shown.accesses.at(shown.chosen);
  const Banks banks = banks_of(access, spec.sm.shared);
  Picture picture;
  picture.text.items.emplace_back(Line{{access_title("Banks", shown)}, true, false});
  picture.text.items.emplace_back(accesses_table(shown));
  picture.text.items.emplace_back(Gap{});
  picture.text.items.emplace_back(Line{{counts_text(access, spec)}, false, false});
  picture.text.items.emplace_back(Gap{});
  picture.text.items.emplace_back(grid_of(banks, access));
  picture.text.items.emplace_back(
      Line{{"A lane is 0-9, a-z (10 to 35), A-Z; of lanes that share a word, the first; * is all."},
           false,
           false});
  picture.svg = drawn(shown, access, banks, spec);
  return picture;
}

}  // namespace heddle::show
