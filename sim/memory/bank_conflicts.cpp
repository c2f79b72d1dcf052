#include "sim/memory/bank_conflicts.h"

#include <algorithm>
#include <array>

namespace heddle::sim {

namespace {

constexpr unsigned kMostWords = kMaxWarpSize * 16;  // 16 bytes a lane, banks of one byte
constexpr unsigned kMostBanks = 1024;

/// The words of all lanes, in the order of the lanes; how many there are.
unsigned list_words(const LaneAccess& access, unsigned bank_shift, std::array<Addr, kMostWords>& words) {
  const std::uint32_t words_per_lane = std::max(1U, access.bytes >> bank_shift);
  unsigned count = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    for (std::uint32_t i = 0; i < words_per_lane; ++i)
      words[count++] = (access.addresses[lane] >> bank_shift) + i;
  });
  return count;
}

/// Whether all lanes' words lie within one row of the banks, wherever it begins: no two of them share a bank.
bool lie_in_a_row(const LaneAccess& access, unsigned bank_shift, std::uint32_t banks) {
  Addr lowest = ~Addr{0};
  Addr highest = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    lowest = std::min(lowest, access.addresses[lane]);
    highest = std::max(highest, access.addresses[lane]);
  });
  return ((highest + access.bytes - 1) >> bank_shift) - (lowest >> bank_shift) < banks;
}

unsigned most_in_a_bank(const Addr* words, const Addr* end, std::uint32_t banks) {
  std::array<std::uint16_t, kMostBanks> in_bank;
  std::fill_n(in_bank.begin(), banks, std::uint16_t{0});
  unsigned most = 1;
  for (; words != end; ++words) most = std::max<unsigned>(most, ++in_bank[*words % banks]);
  return most;
}

}  // namespace

unsigned bank_passes(const LaneAccess& access, const SharedMemorySpec& spec) {
  if (access.lanes == 0) return 1;
  const auto bank_shift = static_cast<unsigned>(std::countr_zero(spec.bank_bytes));
  if (access.consecutive) {
    const Addr first = access.addresses[first_lane(access.lanes)];
    const Addr last = first + Addr{lane_count(access.lanes)} * access.bytes - 1;
    return static_cast<unsigned>(divide_up((last >> bank_shift) - (first >> bank_shift) + 1, spec.banks));
  }
  if (lie_in_a_row(access, bank_shift, spec.banks)) return 1;
  std::array<Addr, kMostWords> words;
  const unsigned count = list_words(access, bank_shift, words);
  std::sort(words.begin(), words.begin() + count);
  return most_in_a_bank(words.begin(), std::unique(words.begin(), words.begin() + count), spec.banks);
}

unsigned matrix_passes(const LaneAccess& access, unsigned matrices, const SharedMemorySpec& spec) {
  constexpr unsigned kLanes = 32;  // that share a matrix
  constexpr unsigned kRows = 8;
  unsigned passes = 0;
  for (unsigned first = 0; first < kMaxWarpSize; first += kLanes) {
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      LaneAccess rows = access;
      rows.lanes &= first_lanes(kRows) << (first + matrix * kRows);
      rows.consecutive = are_consecutive(rows.addresses, rows.lanes, rows.bytes);
      if (rows.lanes != 0) passes += bank_passes(rows, spec);
    }
  }
  return std::max(1U, passes);
}

unsigned atomic_passes(const LaneAccess& access, const SharedMemorySpec& spec) {
  std::array<Addr, kMostWords> words;
  const auto bank_shift = static_cast<unsigned>(std::countr_zero(spec.bank_bytes));
  const unsigned count = list_words(access, bank_shift, words);
  return most_in_a_bank(words.begin(), words.begin() + count, spec.banks);
}

}  // namespace heddle::sim
