#include "isa/ir/control_code.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace heddle::ir {

namespace {

constexpr char kNone = '-';
constexpr char kYields = 'Y';

/// Where the fields stand in "Bxxxxxx:Rx:Wx:x:Sxx".
constexpr std::size_t kMask = 1;
constexpr std::size_t kRead = 9;
constexpr std::size_t kWrite = 12;
constexpr std::size_t kYield = 14;
constexpr std::size_t kStall = 17;

char digit_of(unsigned barrier) {
  return barrier < kDependenceBarriers ? static_cast<char>('0' + barrier) : kNone;
}

/// More than kNoBarrier if the character stands for nothing.
unsigned barrier_of(char digit) {
  for (unsigned barrier = 0; barrier < kDependenceBarriers; ++barrier) {
    if (digit == digit_of(barrier)) return barrier;
  }
  return digit == kNone ? kNoBarrier : kNoBarrier + 1;
}

}  // namespace

std::string to_text(const ControlCode& code) {
  std::array<char, kDependenceBarriers> waits;
  for (unsigned i = 0; i < waits.size(); ++i)
    waits[i] = (code.wait_mask >> i & 1U) != 0 ? digit_of(i) : kNone;
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", std::string_view(waits.data(), waits.size()),
                     digit_of(code.read_barrier), digit_of(code.write_barrier), code.yield ? kYields : kNone,
                     unsigned{code.stall});
}

ControlCode control_code_of(std::string_view text) {
  ControlCode code{.is_given = true};
  if (text.size() != to_text(code).size()) return {};
  unsigned mask = 0;
  for (unsigned i = 0; i < kDependenceBarriers; ++i) mask |= text[kMask + i] != kNone ? 1U << i : 0U;
  code.wait_mask = mask & kEveryBarrier;
  code.read_barrier = barrier_of(text[kRead]) & kNoBarrier;
  code.write_barrier = barrier_of(text[kWrite]) & kNoBarrier;
  code.yield = text[kYield] == kYields;
  unsigned stall = 0;
  std::from_chars(text.data() + kStall, text.data() + text.size(), stall);
  code.stall = stall & kMostStall;
  // What is not said so is no code: a barrier 6, a stall count of 16, an x among dashes.
  return to_text(code) == text ? code : ControlCode{};
}

}  // namespace heddle::ir
