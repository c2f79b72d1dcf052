#include "isa/exec/memory.h"

#include <algorithm>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"

namespace heddle::exec {
namespace {

TEST_CASE("buffers lie in the order of allocation, 256-byte aligned, with gaps between them") {
  GlobalMemory memory;
  const std::uint64_t sizes[] = {1, 255, 256, 257, 0, 4096, 1'000'000};
  Addr end_of_last = 0;
  for (const std::uint64_t size : sizes) {
    const Buffer& buffer = memory.allocate("b", size);
    CHECK(buffer.address() % 256 == 0);
    CHECK(buffer.size() == size);
    CHECK(buffer.bytes().size() == size);
    if (end_of_last != 0) CHECK(buffer.address() >= end_of_last + 4096);
    end_of_last = buffer.address() + size;
  }
  CHECK(memory.buffers().size() == 7);
}

TEST_CASE("addresses depend on order and sizes alone") {
  GlobalMemory one;
  GlobalMemory other;
  for (const std::uint64_t size : {10U, 5'000U, 3U}) {
    CHECK(one.allocate("x", size).address() == other.allocate("another name", size).address());
  }
}

TEST_CASE("fresh buffers read as zero and keep what is written") {
  GlobalMemory memory;
  const Buffer& buffer = memory.allocate("data", 100'003);
  CHECK(std::all_of(buffer.bytes().begin(), buffer.bytes().end(),
                    [](std::byte b) { return b == std::byte{0}; }));
  const auto words = buffer.as<std::uint32_t>();
  REQUIRE(words.size() == 25'000);
  words[24'999] = 0x01020304;
  CHECK(buffer.bytes()[99'996] == std::byte{4});
  CHECK(buffer.as<std::uint64_t>().size() == 12'500);
}

TEST_CASE("a buffer holds the ranges that lie in it wholly") {
  GlobalMemory memory;
  const Buffer& buffer = memory.allocate("data", 100);
  const Addr begin = buffer.address();
  CHECK(buffer.holds(begin, 100));
  CHECK(buffer.holds(begin + 96, 4));
  CHECK(buffer.holds(begin + 100, 0));
  CHECK_FALSE(buffer.holds(begin + 97, 4));
  CHECK_FALSE(buffer.holds(begin - 1, 4));
  CHECK_FALSE(buffer.holds(begin + 101, 0));
  CHECK_FALSE(buffer.holds(begin, ~std::uint64_t{0}));
  CHECK_FALSE(buffer.holds(~Addr{0}, 4));
}

TEST_CASE("buffers are found by name and by address") {
  GlobalMemory memory;
  Buffer& first = memory.allocate("first", 100);
  Buffer& empty = memory.allocate("empty", 0);
  Buffer& last = memory.allocate("last", 64);
  CHECK(memory.find("first") == &first);
  CHECK(memory.find("empty") == &empty);
  CHECK(memory.find("none") == nullptr);
  CHECK(memory.buffer_at(first.address(), 100) == &first);
  CHECK(memory.buffer_at(first.address(), 101) == nullptr);
  CHECK(memory.buffer_at(first.address() - 1, 1) == nullptr);
  CHECK(memory.buffer_at(empty.address(), 1) == nullptr);
  CHECK(memory.buffer_at(last.address() + 60, 4) == &last);
  CHECK(memory.buffer_at(last.address() + 61, 4) == nullptr);
  CHECK(memory.buffer_at(0, 4) == nullptr);
  CHECK(memory.buffer_at(~Addr{0}, 4) == nullptr);
}

TEST_CASE("an access past a buffer's end does not fall into the next one") {
  GlobalMemory memory;
  const Buffer& first = memory.allocate("first", 256);
  memory.allocate("second", 256);
  for (std::uint64_t beyond = 0; beyond < 4096; beyond += 4) {
    REQUIRE(memory.buffer_at(first.address() + 256 + beyond, 4) == nullptr);
  }
}

TEST_CASE("a buffer that no machine can reserve is refused by name") {
  GlobalMemory memory;
  CHECK_THROWS_AS(memory.allocate("huge", std::uint64_t{1} << 62), InputError);
  CHECK_THROWS_AS(memory.allocate("huge", ~std::uint64_t{0}), InputError);
  try {
    memory.allocate("huge", std::uint64_t{1} << 50);
    FAIL("was not refused");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("'huge'") != std::string::npos);
  }
}

TEST_CASE("a great buffer takes memory only where it is touched") {
  GlobalMemory memory;
  const std::uint64_t bytes = std::uint64_t{1} << 40;  // more than there is
  const Buffer& buffer = memory.allocate("sparse", bytes);
  buffer.bytes()[bytes - 1] = std::byte{7};
  CHECK(buffer.bytes()[bytes / 2] == std::byte{0});
  CHECK(buffer.bytes()[bytes - 1] == std::byte{7});
}

TEST_CASE("a freed buffer holds nothing, and its addresses are not given again") {
  GlobalMemory memory;
  const Addr first = memory.allocate("first", 1000).address();
  Buffer& second = memory.allocate("second", 64);
  const Addr address = second.address();
  CHECK(memory.release(address));
  CHECK(memory.find("second") == nullptr);
  CHECK(memory.buffer_at(address, 4) == nullptr);
  CHECK_FALSE(second.holds(address, 4));  // whoever has kept a pointer to it
  CHECK(second.bytes().empty());
  CHECK(memory.allocate("third", 64).address() > address + 64);
  CHECK(memory.buffer_at(first, 1000)->name() == "first");
}

TEST_CASE("what is freed is known by each of its addresses, and by no other") {
  GlobalMemory memory;
  std::vector<Addr> begins;
  for (int i = 0; i < 6; ++i) begins.push_back(memory.allocate("b" + std::to_string(i), 100).address());
  for (const int i : {4, 1, 3}) CHECK(memory.release(begins[static_cast<std::size_t>(i)]));
  for (const std::size_t i : {1U, 3U, 4U}) {
    REQUIRE(memory.freed_at(begins[i]) != nullptr);
    CHECK(memory.freed_at(begins[i])->buffer->name() == "b" + std::to_string(i));
    CHECK(memory.freed_at(begins[i])->bytes == 100);
    CHECK(memory.freed_at(begins[i] + 99) == memory.freed_at(begins[i]));
    CHECK(memory.freed_at(begins[i] + 100) == nullptr);
    CHECK(memory.freed_at(begins[i] - 1) == nullptr);
  }
  for (const std::size_t i : {0U, 2U, 5U}) CHECK(memory.freed_at(begins[i]) == nullptr);
}

TEST_CASE("only the begin of a buffer that has not been freed can be freed, the others are left over") {
  GlobalMemory memory;
  const Addr kept = memory.allocate("kept", 100).address();
  const Addr freed = memory.allocate("freed", 100).address();
  CHECK_FALSE(memory.release(freed + 4));
  CHECK_FALSE(memory.release(0));
  CHECK(memory.release(freed));
  CHECK_FALSE(memory.release(freed));
  REQUIRE(memory.buffers().size() == 1);
  CHECK(memory.buffers()[0]->address() == kept);
}

}  // namespace
}  // namespace heddle::exec
