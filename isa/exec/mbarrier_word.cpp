#include "isa/exec/mbarrier_word.h"

#include <algorithm>

namespace heddle::exec {

namespace {

struct Field {
  unsigned first;
  unsigned count;

  [[nodiscard]] constexpr std::uint64_t mask() const { return (std::uint64_t{1} << count) - 1; }
  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t word) const { return word >> first & mask(); }
  constexpr void set(std::uint64_t& word, std::uint64_t value) const {
    word = (word & ~(mask() << first)) | (value & mask()) << first;
  }
};

constexpr Field kExpected = {1, 20};
constexpr Field kBytes = {21, 22};
constexpr Field kPending = {43, 20};
constexpr std::uint64_t kParity = std::uint64_t{1} << 63;
constexpr std::uint64_t kComplement = 1U << 20;

std::int64_t signed_bytes(std::uint64_t word) {
  const auto value = static_cast<std::int64_t>(kBytes.of(word));
  const std::int64_t sign = std::int64_t{1} << (kBytes.count - 1);
  return (value ^ sign) - sign;
}

std::uint64_t awaited(const Field& field, std::uint64_t word) {
  const std::uint64_t complement = field.of(word);
  return complement == 0 ? 0 : kComplement - complement;
}

}  // namespace

std::uint32_t expected_arrivals(std::uint64_t word) { return static_cast<std::uint32_t>(awaited(kExpected, word)); }

std::uint64_t changed_mbarrier(std::uint64_t word, const MbarrierChange& change) {
  const std::uint64_t pending = awaited(kPending, word);
  const std::uint64_t left = pending - std::min<std::uint64_t>(pending, change.arrivals);
  const std::int64_t bytes = signed_bytes(word) + change.bytes;
  if (change.departs) {
    const std::uint64_t expected = awaited(kExpected, word);
    kExpected.set(word, kComplement - (expected - std::min<std::uint64_t>(expected, change.arrivals)));
  }
  kBytes.set(word, static_cast<std::uint64_t>(bytes));
  kPending.set(word, kComplement - left);
  if (left != 0 || bytes != 0) return word;
  kPending.set(word, kExpected.of(word));
  return word ^ kParity;
}

}  // namespace heddle::exec
