// The pending writes of one SM: what its warps have written to global memory and other SMs do not see yet.
//
// SMs run apart for a quantum, perhaps on different threads. Meanwhile nobody changes global memory: stores
// and atomics are noted here. The SM's own loads see its stores, and what its atomics would leave if no other
// SM came between. At the exchange all notes are committed in the order (time, SM, sequence), and atomics get
// what they return. That is no later than their results reach the registers, because a quantum is no longer
// than the round trip to L2.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/base/types.h"
#include "isa/exec/atomic.h"

namespace heddle::exec {

/// The stores and atomics of one SM that have not been committed, in the order of their time: each call must
/// come no earlier than the one before. WriteCommit empties it at each exchange.
class PendingWrites {
 public:
  /// Notes a store of consecutive bytes.
  void store(Cycle now, std::byte* host, const void* data, std::size_t bytes);
  /// Notes what each lane stores: its words in as many rows of 32 bits as `bytes` fill, or the low `bytes` of
  /// the first row. `host` is where the byte with the address `base` lies.
  void store_lanes(Cycle now, LaneMask lanes, const Addr* addresses, const std::uint32_t* rows,
                   unsigned lanes_per_row, unsigned bytes, std::byte* host, Addr base);
  /// Notes an atomic. When it is committed, what was in memory is written to `atomic.old`, if that is not
  /// null.
  void update(Cycle now, const WarpAtomic& atomic, std::byte* host, Addr base);

  /// Whether a byte of [first, last] may have been written.
  [[nodiscard]] bool may_hold(const std::byte* first, const std::byte* last) const {
    return address_of(last) >= least_ && address_of(first) <= greatest_;
  }
  /// Completes a load of [host, host + bytes): puts what the SM has written there over what was read from
  /// memory.
  void patch(void* read, const std::byte* host, std::size_t bytes);

  /// Whether an atomic that has not been committed will return something to one of these words.
  [[nodiscard]] bool owes(const std::uint32_t* words, std::size_t count) const {
    return std::any_of(atomics_.begin(), atomics_.end(), [=](const NotedAtomic& noted) {
      return noted.atomic.old >= words && noted.atomic.old < words + count;
    });
  }

  /// How many stores and atomics were committed; while that is watched, how many of them changed memory.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  void watch(bool is_watched) { is_watched_ = is_watched; }

  // -- for WriteCommit --------------------------------------------------------------------------------------
  /// One store or atomic: when it issued, and where it writes.
  struct Note {
    Cycle time = 0;
    std::byte* host = nullptr;
    std::size_t data = 0;     ///< In what the store, or the atomics, brought.
    std::uint32_t bytes = 0;  ///< 0: an atomic.
  };
  /// All notes, in the order of time.
  [[nodiscard]] std::span<const Note> notes() const { return notes_; }
  [[nodiscard]] bool has_atomics() const { return !atomics_.empty(); }
  /// Commits a note; of a store only so many bytes from `from` on. Returns whether it counts as one of
  /// changes().
  bool act(const Note& note, std::size_t from, std::size_t bytes);
  void count(bool is_change) { changes_ += is_change ? 1 : 0; }
  /// Clears the notes, all of which have been committed.
  void forget();

 private:
  static constexpr std::size_t kLineBytes = 64;
  static constexpr std::uintptr_t kNowhere = ~std::uintptr_t{0};

  static std::uintptr_t address_of(const std::byte* host) { return reinterpret_cast<std::uintptr_t>(host); }

  /// An atomic with copies of its operands and addresses, because registers may change before it is
  /// committed.
  struct NotedAtomic {
    WarpAtomic atomic;  // but its pointers, which are to what follows
    Addr base = 0;
    std::array<Addr, kMaxWarpSize> addresses;
    std::array<std::uint32_t, 2 * kMaxWarpSize> a;
    std::array<std::uint32_t, 2 * kMaxWarpSize> b;
  };
  /// A line of memory with what was written to it.
  struct Line {
    std::uintptr_t number = 0;
    std::uint64_t written = 0;  // by byte
    std::array<std::byte, kLineBytes> bytes;
  };

  void note(Cycle now, std::byte* host, std::size_t data, std::size_t bytes);
  void reach(const std::byte* first, const std::byte* last);
  static bool act(NotedAtomic& noted, std::byte* host);

  void look_at_notes();
  void overlay(void* read, const std::byte* host, std::size_t bytes) const;
  void put(const std::byte* host, const std::byte* data, std::size_t bytes);
  void put_update(const NotedAtomic& noted, const std::byte* host);
  Line& line_of(std::uintptr_t number);
  [[nodiscard]] const Line* find_line(std::uintptr_t number) const;
  void rehash();

  std::vector<Note> notes_;
  std::vector<std::byte> data_;
  std::vector<NotedAtomic> atomics_;
  std::uint64_t changes_ = 0;
  bool is_watched_ = false;
  // The first and last byte that was written, as numbers: pointers into different buffers have no order.
  std::uintptr_t least_ = kNowhere;
  std::uintptr_t greatest_ = 0;

  // What loads see. It is made when a load comes near what was written: most kernels read elsewhere.
  std::size_t seen_ = 0;  // so many notes are in the lines
  std::vector<Line> lines_;
  std::vector<std::uint32_t> places_;  // a hash table: 1 + index in lines_, or 0
};

}  // namespace heddle::exec
