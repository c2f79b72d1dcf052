// Which elements of a sparse matrix A are given: two of each four along k, of floats of 32 bits one of each two.
//
// A register of some lanes of each four (which hold rows g and g + 8 of A) has four bits for each group of four elements:
// the places of the first and the second one that is given. Of floats of 32 bits an element counts as two. Words go through
// the groups of a row, and through both rows: elements of 16 and 32 bits have four groups of row g in the low half of a word
// and those of row g + 8 in the high half, elements of 8 bits eight groups of one row in a word, and those of row g + 8 in the
// next lane's. A selector says in which of the four lanes the first word is, in units of as many as there are words.
//
// Source: PTX ISA, mma.sp: sparse matrix storage; where it leaves the order of words open, CUTLASS's reordering of metadata
// (include/cutlass/util/reorder, host_reorder.h).
#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

/// The places along k of what is given of A's rows.
class SparsePlaces {
 public:
  static constexpr unsigned kRows = 16;
  static constexpr unsigned kMostGiven = 32;  ///< Elements of a row: of 8 bits, in 16x64.

  /// `metadata`: the register in 32 lanes. Elements have `bits` bits; of a row `given` are.
  SparsePlaces(const std::uint32_t* metadata, unsigned selector, unsigned bits, unsigned given);

  [[nodiscard]] unsigned of(unsigned row, unsigned i) const { return places_[row][i]; }

 private:
  std::array<std::array<std::uint8_t, kMostGiven>, kRows> places_{};
};

}  // namespace heddle::exec
