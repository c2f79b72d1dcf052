// Loads and stores of global memory against arrays, for all widths and every pattern of lane addresses.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

enum class Pattern { Contiguous, Backwards, Strided, Random, Broadcast, FewPlaces, SeveralBuffers };

constexpr Pattern kPatterns[] = {Pattern::Contiguous,    Pattern::Backwards, Pattern::Strided,
                                 Pattern::Random,        Pattern::Broadcast, Pattern::FewPlaces,
                                 Pattern::SeveralBuffers};

constexpr std::uint64_t kBufferBytes = 64 * 1024;

/// Three buffers of random words, and a copy to compare with.
struct Field {
  explicit Field(LaneValues& values) {
    for (const char* name : {"one", "two", "three"}) {
      buffers.push_back(&memory.allocate(name, kBufferBytes));
      for (std::uint32_t& word : buffers.back()->as<std::uint32_t>()) word = values.any_bits();
      before.emplace_back(buffers.back()->bytes().begin(), buffers.back()->bytes().end());
    }
  }
  [[nodiscard]] const std::byte* at(Addr address) const {
    const Buffer* buffer = memory.buffer_at(address, 1);
    return buffer == nullptr ? nullptr : buffer->bytes().data() + (address - buffer->address());
  }

  GlobalMemory memory;
  std::vector<const Buffer*> buffers;
  std::vector<std::vector<std::byte>> before;
};

std::uint64_t place_of(Pattern pattern, std::uint64_t thread, std::uint64_t elements, LaneValues& values) {
  switch (pattern) {
    case Pattern::Contiguous:
      return thread + 5;
    case Pattern::Backwards:
      return elements - 1 - thread;
    case Pattern::Strided:
      return 3 * thread;
    case Pattern::Broadcast:
      return 17;
    case Pattern::FewPlaces:
      return values.below(8);
    default:
      return values.below(static_cast<std::uint32_t>(elements));
  }
}

/// Which threads do not take part: none, some, or all but neighbours in the middle of each group of 16.
enum class Off { None, Some, Ends };

bool is_off(Off off, std::size_t thread, LaneValues& values) {
  return off == Off::Some ? values.one_in(3) : off == Off::Ends && (thread % 16 < 3 || thread % 16 > 12);
}

/// An address for each thread; 0 for those whose guard shall be false.
std::vector<Addr> addresses_of(Pattern pattern, std::size_t threads, unsigned bytes, const Field& field,
                               LaneValues& values, Off off) {
  std::vector<Addr> addresses;
  for (std::uint64_t t = 0; t < threads; ++t) {
    const Buffer& buffer = *field.buffers[pattern == Pattern::SeveralBuffers ? values.below(3) : 1];
    addresses.push_back(buffer.address() + bytes * place_of(pattern, t, kBufferBytes / bytes, values));
    if (is_off(off, t, values)) addresses.back() = 0;
  }
  return addresses;
}

/// R4 is the thread's address, R6 that of its own `words` words in the second array; P0: it takes part.
std::string prologue(unsigned words) {
  return fmt::format(R"(
.kernel access
.param addresses ptr
.param own ptr
    S2R R0, SR_CTAID.X
    S2R R1, SR_TID.X
    IMAD R0, R0, c[blockDim.x], R1
    IMAD.WIDE.U32 R2, R0, 0x8, c[addresses]
    LDG.E.64 R4, [R2.64]
    IMAD.WIDE.U32 R6, R0, {:#x}, c[own]
    ISETP.NE.U32.AND P0, PT, R5, RZ, PT
)",
                     4 * words);
}

const char* suffix_of(unsigned words) { return words == 4 ? ".128" : words == 2 ? ".64" : ""; }

struct Run {
  unsigned words;
  unsigned warp_size;
  Dim3 grid{3, 1, 1};
  Dim3 block{150, 1, 1};  // the last warp is partial for every warp size

  [[nodiscard]] std::size_t threads() const { return grid.x * block.x; }
};

void run_access(const Run& run, const std::string& body, Field& field, const std::vector<Addr>& addresses,
                const Buffer& own) {
  const Buffer& table = field.memory.allocate("addresses", 8 * addresses.size());
  std::copy(addresses.begin(), addresses.end(), table.as<Addr>().begin());
  run_kernel(
      {prologue(run.words) + body, run.grid, run.block, run.warp_size, {table.address(), own.address()}},
      field.memory);
}

/// Loads, with an offset that the addresses have less, and checks every thread's words.
void check_loads(const Run& run, Pattern pattern, Off off, std::int64_t offset, LaneValues& values) {
  Field field(values);
  const std::vector<Addr> addresses = addresses_of(pattern, run.threads(), 4 * run.words, field, values, off);
  const Buffer& own = field.memory.allocate("own", run.threads() * 4 * run.words);
  std::fill(own.bytes().begin(), own.bytes().end(), std::byte{0xee});
  std::vector<Addr> based = addresses;
  for (Addr& address : based) address -= address == 0 ? 0 : static_cast<Addr>(offset);
  const char* suffix = suffix_of(run.words);
  run_access(run,
             fmt::format("LDG.E{0} R8, [R6.64]\n@P0 LDG.E{0} R8, [R4.64+{1}]\nSTG.E{0} [R6.64], R8\nEXIT\n",
                         suffix, offset),
             field, based, own);
  const std::vector<std::byte> untouched(16, std::byte{0xee});
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < run.threads(); ++t) {
    const std::byte* expected = addresses[t] == 0 ? untouched.data() : field.at(addresses[t]);
    wrong += std::memcmp(own.bytes().data() + t * 4 * run.words, expected, 4 * run.words) != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("loads give each lane the words at its address") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const unsigned words = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = 0x10ad + warp_size + words;
  CAPTURE(warp_size, words, seed);
  LaneValues values(seed);
  for (const Pattern pattern : kPatterns) {
    CAPTURE(static_cast<int>(pattern));
    check_loads({words, warp_size}, pattern, Off::None, 0, values);
    check_loads({words, warp_size}, pattern, Off::Some, 0, values);
    check_loads({words, warp_size}, pattern, Off::Ends, 0x1230, values);
    check_loads({words, warp_size}, pattern, Off::Some, -0x710, values);
  }
}

/// What each address may hold after the stores: the words of any thread that stored there.
void check_stored(const Run& run, const Field& field, const std::vector<Addr>& addresses, const Buffer& own) {
  const std::size_t bytes = 4 * run.words;
  std::set<Addr> stored;
  std::size_t wrong = 0;
  for (const Addr address : addresses) {
    if (address == 0 || !stored.insert(address).second) continue;
    bool is_somebodys = false;
    for (std::size_t t = 0; t < addresses.size() && !is_somebodys; ++t) {
      is_somebodys = addresses[t] == address &&
                     std::memcmp(field.at(address), own.bytes().data() + t * bytes, bytes) == 0;
    }
    wrong += is_somebodys ? 0 : 1;
  }
  CHECK(wrong == 0);
  // All else is as before.
  std::size_t changed = 0;
  for (std::size_t b = 0; b < field.buffers.size(); ++b) {
    for (std::size_t at = 0; at < kBufferBytes; at += bytes) {
      const bool differs =
          std::memcmp(field.before[b].data() + at, field.buffers[b]->bytes().data() + at, bytes) != 0;
      changed += differs && !stored.contains(field.buffers[b]->address() + at);
    }
  }
  CHECK(changed == 0);
}

void check_stores(const Run& run, Pattern pattern, Off off, LaneValues& values) {
  Field field(values);
  const std::vector<Addr> addresses = addresses_of(pattern, run.threads(), 4 * run.words, field, values, off);
  const Buffer& own = field.memory.allocate("own", run.threads() * 4 * run.words);
  for (std::uint32_t& word : own.as<std::uint32_t>()) word = values.any_bits();
  const char* suffix = suffix_of(run.words);
  run_access(run, fmt::format("LDG.E{0} R8, [R6.64]\n@P0 STG.E{0} [R4.64], R8\nEXIT\n", suffix), field,
             addresses, own);
  check_stored(run, field, addresses, own);
}

TEST_CASE("stores put each lane's words at its address and nowhere else") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const unsigned words = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = 0x5704e + warp_size + words;
  CAPTURE(warp_size, words, seed);
  LaneValues values(seed);
  for (const Pattern pattern : kPatterns) {
    CAPTURE(static_cast<int>(pattern));
    check_stores({words, warp_size}, pattern, Off::None, values);
    check_stores({words, warp_size}, pattern, Off::Some, values);
    check_stores({words, warp_size}, pattern, Off::Ends, values);
  }
}

TEST_CASE("a load may overwrite its own address, and one to RZ changes nothing") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 64 * 16);
  for (std::size_t i = 0; i < 256; ++i) data.as<std::uint32_t>()[i] = static_cast<std::uint32_t>(1000 + i);
  const Buffer& out = memory.allocate("out", 64 * 16);
  run_kernel({R"(
.kernel own
.param data ptr
.param out ptr
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R4, R0, 0x10, c[data]
    IMAD.WIDE.U32 R8, R0, 0x10, c[out]
    LDG.E.128 RZ, [R4.64]
    LDG.E.128 R4, [R4.64]
    STG.E.128 [R8.64], R4
    EXIT
)",
              {1, 1, 1},
              {64, 1, 1},
              32,
              {data.address(), out.address()}},
             memory);
  CHECK(std::equal(data.bytes().begin(), data.bytes().end(), out.bytes().begin()));
}

TEST_CASE("stores of RZ write zeros") {
  const unsigned words = GENERATE(1U, 2U, 4U);
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 32 * 16);
  std::fill(data.bytes().begin(), data.bytes().end(), std::byte{0xff});
  run_kernel(
      {fmt::format(".kernel k\n.param data ptr\nS2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x10, c[data]\n"
                   "STG.E{} [R2.64], RZ\nEXIT\n",
                   suffix_of(words)),
       {1, 1, 1},
       {32, 1, 1},
       32,
       {data.address()}},
      memory);
  for (std::size_t i = 0; i < data.size(); ++i) {
    REQUIRE(data.bytes()[i] == (i % 16 < 4 * words ? std::byte{0} : std::byte{0xff}));
  }
}

}  // namespace
}  // namespace heddle::exec
