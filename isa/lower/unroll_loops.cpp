#include "isa/lower/unroll_loops.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "isa/lower/counted_loop.h"
#include "isa/lower/loop_copies.h"
#include "isa/lower/moved_labels.h"
#include "isa/lower/ptx_statements.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using Kind = Operand::Kind;

// Instructions that ptxas 13.0 leaves, from loops of FFMA, of LDG and FFMA, and of LDG, FFMA and STG of 1 to
// 100 instructions a round.
constexpr std::uint64_t kMostInFactor = 216;
constexpr std::uint64_t kMostWithRest = 240;
constexpr std::uint64_t kMostWhenUnknown = 24;

/// What a loop that is unrolled wholly may have: the more, the less its rounds have beside what advances and
/// compares.
std::uint64_t most_in_whole(std::uint64_t cost) {
  if (cost <= 8) return 1024;
  if (cost <= 20) return 480;
  return cost <= 26 ? 390 : 290;
}

/// How a loop of known rounds is written: `rounds / factor` times `factor` copies, then the rest.
struct Unrolling {
  std::uint32_t factor = 1;
  std::uint32_t rest = 0;
};

Unrolling unrolling_of(const CountedLoop& loop) {
  const std::uint64_t rounds = *loop.rounds;
  const std::uint64_t cost = std::max(1U, loop.cost());
  if (rounds * cost <= most_in_whole(cost)) return {static_cast<std::uint32_t>(rounds), 0};
  for (std::uint64_t factor = std::min(rounds, kMostInFactor / cost); factor >= 2; --factor) {
    if (factor * cost + rounds % factor * cost > kMostWithRest) continue;
    return {static_cast<std::uint32_t>(factor), static_cast<std::uint32_t>(rounds % factor)};
  }
  return {};
}

/// How far the counter moves in so many rounds.
std::uint64_t steps(const CountedLoop& loop, std::uint64_t count) {
  return count * static_cast<std::uint64_t>(loop.step < 0 ? -loop.step : loop.step);
}

Modifier with_sign(Modifier type, bool is_signed) {
  const bool is_wide = ptx::info(type).bits == 64;
  if (is_signed) return is_wide ? Modifier::S64 : Modifier::S32;
  return is_wide ? Modifier::U64 : Modifier::U32;
}

/// The word of a comparison after which the loop goes on, or of its opposite.
Modifier word_of(GoesOn condition, bool opposite) {
  switch (condition) {
    case GoesOn::Less: return opposite ? Modifier::Ge : Modifier::Lt;
    case GoesOn::LessOrEqual: return opposite ? Modifier::Gt : Modifier::Le;
    case GoesOn::Greater: return opposite ? Modifier::Le : Modifier::Gt;
    case GoesOn::GreaterOrEqual: return opposite ? Modifier::Lt : Modifier::Ge;
    default: return opposite ? Modifier::Eq : Modifier::Ne;
  }
}

/// Writes one loop anew behind the instructions of the new body.
class Unrolled {
 public:
  Unrolled(ptx::Function& function, const LoopFinder& finder, const CountedLoop& loop,
           std::vector<Instruction>& to)
      : function_(function),
        loop_(loop),
        branch_(function.body[loop.end]),
        write_(branch_),
        copies_(function, finder, loop),
        to_(to) {}

  void known(const Unrolling& how) {
    const std::uint64_t times = *loop_.rounds / how.factor;
    const std::uint32_t begin = here();
    copies_.append(to_, how.factor);
    if (times > 1) {
      const std::uint64_t rest = *loop_.rounds - times * how.factor;
      const std::uint32_t goes_on = compare(Modifier::Ne, false, counter(), number(last_value(rest)));
      jump(begin, goes_on);
    }
    if (how.rest != 0) copies_.append(to_, how.rest);
  }

  /// Four rounds at a time while there are as many, then two, then one.
  void unknown() {
    std::vector<std::size_t> to_one;
    std::vector<std::size_t> to_end;
    const bool counts_exactly = loop_.goes_on == GoesOn::NotEqual;
    if (!counts_exactly) to_one.push_back(leave(word_of(loop_.goes_on, true), loop_.limit));
    const std::size_t to_rest = skip_unless(3, counts_exactly);
    const Operand limit = counts_exactly ? Operand{} : limit_before(3);
    const std::uint32_t begin = here();
    copies_.append(to_, 4);
    if (counts_exactly) {
      jump(begin, compare(Modifier::Gt, false, remaining(), number(steps(loop_, 3))));
    } else {
      jump(begin, compare(word_of(loop_.goes_on, false), is_signed(), counter(), limit));
    }
    to_end.push_back(leave(word_of(loop_.goes_on, true), loop_.limit));
    land(to_rest);
    to_one.push_back(skip_unless(1, counts_exactly));
    copies_.append(to_, 2);
    to_end.push_back(leave(word_of(loop_.goes_on, true), loop_.limit));
    for (const std::size_t one : to_one) land(one);
    // Mostly this is the last round. It is not where the counter goes past the ends of its type.
    const std::uint32_t one_begin = here();
    copies_.append(to_, 1);
    jump(one_begin, compare(word_of(loop_.goes_on, false), is_signed(), counter(), loop_.limit));
    for (const std::size_t one : to_end) land(one);
  }

 private:
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(to_.size()); }
  [[nodiscard]] Operand counter() const { return register_operand(loop_.counter); }
  [[nodiscard]] bool is_signed() const { return ptx::info(loop_.type).kind == ptx::TypeKind::Signed; }

  [[nodiscard]] Operand number(std::uint64_t bits) const {
    return number_operand(ptx::info(loop_.type).bits == 64 ? bits : bits & 0xffffffff);
  }

  /// The counter's value with so many rounds left of a number that is known.
  [[nodiscard]] std::uint64_t last_value(std::uint64_t rest) const {
    return loop_.first + static_cast<std::uint64_t>(loop_.step) * (*loop_.rounds - rest);
  }

  std::uint32_t compare(Modifier word, bool is_signed, Operand one, Operand other) {
    const std::uint32_t reg = add_register(function_, "unrolled", Modifier::Pred);
    const bool has_sign = word != Modifier::Ne && word != Modifier::Eq && is_signed;
    to_.push_back(write_.make(Opcode::Setp, {word, with_sign(loop_.type, has_sign)},
                              {register_operand(reg), std::move(one), std::move(other)}));
    return reg;
  }

  void jump(std::uint32_t index, std::uint32_t predicate) {
    to_.push_back(write_.jump(index, {predicate, false}));
  }

  /// A jump to somewhere that is not known yet, where the counter compares so.
  std::size_t leave(Modifier word, const Operand& limit) {
    jump(0, compare(word, is_signed(), counter(), limit));
    return to_.size() - 1;
  }

  void land(std::size_t jump) { to_[jump].operands[0].index = here(); }

  Operand difference(Operand one, Operand other) {
    const Modifier type = with_sign(loop_.type, true);
    Operand made = register_operand(add_register(function_, "unrolled", loop_.type));
    to_.push_back(write_.make(Opcode::Sub, {type}, {made, std::move(one), std::move(other)}));
    return made;
  }

  /// How far the counter is from its limit; the limit may be 0, and the counter the distance.
  Operand remaining() {
    const bool is_zero = loop_.limit.kind == Kind::Integer && loop_.limit.bits == 0;
    if (is_zero && loop_.step < 0) return counter();
    return loop_.step > 0 ? difference(loop_.limit, counter()) : difference(counter(), loop_.limit);
  }

  /// A jump where no more than `count` rounds follow the next one. Where the loop ends when counter and limit
  /// are the same, as many rounds as numbers follow if they are now.
  std::size_t skip_unless(std::uint64_t count, bool counts_exactly) {
    Operand distance = remaining();
    const bool takes_last = loop_.goes_on == GoesOn::LessOrEqual || loop_.goes_on == GoesOn::GreaterOrEqual;
    std::uint64_t most = steps(loop_, count);
    if (counts_exactly) {
      distance = difference(distance, number_operand(1));
      --most;
    } else if (takes_last) {
      --most;
    }
    jump(0, compare(Modifier::Le, false, distance, number(most)));
    return to_.size() - 1;
  }

  /// The limit for `count` rounds more.
  Operand limit_before(std::uint64_t count) {
    const std::uint64_t distance = static_cast<std::uint64_t>(loop_.step) * count;
    if (loop_.limit.kind == Kind::Integer) return number(loop_.limit.bits - distance);
    Operand by = number_operand(distance);
    by.is_negative = loop_.step < 0;
    return difference(loop_.limit, by);
  }

  ptx::Function& function_;
  const CountedLoop& loop_;
  const Instruction branch_;
  Statements write_;
  LoopCopies copies_;
  std::vector<Instruction>& to_;
};

}  // namespace

void unroll_loops(ptx::Function& function) {
  const LoopFinder finder(function);
  std::vector<CountedLoop> loops = finder.find();
  std::erase_if(loops, [](const CountedLoop& loop) {
    return loop.rounds ? unrolling_of(loop).factor <= 1 && *loop.rounds > 1 : loop.cost() > kMostWhenUnknown;
  });
  if (loops.empty()) return;
  std::vector<Instruction> body;
  Moved starts(function.body.size() + 1);
  std::vector<bool> is_own;  // whether labels are those of the old body
  auto loop = loops.begin();
  for (std::uint32_t at = 0; at < function.body.size(); ++at) {
    starts[at] = static_cast<std::uint32_t>(body.size());
    if (loop == loops.end() || at != loop->begin) {
      body.push_back(function.body[at]);
      is_own.push_back(true);
      continue;
    }
    Unrolled unrolled(function, finder, *loop, body);
    if (loop->rounds) {
      unrolled.known(unrolling_of(*loop));
    } else {
      unrolled.unknown();
    }
    is_own.resize(body.size(), false);
    // Nothing jumps to what lies within it; a pragma may stand there.
    std::fill(starts.begin() + at, starts.begin() + loop->end + 1, starts[at]);
    at = loop->end;
    ++loop;
  }
  starts.back() = static_cast<std::uint32_t>(body.size());
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (is_own[at]) move_labels(body[at], starts);
  }
  move_tables(function, function.branch_tables.size(), function.pragmas.size(), starts);
  function.body = std::move(body);
}

}  // namespace heddle::lower
