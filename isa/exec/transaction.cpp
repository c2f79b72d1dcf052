#include "isa/exec/transaction.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::exec {

namespace {

constexpr std::size_t kLines = std::size_t{1} << 20;  // of a round
constexpr unsigned kMostProbes = 64;
constexpr unsigned kRoundBits = 16;
constexpr std::uint64_t kRounds = std::uint64_t{1} << kRoundBits;
constexpr std::uint64_t kBeingMade = kRounds - 1;  // the round of a key whose groups are being cleared
constexpr unsigned kGroups = kTracedWords / 8;
constexpr std::uint8_t kLastRound = 255;

// What a warp's lanes touch that lie behind one another, 16 bytes each: what lies between them is taken for
// touched.
constexpr Addr kFewBytes = 4 * kTracedLineBytes;

/// Calls `visit` for the first and the last word of what the access touches, once or several times.
template <typename Visit>
void for_each_range(LaneMask lanes, const Addr* addresses, const LaneSpan& span, unsigned bytes,
                    const std::byte* host, Addr base, Visit visit) {
  const auto word_of = [&](Addr address) {
    return reinterpret_cast<std::uintptr_t>(host + (address - base)) / kTracedWordBytes;
  };
  if (span.consecutive && span.greatest - span.least <= kFewBytes)
    return visit(word_of(span.least), word_of(span.greatest + bytes - 1));
  // Lanes that lie behind one another are one range: halves of warps, mostly.
  Addr first = addresses[first_lane(lanes)];
  Addr end = first;
  for_each_lane(lanes, [&](unsigned lane) {
    if (first != end && addresses[lane] == end - bytes) return;  // what the lane before it has
    if (addresses[lane] != end) {
      visit(word_of(first), word_of(end - 1));
      first = end = addresses[lane];
    }
    end += bytes;
  });
  visit(word_of(first), word_of(end - 1));
}

/// A byte of ones for each byte that is not zero.
std::uint64_t bytes_in_use(std::uint64_t group) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t highest = (((group & kLow) + kLow) | group) & ~kLow;
  return (highest >> 7) * 0xff;
}

/// A byte of ones for each of eight words.
std::uint64_t bytes_of(std::uint32_t words) {
  std::uint64_t spread = 0;
  for (unsigned i = 0; i < 8; ++i) spread |= std::uint64_t{words >> i & 1U} << (8 * i);
  return spread * 0xff;
}

/// And back.
std::uint32_t words_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

}  // namespace

// WordOwners

WordOwners::WordOwners() : keys_(kLines), groups_(kLines * kGroups) {}

void WordOwners::begin_round() {
  if (++round_ < kBeingMade) return;
  keys_.clear();
  round_ = 1;
}

/// A key's round goes from an older one to kBeingMade to this one, and so each line has one place.
std::size_t WordOwners::place_for(TracedLine line) {
  const std::uint64_t wanted = line << kRoundBits | round_;
  for (unsigned probe = 0; probe < kMostProbes; ++probe) {
    const std::size_t place = (line + probe) & (kLines - 1);
    std::uint64_t key = keys_[place].load(std::memory_order_acquire);
    while (key % kRounds != round_) {
      const bool is_free = key % kRounds != kBeingMade;
      if (is_free && keys_[place].compare_exchange_weak(key, kBeingMade, std::memory_order_acquire)) {
        for (unsigned i = 0; i < kGroups; ++i)
          groups_[place * kGroups + i].store(0, std::memory_order_relaxed);
        keys_[place].store(wanted, std::memory_order_release);
        return place;
      }
      if (!is_free) key = keys_[place].load(std::memory_order_acquire);
    }
    if (key == wanted) return place;
  }
  return kNone;
}

std::size_t WordOwners::find(TracedLine line) const {
  for (unsigned probe = 0; probe < kMostProbes; ++probe) {
    const std::size_t place = (line + probe) & (kLines - 1);
    const std::uint64_t key = keys_[place].load(std::memory_order_acquire);
    if (key % kRounds != round_) return kNone;
    if (key >> kRoundBits == line) return place;
  }
  return kNone;
}

WordOwners::Claim WordOwners::claim(TracedLine line, Words wanted, unsigned worker) {
  const std::size_t place = place_for(line);
  if (place == kNone) return {0, false};
  Claim claim;
  for (unsigned i = 0; i < kGroups; ++i, wanted >>= 8) {
    const std::uint64_t bytes = bytes_of(wanted & 0xff);
    const std::uint64_t mine = bytes & (0x0101010101010101 * (worker + 1));
    Group& group = groups_[place * kGroups + i];
    std::uint64_t found = group.load(std::memory_order_relaxed);
    while ((found & bytes) != mine) {
      const std::uint64_t used = bytes_in_use(found) & bytes;
      if ((found & used) != (mine & used)) claim.has_all = false;
      const std::uint64_t fresh = bytes & ~used;
      if (fresh == 0) break;
      if (!group.compare_exchange_weak(found, found | (mine & fresh), std::memory_order_relaxed)) continue;
      claim.fresh |= words_of(fresh) << (8 * i);
      break;
    }
  }
  return claim;
}

bool WordOwners::has_owner(TracedWord word) const {
  const std::size_t place = find(word / kTracedWords);
  if (place == kNone) return false;
  const std::uint64_t group =
      groups_[place * kGroups + word % kTracedWords / 8].load(std::memory_order_relaxed);
  return (group >> (word % 8 * 8) & 0xff) != 0;
}

// Transaction

Transaction::Transaction(WordOwners& owners, unsigned worker)
    : owners_(owners), worker_(worker), reads_(kPlaces), atomics_(std::make_unique<PendingWrites>()) {}

void Transaction::begin_round() {
  written_.clear();
  updated_.clear();
  atomics_in_round_ = 0;
  if (round_ == kLastRound) reads_.clear();
  round_ = static_cast<std::uint8_t>(round_ % kLastRound + 1);
}

void Transaction::read(LaneMask lanes, const Addr* addresses, const LaneSpan& span, unsigned bytes,
                       const std::byte* host, Addr base) {
  for_each_range(lanes, addresses, span, bytes, host, base, [this](TracedWord first, TracedWord last) {
    const std::size_t place = place_of(first);
    const std::size_t count = last - first + 1;
    if (count == 1) {
      reads_[place] = round_;
    } else if (count == kTracedWords && place + count <= kPlaces) {  // of a known size it is one store
      std::memset(&reads_[place], round_, kTracedWords);
    } else if (count == kTracedWords / 2 && place + count <= kPlaces) {
      std::memset(&reads_[place], round_, kTracedWords / 2);
    } else if (place + count <= kPlaces) {
      std::memset(&reads_[place], round_, count);
    } else {
      for (TracedWord word = first; word <= last; ++word) reads_[place_of(word)] = round_;
    }
  });
}

/// What is not the GPU's own memory may have something else beside it in a word.
void Transaction::write(LaneMask lanes, const Addr* addresses, const LaneSpan& span, unsigned bytes,
                        const Buffer& buffer) {
  if (!buffer.is_own_memory()) throw TransactionConflict();
  for_each_range(lanes, addresses, span, bytes, buffer.bytes().data(), buffer.address(),
                 [this](TracedWord first, TracedWord last) {
                   while (first <= last) {
                     const TracedLine line = first / kTracedWords;
                     const TracedWord end = std::min(last, line * kTracedWords + kTracedWords - 1);
                     const auto count = static_cast<unsigned>(end - first + 1);
                     claim(line, (~WordOwners::Words{0} >> (kTracedWords - count)) << first % kTracedWords);
                     first = end + 1;
                   }
                 });
}

void Transaction::claim(TracedLine line, WordOwners::Words words) {
  const WordOwners::Claim claim = owners_.claim(line, words, worker_);
  if (claim.fresh != 0) {
    WrittenWords& written = written_.emplace_back();
    written.line = line;
    written.words = claim.fresh;
    const auto* host = reinterpret_cast<const std::byte*>(line * kTracedLineBytes);
    if (claim.fresh == ~WordOwners::Words{0}) {  // a row: of a known size it is one copy
      std::memcpy(written.before.data(), host, kTracedLineBytes);
    } else {
      for_each_lane(claim.fresh, [&](unsigned word) {
        std::memcpy(&written.before[word], host + word * kTracedWordBytes, kTracedWordBytes);
      });
    }
  }
  if (!claim.has_all) throw TransactionConflict();
}

void Transaction::update(const WarpAtomic& atomic, std::byte* host, Addr base) {
  ++atomics_in_round_;
  atomics_->update(block_, atomic, host, base);
  for_each_lane(atomic.lanes, [&](unsigned lane) {
    const auto at = reinterpret_cast<std::uintptr_t>(host + (atomic.addresses[lane] - base));
    for (TracedWord word = at / kTracedWordBytes; word <= (at + atomic.bytes - 1) / kTracedWordBytes;
         ++word) {
      if (updated_.empty() || updated_.back() != word) updated_.push_back(word);
    }
  });
}

bool Transaction::has_read(const WrittenWords& written) const {
  const std::uint8_t* reads = &reads_[place_of(written.line * kTracedWords)];
  WordOwners::Words read = 0;
  for (unsigned i = 0; i < kTracedWords; ++i) read |= WordOwners::Words{reads[i] == round_} << i;
  return (read & written.words) != 0;
}

bool Transaction::conflicts_with(const std::vector<std::unique_ptr<Transaction>>& all) const {
  const auto is_read_by_another = [&](const WrittenWords& written) {
    return std::ranges::any_of(
        all, [&](const auto& other) { return other.get() != this && other->has_read(written); });
  };
  const auto is_touched = [&](TracedWord word) {
    return owners_.has_owner(word) ||
           std::ranges::any_of(all, [&](const auto& other) { return other->has_read(word); });
  };
  return std::ranges::any_of(written_, is_read_by_another) || std::ranges::any_of(updated_, is_touched);
}

void Transaction::roll_back() {
  for (const WrittenWords& written : written_) {
    auto* host = reinterpret_cast<std::byte*>(written.line * kTracedLineBytes);
    for_each_lane(written.words, [&](unsigned word) {
      std::memcpy(host + word * kTracedWordBytes, &written.before[word], kTracedWordBytes);
    });
  }
  atomics_->forget();
}

}  // namespace heddle::exec
