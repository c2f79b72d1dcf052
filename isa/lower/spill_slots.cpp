#include "isa/lower/spill_slots.h"

#include <algorithm>
#include <bit>
#include <map>

namespace heddle::lower {

namespace {

constexpr std::uint32_t kNoWord = ~std::uint32_t{0};

}  // namespace

SpillSlots::SpillSlots(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                       const std::vector<std::uint32_t>& spilled)
    : words_(webs.list.size(), kNoWord), units_(units.count()), is_spilled_(units.count(), false) {
  for (const std::uint32_t unit : spilled) is_spilled_[unit] = true;
  lay_out(kernel, webs, units);
  find_lives(webs, units);
  place(webs, units, spilled);
}

/// The first instruction that takes a value as a run decides how its words lie.
void SpillSlots::lay_out(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units) {
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const std::span<const Access> accesses = webs.accesses.of(pc);
    for (std::size_t begin = 0; begin < accesses.size();) {
      std::size_t end = begin + 1;
      while (end < accesses.size() && accesses[end].run == accesses[begin].run) ++end;
      Unit& unit = units_[units.of(accesses[begin].number)];
      const bool is_new = std::all_of(accesses.begin() + static_cast<std::ptrdiff_t>(begin),
                                      accesses.begin() + static_cast<std::ptrdiff_t>(end),
                                      [this](const Access& each) { return words_[each.number] == kNoWord; });
      const auto count = static_cast<std::uint32_t>(end - begin);
      if (is_new) unit.words = static_cast<std::uint32_t>(round_up(unit.words, std::bit_ceil(count)));
      for (; begin < end; ++begin) {
        if (words_[accesses[begin].number] == kNoWord) words_[accesses[begin].number] = unit.words++;
      }
    }
  }
}

/// A place behind an instruction is odd, one before it even.
void SpillSlots::find_lives(const Webs& webs, const SpillUnits& units) {
  const auto note = [&](Web web, std::uint64_t at) {
    Unit& unit = units_[units.of(web)];
    unit.first = std::min(unit.first, at);
    unit.last = std::max(unit.last, at);
  };
  for (std::size_t block = 0; block < webs.graph.blocks.size(); ++block) {
    const cfg::BasicBlock& row = webs.graph.blocks[block];
    for (Pc pc = row.begin; pc < row.end; ++pc) {
      for (const Access& access : webs.accesses.of(pc))
        note(access.number, 2 * std::uint64_t{pc} + (access.is_written ? 1 : 0));
    }
    for (const Web web : webs.live_out[block]) {
      if (!is_spilled_[units.of(web)]) continue;
      note(web, 2 * std::uint64_t{row.end});
      for (const cfg::BlockIndex next : row.successors)
        note(web, 2 * std::uint64_t{webs.graph.blocks[next].begin});
    }
  }
}

/// Values of one size take turns in one place.
void SpillSlots::place(const Webs& webs, const SpillUnits& units, const std::vector<std::uint32_t>& spilled) {
  std::vector<std::uint32_t> order = spilled;
  std::sort(order.begin(), order.end(), [this](std::uint32_t one, std::uint32_t other) {
    return std::pair(units_[one].first, one) < std::pair(units_[other].first, other);
  });
  // By size: the end of the last life in each place, and where the place is.
  std::map<std::uint32_t, std::multimap<std::uint64_t, std::uint32_t>> places;
  std::vector<std::uint32_t> base_of(units.count(), 0);
  for (const std::uint32_t index : order) {
    const Unit& unit = units_[index];
    const std::uint32_t size = std::bit_ceil(std::max(unit.words, 1U));
    auto& free = places[size];
    std::uint32_t base = 0;
    if (!free.empty() && free.begin()->first < unit.first) {
      base = free.begin()->second;
      free.erase(free.begin());
    } else {
      base = static_cast<std::uint32_t>(round_up(total_, std::min(size, 4U)));
      total_ = base + size;
    }
    free.emplace(unit.last, base);
    base_of[index] = base;
  }
  for (Web web = 0; web < webs.list.size(); ++web) {
    if (is_spilled_[units.of(web)]) words_[web] += base_of[units.of(web)];
  }
}

}  // namespace heddle::lower
