#include "sim/trace/replay/packed_step.h"

#include <cstring>

namespace heddle::trace {

namespace {

// Flags in the lowest bits of an instruction's first number. The bits above hold its operation.
constexpr std::uint32_t kMasksChange = 1;
constexpr std::uint32_t kHasMore = 2;
constexpr unsigned kFlagBits = 2;

// Which masks change.
constexpr char kLive = 1;
constexpr char kActive = 2;
constexpr char kExecuted = 4;

// What else follows.
constexpr char kAddresses = 1;
constexpr char kSharedAddresses = 2;
constexpr char kBarrier = 4;
constexpr char kTrustedBarrier = 8;
constexpr char kNanoseconds = 16;
constexpr char kAsync = 32;

/// The encoding of the addresses behind the first one.
enum class Steps : char { Equal, Bytes1, Bytes2, Bytes4, Bytes8 };

std::uint64_t fold_sign(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unfold_sign(std::uint64_t folded) {
  return static_cast<std::int64_t>(folded >> 1) ^ -static_cast<std::int64_t>(folded & 1);
}

void put_number(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
}

void put_signed(std::string& bytes, std::int64_t value) { put_number(bytes, fold_sign(value)); }

template <typename Integer>
void put_raw(std::string& bytes, Integer value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

template <typename Integer>
void put_all(std::string& bytes, const std::int64_t* values, unsigned count) {
  for (unsigned i = 0; i < count; ++i) put_raw(bytes, static_cast<Integer>(values[i]));
}

template <typename Integer>
bool fit(const std::int64_t* values, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (values[i] != static_cast<Integer>(values[i])) return false;
  }
  return true;
}

bool are_equal(const std::int64_t* values, unsigned count) {
  for (unsigned i = 1; i < count; ++i) {
    if (values[i] != values[0]) return false;
  }
  return true;
}

void put_steps(std::string& bytes, const std::int64_t* steps, unsigned count) {
  const auto begin = [&bytes](Steps how) { bytes += static_cast<char>(how); };
  if (are_equal(steps, count)) {
    begin(Steps::Equal);
    put_signed(bytes, count == 0 ? 0 : steps[0]);
  } else if (fit<std::int8_t>(steps, count)) {
    begin(Steps::Bytes1);
    put_all<std::int8_t>(bytes, steps, count);
  } else if (fit<std::int16_t>(steps, count)) {
    begin(Steps::Bytes2);
    put_all<std::int16_t>(bytes, steps, count);
  } else if (fit<std::int32_t>(steps, count)) {
    begin(Steps::Bytes4);
    put_all<std::int32_t>(bytes, steps, count);
  } else {
    begin(Steps::Bytes8);
    put_all<std::int64_t>(bytes, steps, count);
  }
}

void put_addresses(std::string& bytes, std::uint32_t lanes, const std::array<Addr, kLanes>& addresses,
                   Addr& last) {
  if (lanes == 0) return;
  std::int64_t steps[kLanes];
  unsigned count = 0;
  Addr before = addresses[first_lane(lanes)];
  put_signed(bytes, static_cast<std::int64_t>(before - last));
  last = before;
  for_each_lane(lanes & (lanes - 1), [&](unsigned lane) {
    steps[count++] = static_cast<std::int64_t>(addresses[lane] - before);
    before = addresses[lane];
  });
  put_steps(bytes, steps, count);
}

void put_masks(std::string& bytes, const TraceStep& step, PackState& state) {
  char changes = 0;
  if (step.live != state.live) changes |= kLive;
  if (step.active != state.active) changes |= kActive;
  if (step.executed != state.executed) changes |= kExecuted;
  bytes += changes;
  if ((changes & kLive) != 0) put_raw(bytes, step.live);
  if ((changes & kActive) != 0) put_raw(bytes, step.active);
  if ((changes & kExecuted) != 0) put_raw(bytes, step.executed);
  state.live = step.live;
  state.active = step.active;
  state.executed = step.executed;
}

/// Does not encode what depends on other warps of the block.
void put_async(std::string& bytes, const stream::AsyncStep& step) {
  bytes += static_cast<char>(step.action);
  bytes += static_cast<char>((step.knows_parity ? 1 : 0) | (step.parity ? 2 : 0));
  put_number(bytes, step.round);
  put_number(bytes, step.uses.size());
  for (const stream::PhaseUse& use : step.uses) {
    put_number(bytes, use.barrier);
    put_number(bytes, use.count);
    put_signed(bytes, use.bytes);
  }
  put_number(bytes, step.addresses.size());
  put_number(bytes, step.piece_bytes);
  put_number(bytes, step.bytes);
  Addr before = 0;
  for (const Addr address : step.addresses) {
    put_signed(bytes, static_cast<std::int64_t>(address - before));
    before = address;
  }
}

char more_of(const TraceStep& step) {
  char more = 0;
  if (step.has_addresses) more |= kAddresses;
  if (step.has_shared_addresses) more |= kSharedAddresses;
  if (step.barrier != stream::BarrierUse{}) more |= kBarrier;
  if (step.barrier.is_trusted) more |= kTrustedBarrier;
  if (step.nanoseconds != 0) more |= kNanoseconds;
  if (step.has_async) more |= kAsync;
  return more;
}

/// Each lane's address is the previous address plus a number that `next` reads.
template <typename Next>
void walk(std::uint32_t lanes, Addr address, std::array<Addr, kLanes>& addresses, Next next) {
  addresses[first_lane(lanes)] = address;
  for_each_lane(lanes & (lanes - 1), [&](unsigned lane) {
    address += static_cast<Addr>(static_cast<std::int64_t>(next()));
    addresses[lane] = address;
  });
}

template <typename Integer>
Integer take_raw(const char*& at) {
  Integer value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

}  // namespace

void pack(const TraceStep& step, PackState& state, std::string& bytes) {
  const bool same_masks =
      step.live == state.live && step.active == state.active && step.executed == state.executed;
  const char more = more_of(step);
  const auto ahead = static_cast<std::int64_t>(step.op) - static_cast<std::int64_t>(state.op + 1);
  put_number(bytes,
             fold_sign(ahead) << kFlagBits | (more != 0 ? kHasMore : 0) | (same_masks ? 0 : kMasksChange));
  state.op = step.op;
  if (!same_masks) put_masks(bytes, step, state);
  if (more == 0) return;
  bytes += more;
  if (step.has_addresses) put_addresses(bytes, step.executed, step.addresses, state.address);
  if (step.has_shared_addresses) {
    put_addresses(bytes, step.executed, step.shared_addresses, state.shared_address);
  }
  if ((more & kBarrier) != 0) {
    put_raw(bytes, step.barrier.id);
    put_raw(bytes, step.barrier.warps);
  }
  if (step.nanoseconds != 0) put_number(bytes, step.nanoseconds);
  if (step.has_async) put_async(bytes, step.async);
}

std::uint64_t Unpacker::read_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at_++);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
}

std::uint32_t Unpacker::read_op() {
  const std::uint64_t head = read_number();
  flags_ = static_cast<std::uint32_t>(head) & ((1U << kFlagBits) - 1);
  state_.op = static_cast<std::uint32_t>(state_.op + 1 + unfold_sign(head >> kFlagBits));
  return state_.op;
}

void Unpacker::read_rest(TraceStep& step) {
  if ((flags_ & kMasksChange) != 0) {
    const char changes = *at_++;
    if ((changes & kLive) != 0) state_.live = take_raw<std::uint32_t>(at_);
    if ((changes & kActive) != 0) state_.active = take_raw<std::uint32_t>(at_);
    if ((changes & kExecuted) != 0) state_.executed = take_raw<std::uint32_t>(at_);
  }
  step.op = state_.op;
  step.live = state_.live;
  step.active = state_.active;
  step.executed = state_.executed;
  const char more = (flags_ & kHasMore) != 0 ? *at_++ : char{0};
  step.has_addresses = (more & kAddresses) != 0;
  step.has_shared_addresses = (more & kSharedAddresses) != 0;
  if (step.has_addresses) read_addresses(step.executed, state_.address, step.addresses);
  if (step.has_shared_addresses) read_addresses(step.executed, state_.shared_address, step.shared_addresses);
  step.barrier = {};
  if ((more & kBarrier) != 0) {
    step.barrier.id = take_raw<std::uint8_t>(at_);
    step.barrier.warps = take_raw<std::uint16_t>(at_);
    step.barrier.is_trusted = (more & kTrustedBarrier) != 0;
  }
  step.nanoseconds = (more & kNanoseconds) != 0 ? static_cast<std::uint32_t>(read_number()) : 0;
  step.has_async = (more & kAsync) != 0;
  if (step.has_async) read_async(step.async);
}

void Unpacker::read_async(stream::AsyncStep& step) {
  step.action = static_cast<stream::AsyncStep::Action>(*at_++);
  const char parity = *at_++;
  step.knows_parity = (parity & 1) != 0;
  step.parity = (parity & 2) != 0;
  step.round = static_cast<std::uint32_t>(read_number());
  step.uses.resize(read_number());
  for (stream::PhaseUse& use : step.uses) {
    use.barrier = static_cast<std::uint32_t>(read_number());
    use.count = static_cast<std::uint32_t>(read_number());
    use.bytes = unfold_sign(read_number());
  }
  step.addresses.resize(read_number());
  step.piece_bytes = static_cast<std::uint32_t>(read_number());
  step.bytes = read_number();
  Addr before = 0;
  for (Addr& address : step.addresses) {
    address = before += static_cast<Addr>(unfold_sign(read_number()));
  }
}

void Unpacker::read_addresses(std::uint32_t lanes, Addr& last, std::array<Addr, kLanes>& addresses) {
  if (lanes == 0) return;
  last += static_cast<Addr>(unfold_sign(read_number()));
  const auto how = static_cast<Steps>(*at_++);
  switch (how) {
    case Steps::Equal: {
      const std::int64_t step = unfold_sign(read_number());
      return walk(lanes, last, addresses, [step] { return step; });
    }
    case Steps::Bytes1:
      return walk(lanes, last, addresses, [this] { return take_raw<std::int8_t>(at_); });
    case Steps::Bytes2:
      return walk(lanes, last, addresses, [this] { return take_raw<std::int16_t>(at_); });
    case Steps::Bytes4:
      return walk(lanes, last, addresses, [this] { return take_raw<std::int32_t>(at_); });
    case Steps::Bytes8:
      return walk(lanes, last, addresses, [this] { return take_raw<std::int64_t>(at_); });
  }
}

}  // namespace heddle::trace
