// Blocks of a launch that threads execute side by side, as if one after another.
//
// Each thread reads and writes global memory at once, and notes which words it has read and written, and what
// was in those that it has written. After a round of blocks the notes are held against each other: if no
// thread has touched a word that another has written, the order of the blocks has made no difference.
// Otherwise what was written is undone. Atomics that return nothing wait for the end of the round, and act in
// the order of the blocks.
//
//   WordOwners   of all threads: who has written a word in this round
//   Transaction  of one thread: its read set, its write set with what was there before, its atomics
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "isa/exec/lane_places.h"
#include "isa/exec/memory.h"
#include "isa/exec/pending_writes.h"

namespace heddle::exec {

/// A word of the host's memory: its address, without the bits inside. Bytes of one word count as one.
using TracedWord = std::uint64_t;
/// Words that lie behind one another, from a multiple of so many bytes on.
using TracedLine = std::uint64_t;
inline constexpr unsigned kTracedWords = 32;
inline constexpr std::size_t kTracedWordBytes = 4;
inline constexpr std::size_t kTracedLineBytes = kTracedWords * kTracedWordBytes;

/// Two threads have touched a word that one of them writes.
struct TransactionConflict {};

/// Memory that is zero, and that the host finds when it is touched.
template <typename Element>
class ZeroedArray {
 public:
  /// Throws std::bad_alloc.
  explicit ZeroedArray(std::size_t size)
      : size_(size), data_(static_cast<Element*>(std::calloc(size, sizeof(Element)))) {
    if (!data_) throw std::bad_alloc();
  }
  Element& operator[](std::size_t i) { return data_.get()[i]; }
  const Element& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void clear() { *this = ZeroedArray(size_); }

 private:
  struct Free {
    void operator()(Element* data) const { std::free(data); }
  };
  std::size_t size_;
  std::unique_ptr<Element, Free> data_;
};

/// Who has written which word in this round. Threads use it side by side.
class WordOwners {
 public:
  /// A bit for each word of a line.
  using Words = std::uint32_t;
  /// Which words of a line have become the worker's, and whether all that it wanted are.
  struct Claim {
    Words fresh = 0;
    bool has_all = true;
  };

  WordOwners();
  /// No word has an owner. While no thread uses it.
  void begin_round();
  /// Makes the words the worker's, as far as they are nobody's. None if there is no room for another line.
  Claim claim(TracedLine line, Words wanted, unsigned worker);
  [[nodiscard]] bool has_owner(TracedWord word) const;

 private:
  /// The owners of eight words: a byte each, the worker's number and one more. 0: nobody.
  using Group = std::atomic<std::uint64_t>;
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t place_for(TracedLine line);
  [[nodiscard]] std::size_t find(TracedLine line) const;

  ZeroedArray<std::atomic<std::uint64_t>> keys_;  // line and round; of an older round: free
  ZeroedArray<Group> groups_;                     // four for each key
  std::uint64_t round_ = 0;
};

/// What one thread has touched in this round.
class Transaction {
 public:
  /// `owners` outlives it. Workers are numbered from 0 to 254.
  Transaction(WordOwners& owners, unsigned worker);

  void begin_round();
  /// Atomics from now on are of this block, which comes after those before it.
  void begin_block(BlockId block) { block_ = block; }

  // Just before an access of a warp acts. `host` is where the address `base` lies.
  void read(LaneMask lanes, const Addr* addresses, const LaneSpan& span, unsigned bytes,
            const std::byte* host, Addr base);
  /// Throws TransactionConflict.
  void write(LaneMask lanes, const Addr* addresses, const LaneSpan& span, unsigned bytes,
             const Buffer& buffer);
  /// Notes an atomic that returns nothing.
  void update(const WarpAtomic& atomic, std::byte* host, Addr base);

  // When all threads have come to the end of the round.
  /// Whether another thread has read what this one has written, or anybody has touched what its atomics will
  /// change.
  [[nodiscard]] bool conflicts_with(const std::vector<std::unique_ptr<Transaction>>& all) const;
  /// How many atomics of warps there were in this round.
  [[nodiscard]] std::uint64_t atomics() const { return atomics_in_round_; }
  /// The atomics, for WriteCommit, and back when they have acted.
  [[nodiscard]] std::unique_ptr<PendingWrites> take_atomics() { return std::move(atomics_); }
  void give_back_atomics(std::unique_ptr<PendingWrites> atomics) { atomics_ = std::move(atomics); }
  void roll_back();

 private:
  struct WrittenWords {
    TracedLine line = 0;
    WordOwners::Words words = 0;
    std::array<std::uint32_t, kTracedWords> before;  // of those words
  };
  /// Of words that lie behind one another: 256 MiB.
  static constexpr std::size_t kPlaces = std::size_t{1} << 26;

  static std::size_t place_of(TracedWord word) { return word & (kPlaces - 1); }
  [[nodiscard]] bool has_read(TracedWord word) const { return reads_[place_of(word)] == round_; }
  [[nodiscard]] bool has_read(const WrittenWords& written) const;
  void claim(TracedLine line, WordOwners::Words words);

  WordOwners& owners_;
  unsigned worker_;
  std::uint8_t round_ = 0;
  BlockId block_ = 0;
  ZeroedArray<std::uint8_t> reads_;  // by place: the round in which a word there was read last
  std::vector<WrittenWords> written_;
  std::vector<TracedWord> updated_;
  std::uint64_t atomics_in_round_ = 0;
  std::unique_ptr<PendingWrites> atomics_;
};

}  // namespace heddle::exec
