#include "isa/exec/pending_writes.h"

#include <algorithm>
#include <cstring>

#include "isa/base/host_prefetch.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr std::size_t kFewPlaces = 64;

std::size_t place_of(std::uintptr_t line, std::size_t places) {
  return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15U >> 32) & (places - 1);
}

}  // namespace

void PendingWrites::reach(const std::byte* first, const std::byte* last) {
  least_ = std::min(least_, address_of(first));
  greatest_ = std::max(greatest_, address_of(last));
}

void PendingWrites::note(Cycle now, std::byte* host, std::size_t data, std::size_t bytes) {
  notes_.push_back({now, host, data, static_cast<std::uint32_t>(bytes)});
  if (bytes != 0) reach(host, host + bytes - 1);
}

void PendingWrites::store(Cycle now, std::byte* host, const void* data, std::size_t bytes) {
  const std::size_t at = data_.size();
  data_.resize(at + bytes);
  std::memcpy(data_.data() + at, data, bytes);
  note(now, host, at, bytes);
  prefetch_bytes(host, bytes);
}

void PendingWrites::store_lanes(Cycle now, LaneMask lanes, const Addr* addresses, const std::uint32_t* rows,
                                unsigned lanes_per_row, unsigned bytes, std::byte* host, Addr base) {
  const unsigned words = std::max(bytes / 4, 1U);
  for_each_lane(lanes, [&](unsigned lane) {
    const auto value = lane_words(rows, words, lane, lanes_per_row);
    store(now, host + (addresses[lane] - base), value.data(), bytes);
  });
}

void PendingWrites::update(Cycle now, const WarpAtomic& atomic, std::byte* host, Addr base) {
  const std::size_t values = std::size_t{atomic.words()} * atomic.lanes_per_row;
  note(now, host, atomics_.size(), 0);
  NotedAtomic& noted = atomics_.emplace_back();
  noted.atomic = atomic;
  noted.base = base;
  std::copy_n(atomic.addresses, atomic.lanes_per_row, noted.addresses.begin());
  std::copy_n(atomic.a, values, noted.a.begin());
  if (atomic.b != nullptr) std::copy_n(atomic.b, values, noted.b.begin());
  for_each_lane(atomic.lanes, [&](unsigned lane) {
    const std::byte* place = host + (atomic.addresses[lane] - base);
    reach(place, place + atomic.bytes - 1);
  });
}

// -- what loads find -----------------------------------------------------------------------------------------

void PendingWrites::patch(void* read, const std::byte* host, std::size_t bytes) {
  look_at_notes();
  overlay(read, host, bytes);
}

/// The same, of the notes that the lines have.
void PendingWrites::overlay(void* read, const std::byte* host, std::size_t bytes) const {
  auto* to = static_cast<std::byte*>(read);
  const auto first = reinterpret_cast<std::uintptr_t>(host);
  for (std::uintptr_t at = first; at < first + bytes;) {
    const std::uintptr_t number = at / kLineBytes;
    const std::uintptr_t end = std::min((number + 1) * kLineBytes, first + bytes);
    if (const Line* line = find_line(number)) {
      for (; at < end; ++at) {
        const std::size_t byte = at % kLineBytes;
        if ((line->written >> byte & 1) != 0) to[at - first] = line->bytes[byte];
      }
    }
    at = end;
  }
}

void PendingWrites::look_at_notes() {
  for (; seen_ < notes_.size(); ++seen_) {
    const Note& note = notes_[seen_];
    if (note.bytes != 0) {
      put(note.host, data_.data() + note.data, note.bytes);
    } else {
      put_update(atomics_[note.data], note.host);
    }
  }
}

void PendingWrites::put(const std::byte* host, const std::byte* data, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(host);
  for (std::size_t i = 0; i < bytes; ++i) {
    Line& line = line_of((first + i) / kLineBytes);
    const std::size_t byte = (first + i) % kLineBytes;
    line.bytes[byte] = data[i];
    line.written |= std::uint64_t{1} << byte;
  }
}

/// Lane by lane, on what this SM would find there.
void PendingWrites::put_update(const NotedAtomic& noted, const std::byte* host) {
  for_each_lane(noted.atomic.lanes, [&](unsigned lane) {
    const std::byte* place = host + (noted.addresses[lane] - noted.base);
    std::array<std::byte, 8> value{};
    std::memcpy(value.data(), place, noted.atomic.bytes);
    overlay(value.data(), place, noted.atomic.bytes);
    WarpAtomic one = noted.atomic;
    std::array<std::uint32_t, 2 * kMaxWarpSize> old;
    one.lanes = LaneMask{1} << lane;
    one.addresses = noted.addresses.data();
    one.a = noted.a.data();
    one.b = noted.b.data();
    one.old = old.data();
    apply(one, value.data(), noted.addresses[lane]);
    put(place, value.data(), noted.atomic.bytes);
  });
}

PendingWrites::Line& PendingWrites::line_of(std::uintptr_t number) {
  if (2 * lines_.size() >= places_.size()) rehash();
  std::size_t place = place_of(number, places_.size());
  for (; places_[place] != 0; place = (place + 1) & (places_.size() - 1)) {
    Line& line = lines_[places_[place] - 1];
    if (line.number == number) return line;
  }
  lines_.push_back({number, 0, {}});
  places_[place] = static_cast<std::uint32_t>(lines_.size());
  return lines_.back();
}

const PendingWrites::Line* PendingWrites::find_line(std::uintptr_t number) const {
  if (lines_.empty()) return nullptr;
  std::size_t place = place_of(number, places_.size());
  for (; places_[place] != 0; place = (place + 1) & (places_.size() - 1)) {
    const Line& line = lines_[places_[place] - 1];
    if (line.number == number) return &line;
  }
  return nullptr;
}

void PendingWrites::rehash() {
  places_.assign(std::max(kFewPlaces, 2 * places_.size()), 0);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    std::size_t place = place_of(lines_[i].number, places_.size());
    while (places_[place] != 0) place = (place + 1) & (places_.size() - 1);
    places_[place] = static_cast<std::uint32_t>(i + 1);
  }
}

// -- when SMs meet -------------------------------------------------------------------------------------------

bool PendingWrites::act(const Note& note, std::size_t from, std::size_t bytes) {
  if (note.bytes == 0) return act(atomics_[note.data], note.host);
  std::byte* const to = note.host + from;
  const std::byte* const data = data_.data() + note.data + from;
  // Otherwise it is not read, which makes the host find memory for it twice: to read zeros from, then its
  // own.
  if (is_watched_ && std::memcmp(to, data, bytes) == 0) return false;
  std::memcpy(to, data, bytes);
  return true;
}

bool PendingWrites::act(NotedAtomic& noted, std::byte* host) {
  std::array<std::uint32_t, 2 * kMaxWarpSize> lost;
  noted.atomic.addresses = noted.addresses.data();
  noted.atomic.a = noted.a.data();
  noted.atomic.b = noted.b.data();
  if (noted.atomic.old == nullptr) noted.atomic.old = lost.data();
  return apply(noted.atomic, host, noted.base);
}

void PendingWrites::forget() {
  if (notes_.empty()) return;
  notes_.clear();
  data_.clear();
  atomics_.clear();
  least_ = kNowhere;
  greatest_ = 0;
  seen_ = 0;
  if (!lines_.empty()) std::fill(places_.begin(), places_.end(), 0);
  lines_.clear();
}

}  // namespace heddle::exec
