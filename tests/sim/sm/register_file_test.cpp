// Ports of register banks, and the registers kept beside them.
#include "sim/sm/register_file.h"

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

constexpr std::uint8_t kNone = ir::kRegisterZero;
constexpr Cycle kLong = 100;  // all ports are free again

stream::RegisterReads reads(std::array<std::uint8_t, 3> registers, std::uint8_t kept = 0) {
  return {registers, kept, true};
}

/// How late a reader of three registers of the even bank is when it comes at the same time, in a window of
/// three cycles: one cycle for each port that the first one has taken.
Cycle ports_taken(RegisterFile& file, unsigned warp, const stream::RegisterReads& first, Cycle now) {
  REQUIRE(file.read(warp, first, now) == 0);
  return file.read(warp + 1, reads({40, 42, 44}), now);
}

TEST_CASE("a bank gives one register a cycle, and what is beyond the window comes late") {
  RegisterFile file({.banks = 2, .read_window = 3});
  CHECK(file.read(0, reads({10, 12, 14}), 0) == 0);
  CHECK(file.read(0, reads({16, 19, 21}), 1) == 0);
  CHECK(file.read(0, reads({16, 18, 21}), 2) == 1);
  CHECK(file.read(0, reads({16, 18, 20}), kLong) == 0);
  RegisterFile narrow({.banks = 2, .read_window = 1});
  CHECK(narrow.read(0, reads({10, 12, 14}), 0) == 2);
  CHECK(narrow.read(0, reads({1, kNone, kNone}), 0) == 0);
}

TEST_CASE("register r lies in bank r mod banks, without banks nothing is late") {
  RegisterFile four({.banks = 4, .read_window = 1});
  CHECK(four.read(0, reads({0, 2, 5}), 0) == 0);
  CHECK(four.read(0, reads({0, 4, 5}), kLong) == 1);
  CHECK(four.read(0, reads({1, 5, 9}), 2 * kLong) == 2);
  RegisterFile none({.banks = 0, .read_window = 1});
  CHECK(none.read(0, reads({1, 5, 9}), 0) == 0);
}

TEST_CASE("a register that is named twice is read once") {
  RegisterFile file({.banks = 2, .read_window = 3});
  CHECK(ports_taken(file, 0, reads({2, 2, 2}), 0) == 1);
  CHECK(ports_taken(file, 0, reads({2, 4, 2}), kLong) == 2);
}

// The four listings of arXiv 2503.20481 on the reuse cache.
TEST_CASE("a kept register saves its port to the next reader of its bank and operand slot") {
  const auto after = [](std::vector<stream::RegisterReads> earlier, const stream::RegisterReads& last) {
    RegisterFile file({.banks = 2, .read_window = 3});
    Cycle now = 0;
    for (const stream::RegisterReads& each : earlier) file.read(0, each, now += kLong);
    return ports_taken(file, 0, last, now + kLong);
  };
  const auto keeper = reads({2, 3, 4}, 0b001);
  CHECK(after({}, reads({2, 7, 9})) == 1);
  CHECK(after({keeper}, reads({2, 7, 9})) == 0);
  // The second reader has to keep it for the third.
  CHECK(after({keeper, reads({2, 7, 9})}, reads({2, 13, 15})) == 1);
  CHECK(after({keeper, reads({2, 7, 9}, 0b001)}, reads({2, 13, 15})) == 0);
  // In another operand slot it is not found, and stays.
  CHECK(after({keeper}, reads({7, 2, 9})) == 1);
  CHECK(after({keeper, reads({7, 2, 9})}, reads({2, 13, 15})) == 0);
  // Another register of the bank in the slot takes its place.
  CHECK(after({keeper, reads({4, 7, 9})}, reads({2, 13, 15})) == 1);
}

TEST_CASE("a register is kept for its own warp") {
  RegisterFile file({.banks = 2, .read_window = 3});
  file.read(1, reads({2, 3, kNone}, 0b001), 0);
  CHECK(ports_taken(file, 1, reads({2, kNone, kNone}), kLong) == 0);
  file.read(1, reads({2, 3, kNone}, 0b001), 2 * kLong);
  CHECK(ports_taken(file, 5, reads({2, kNone, kNone}), 3 * kLong) == 1);
}

}  // namespace
}  // namespace heddle::sim
