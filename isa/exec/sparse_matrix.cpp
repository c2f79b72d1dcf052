#include "isa/exec/sparse_matrix.h"

namespace heddle::exec {

namespace {

constexpr unsigned kQuad = 4;  // lanes that hold a row
constexpr unsigned kRowsOfQuad = 8;
constexpr unsigned kNibble = 4;

/// The four bits of one group of a row.
class Metadata {
 public:
  Metadata(const std::uint32_t* words, unsigned selector, unsigned bits, unsigned groups)
      : words_(words), selector_(selector), in_word_(bits == 8 ? 8 : 4), is_split_(bits == 8), groups_(groups) {}

  [[nodiscard]] unsigned of(unsigned row, unsigned group) const {
    const unsigned high = row / kRowsOfQuad;
    const unsigned words = groups_ / in_word_ * (is_split_ ? 2 : 1);
    const unsigned word = is_split_ ? 2 * (group / in_word_) + high : group / in_word_;
    const unsigned lane = row % kRowsOfQuad * kQuad + (selector_ * words + word) % kQuad;
    const unsigned shift = (is_split_ ? 0 : 16 * high) + kNibble * (group % in_word_);
    return words_[lane] >> shift & 15;
  }

 private:
  const std::uint32_t* words_;
  unsigned selector_;
  unsigned in_word_;  // groups of one row
  bool is_split_;     // each row has words of its own
  unsigned groups_;   // of a row
};

}  // namespace

SparsePlaces::SparsePlaces(const std::uint32_t* metadata, unsigned selector, unsigned bits, unsigned given) {
  const bool is_one_of_two = bits == 32;
  const unsigned of_group = is_one_of_two ? 1 : 2;
  const Metadata groups(metadata, selector, bits, given / of_group);
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned i = 0; i < given; ++i) {
      const unsigned nibble = groups.of(row, i / of_group);
      const unsigned place = is_one_of_two ? 2 * i + (nibble >> 1 & 1) : 4 * (i / 2) + (nibble >> 2 * (i % 2) & 3);
      places_[row][i] = static_cast<std::uint8_t>(place);
    }
  }
}

}  // namespace heddle::exec
