#include "sim/memory/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::sim {

namespace {

constexpr unsigned kMostWords = kMaxWarpSize * 16;  // 16 bytes a lane, banks of one byte
constexpr unsigned kMostBanks = 1024;

/// The words of all lanes, in the order of the lanes; how many there are.
unsigned list_words(const LaneAccess& access, unsigned bank_shift, std::array<Addr, kMostWords>& words) {
  unsigned count = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Addr last = (access.addresses[lane] + (access.bytes - 1)) >> bank_shift;
    for (Addr word = access.addresses[lane] >> bank_shift; word <= last; ++word) words[count++] = word;
  });
  return count;
}

/// Whether all lanes' words lie within one row of the banks, wherever it begins: no two of them share a bank.
bool lie_in_a_row(const LaneAccess& access, unsigned bank_shift, std::uint32_t banks) {
  const Addr last = access.span.greatest + (access.bytes - 1);
  return last >= access.span.least && (last >> bank_shift) - (access.span.least >> bank_shift) < banks;
}

std::uint32_t bank_of(Addr word, std::uint32_t banks) {
  return static_cast<std::uint32_t>(word) & (banks - 1);  // banks is a power of 2
}

/// The most words of one bank that are not the same. Each bank has a list of those it was asked for.
unsigned most_distinct_in_a_bank(const Addr* words, unsigned count, std::uint32_t banks) {
  constexpr std::uint16_t kEnd = 0xffff;
  std::array<std::uint16_t, kMostBanks> newest;
  std::array<std::uint16_t, kMostBanks> in_bank;
  std::array<std::uint16_t, kMostWords> older;
  std::fill_n(newest.begin(), banks, kEnd);
  std::fill_n(in_bank.begin(), banks, std::uint16_t{0});
  unsigned most = 1;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t bank = bank_of(words[i], banks);
    std::uint16_t same = newest[bank];
    while (same != kEnd && words[same] != words[i]) same = older[same];
    if (same != kEnd) continue;
    older[i] = std::exchange(newest[bank], static_cast<std::uint16_t>(i));
    most = std::max<unsigned>(most, ++in_bank[bank]);
  }
  return most;
}

unsigned most_in_a_bank(const Addr* words, const Addr* end, std::uint32_t banks) {
  std::array<std::uint16_t, kMostBanks> in_bank;
  std::fill_n(in_bank.begin(), banks, std::uint16_t{0});
  unsigned most = 1;
  for (; words != end; ++words) most = std::max<unsigned>(most, ++in_bank[bank_of(*words, banks)]);
  return most;
}

/// The words of a few stretches of bytes.
class Stretches {
 public:
  Stretches(const LaneAccess& access, unsigned bank_shift) {
    for_each_stretch(access, [&](Addr first, Addr last) {
      if (count_ < kMost) list_[count_] = {first >> bank_shift, (last >> bank_shift) - (first >> bank_shift) + 1};
      ++count_;
    });
  }

  /// The most words in one bank; 0 where that is not to be told: of too many stretches, or some that share
  /// words. Of arcs on a circle, the most lie one upon the other where one of them begins.
  [[nodiscard]] unsigned most_in_a_bank(std::uint32_t banks) const {
    if (count_ > kMost) return 0;
    Addr most = 0;
    for (unsigned i = 0; i < count_; ++i) {
      Addr here = 0;
      for (unsigned j = 0; j < count_; ++j) {
        const Addr way = list_[i].first - list_[j].first;
        if (i != j && way < list_[j].words) return 0;
        here += list_[j].words / banks + (bank_of(way, banks) < bank_of(list_[j].words, banks) ? 1 : 0);
      }
      most = std::max(most, here);
    }
    return static_cast<unsigned>(most);
  }

 private:
  struct Stretch {
    Addr first = 0;
    Addr words = 0;
  };

  static constexpr unsigned kMost = 8;

  unsigned count_ = 0;
  std::array<Stretch, kMost> list_{};
};

/// Whether pairs of lanes so far apart, 1 or 2, name one address each, wherever both lanes are there.
bool agree_in_pairs(const LaneAccess& access, unsigned distance) {
  constexpr LaneMask kFirstOfPair[] = {0, 0x5555555555555555, 0x3333333333333333};
  LaneMask pairs = access.lanes & access.lanes >> distance & kFirstOfPair[distance];
  for (; pairs != 0; pairs &= pairs - 1) {
    const unsigned lane = first_lane(pairs);
    if (access.addresses[lane] != access.addresses[lane + distance]) return false;
  }
  return true;
}

/// How many lanes fill the banks: what one request serves of elements wider than a bank.
unsigned lanes_that_fill(const LaneAccess& access, const SharedMemorySpec& spec) {
  if (access.bytes <= spec.bank_bytes) return kMaxWarpSize;
  return std::max(1U, spec.banks * spec.bank_bytes / access.bytes);
}

void add(BankPasses& sum, const BankPasses& passes) {
  sum.all += passes.all;
  sum.for_conflicts += passes.for_conflicts;
}

unsigned passes_of_request(const LaneAccess& access, const SharedMemorySpec& spec) {
  const auto bank_shift = static_cast<unsigned>(std::countr_zero(spec.bank_bytes));
  if (access.span.consecutive) {
    const Addr first = access.addresses[first_lane(access.lanes)];
    const Addr last = first + Addr{lane_count(access.lanes)} * access.bytes - 1;
    return static_cast<unsigned>(divide_up((last >> bank_shift) - (first >> bank_shift) + 1, spec.banks));
  }
  if (lie_in_a_row(access, bank_shift, spec.banks)) return 1;
  if (const unsigned most = Stretches(access, bank_shift).most_in_a_bank(spec.banks); most != 0) return most;
  std::array<Addr, kMostWords> words;
  const unsigned count = list_words(access, bank_shift, words);
  return most_distinct_in_a_bank(words.data(), count, spec.banks);
}

/// All of them, and which are for conflicts: of one pass, none is.
BankPasses told_apart(unsigned all, const LaneAccess& access, const SharedMemorySpec& spec) {
  if (all == 1) return {};
  const unsigned lanes = std::min(lane_count(access.lanes), lanes_that_fill(access, spec));
  const std::uint64_t row = std::uint64_t{spec.banks} * spec.bank_bytes;
  const auto side_by_side = static_cast<unsigned>(divide_up(std::uint64_t{lanes} * access.bytes, row));
  return {all, all - std::min(all, side_by_side)};
}

BankPasses passes_of_requests(const LaneAccess& access, unsigned lanes, const SharedMemorySpec& spec) {
  if (access.lanes == 0) return {};
  if (lanes >= kMaxWarpSize) return told_apart(passes_of_request(access, spec), access, spec);
  BankPasses passes{0, 0};
  for (unsigned first = 0; first < kMaxWarpSize; first += lanes) {
    LaneAccess request = access;
    request.lanes &= first_lanes(lanes) << first;
    if (request.lanes != 0) add(passes, told_apart(passes_of_request(request, spec), request, spec));
  }
  return passes;
}

}  // namespace

BankPasses bank_passes(const LaneAccess& access, const SharedMemorySpec& spec) {
  const unsigned lanes = lanes_that_fill(access, spec);
  const bool joined = lanes < kMaxWarpSize && (agree_in_pairs(access, 1) || agree_in_pairs(access, 2));
  return passes_of_requests(access, joined ? 2 * lanes : lanes, spec);
}

unsigned cache_passes(const LaneAccess& access, const SharedMemorySpec& spec) {
  return passes_of_requests(access, lanes_that_fill(access, spec), spec).all;
}

BankPasses matrix_passes(const LaneAccess& access, unsigned matrices, const SharedMemorySpec& spec) {
  constexpr unsigned kLanes = 32;  // that share a matrix
  constexpr unsigned kRows = 8;
  BankPasses passes{0, 0};
  for (unsigned first = 0; first < kMaxWarpSize; first += kLanes) {
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      LaneAccess rows = access;
      rows.lanes &= first_lanes(kRows) << (first + matrix * kRows);
      rows.span = span_of(rows.addresses, rows.lanes, rows.bytes);
      if (rows.lanes != 0) add(passes, bank_passes(rows, spec));
    }
  }
  return passes.all == 0 ? BankPasses{} : passes;
}

BankPasses atomic_passes(const LaneAccess& access, const SharedMemorySpec& spec) {
  std::array<Addr, kMostWords> words;
  const auto bank_shift = static_cast<unsigned>(std::countr_zero(spec.bank_bytes));
  const unsigned count = list_words(access, bank_shift, words);
  return told_apart(most_in_a_bank(words.begin(), words.begin() + count, spec.banks), access, spec);
}

}  // namespace heddle::sim
