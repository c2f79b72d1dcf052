#include "sim/memory/bank_conflicts.h"

#include <algorithm>
#include <array>

#include "isa/base/lane_addresses.h"

namespace heddle::sim {

namespace {

constexpr unsigned kMostWords = kMaxWarpSize * 16;  // 16 bytes a lane, banks of one byte
constexpr unsigned kMostBanks = 1024;

}  // namespace

unsigned bank_passes(const Addr* addresses, LaneMask mask, std::uint32_t bytes, const SharedMemorySpec& spec) {
  if (mask == 0) return 1;
  const auto bank_shift = static_cast<unsigned>(std::countr_zero(spec.bank_bytes));
  if (are_consecutive(addresses, mask, bytes)) {
    const Addr first = addresses[first_lane(mask)];
    const Addr last = first + Addr{lane_count(mask)} * bytes - 1;
    return static_cast<unsigned>(divide_up((last >> bank_shift) - (first >> bank_shift) + 1, spec.banks));
  }
  const std::uint32_t words_per_lane = std::max(1U, bytes >> bank_shift);
  std::array<Addr, kMostWords> words;
  unsigned count = 0;
  for_each_lane(mask, [&](unsigned lane) {
    for (std::uint32_t i = 0; i < words_per_lane; ++i) words[count++] = (addresses[lane] >> bank_shift) + i;
  });
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<std::uint16_t, kMostBanks> in_bank;
  std::fill_n(in_bank.begin(), spec.banks, std::uint16_t{0});
  unsigned most = 1;
  for (auto word = words.begin(); word != end; ++word) {
    most = std::max<unsigned>(most, ++in_bank[*word % spec.banks]);
  }
  return most;
}

}  // namespace heddle::sim
