#include "sim/memory/bank_conflicts.h"

#include <algorithm>
#include <array>

#include "isa/base/lane_addresses.h"

namespace heddle::sim {

namespace {

constexpr unsigned kMostWords = kMaxWarpSize * 4;  // 16 bytes a lane

}  // namespace

unsigned bank_passes(const Addr* addresses, LaneMask mask, std::uint32_t bytes, const SharedMemorySpec& spec) {
  if (mask == 0) return 1;
  const std::uint32_t words_per_lane = std::max(1U, bytes / spec.bank_bytes);
  if (are_consecutive(addresses, mask, bytes)) {
    return static_cast<unsigned>(divide_up(std::uint64_t{lane_count(mask)} * words_per_lane, spec.banks));
  }
  std::array<Addr, kMostWords> words;
  unsigned count = 0;
  for_each_lane(mask, [&](unsigned lane) {
    for (std::uint32_t i = 0; i < words_per_lane; ++i) words[count++] = addresses[lane] / spec.bank_bytes + i;
  });
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<std::uint16_t, 256> in_bank{};
  unsigned most = 1;
  for (auto word = words.begin(); word != end; ++word) {
    most = std::max<unsigned>(most, ++in_bank[*word % spec.banks]);
  }
  return most;
}

}  // namespace heddle::sim
