// Machine code that nvcc made of ordinary kernels computes what their sources say: tests/isa/compiled has
// both.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>

#include "isa/base/read_file.h"
#include "isa/text/assemble.h"
#include "tests/isa/compiled/host_kernels.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

using Words = std::vector<std::uint32_t>;

constexpr unsigned kBlocks = 4;
constexpr unsigned kBlockThreads = 128;
constexpr unsigned kThreads = kBlocks * kBlockThreads;
constexpr unsigned kResults = 4 * kThreads;
constexpr std::uint32_t kSmall = 5;             // the m of the sources
constexpr std::uint32_t kSharedBytes = 2048;  // more than any kernel has; cuobjdump -sass does not say how many

/// Small numbers, large ones, negative ones, and those near a power of two.
Words numbers(std::uint32_t seed) {
  std::mt19937 source(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(source()); };
  Words words(kThreads);
  for (std::uint32_t& word : words) {
    word = random() >> (random() % 4 * 8);
    if (random() % 8 == 0) word = (1U << random() % 31) - 1 + random() % 3;
    if (random() % 8 == 0) word = 0 - word;
  }
  return words;
}

std::vector<std::string> dumps() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tests/isa/compiled")) {
    if (entry.path().extension() == ".sass") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void fill(const Buffer& buffer, const Words& words) {
  std::copy(words.begin(), words.end(), buffer.as<std::uint32_t>().begin());
}

Words result_of(const ir::Kernel& kernel, const Words& a, const Words& b, Divergence divergence) {
  GlobalMemory memory;
  Launch launch;
  launch.kernel = kernel;
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kBlockThreads, 1, 1};
  launch.dynamic_shared_bytes = kSharedBytes;
  Words params;
  for (const auto& [name, words] : {std::pair{"a", a}, std::pair{"b", b}, std::pair{"o", Words(kResults)}}) {
    const Buffer& buffer = memory.allocate(name, 4 * words.size());
    fill(buffer, words);
    params.push_back(static_cast<std::uint32_t>(buffer.address()));
    params.push_back(static_cast<std::uint32_t>(buffer.address() >> 32));
  }
  params.insert(params.end(), {kThreads, kSmall});
  const auto bytes = std::as_bytes(std::span(params));
  launch.params.assign(bytes.begin(), bytes.end());
  LiveKernel live(std::move(launch), memory, 32, divergence);
  run_functionally(live);
  const auto words = memory.find("o")->as<std::uint32_t>();
  return {words.begin(), words.end()};
}

std::string difference(const Words& found, const Words& expected) {
  const auto [at, wanted] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (at == found.end()) return "";
  return fmt::format("o[{}] is {:#x} instead of {:#x}", at - found.begin(), *at, *wanted);
}

/// No kernel of a dump is passed over: it is of one file or the other.
template <typename Check>
void check_dumps(Check check) {
  for (const std::string& path : dumps()) {
    for (const ir::Kernel& kernel : text::assemble(read_file(path), path)) check(path, kernel);
  }
}

TEST_CASE("machine code of kernels whose threads do not see one another computes what the host's does") {
  const Words a = numbers(1);
  const Words b = numbers(2);
  std::size_t compared = 0;
  check_dumps([&](const std::string& path, const ir::Kernel& kernel) {
    const auto is_it = [&](const HostKernel& host) { return host.name == kernel.name; };
    const auto host = std::find_if(host_kernels().begin(), host_kernels().end(), is_it);
    if (host == host_kernels().end()) return;
    Words expected(kResults);
    run_on_host(*host, kBlocks, kBlockThreads, a, b, expected, kSmall);
    for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
      CAPTURE(path, kernel.name, divergence);
      CHECK(difference(result_of(kernel, a, b, divergence), expected) == "");
    }
    ++compared;
  });
  CHECK(compared == dumps().size() * host_kernels().size());
}

// -- threads that work together ----------------------------------------------------------------------------

/// What a kernel of warp_wide.inc leaves; `begin` and `end`: the threads of a warp or block.
struct Together {
  std::string_view name;
  unsigned group;  ///< Threads in a group that sees one another.
  void (*run_group)(const Words& a, const Words& b, Words& o, unsigned begin, unsigned end);
};

constexpr unsigned kWarp = 32;

unsigned count(const Words& a, unsigned begin, unsigned end, std::uint32_t bit) {
  return static_cast<unsigned>(
      std::count_if(a.begin() + begin, a.begin() + end, [bit](std::uint32_t x) { return (x & bit) != 0; }));
}

std::uint32_t sum(const Words& a, unsigned begin, unsigned end) {
  return std::accumulate(a.begin() + begin, a.begin() + end, 0U);
}

const Together kTogether[] = {
    {"shuffle_sum", kThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) { o[0] = sum(a, begin, end); }},
    {"shuffle_scan", kWarp,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       std::uint32_t total = 0;
       for (unsigned i = begin; i < end; ++i) o[i] = total += a[i] & 0xffff;
     }},
    {"ballot", kWarp,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned end) {
       const bool any =
           std::any_of(a.begin() + begin, a.begin() + end, [](std::uint32_t x) { return x > 0xf0000000U; });
       const bool all =
           std::all_of(b.begin() + begin, b.begin() + end, [](std::uint32_t x) { return x != 7; });
       for (unsigned i = begin; i < end; ++i)
         o[i] = count(a, begin, i, 1) + (any ? 100 : 0) + (all ? 1000 : 0);
     }},
    {"ballot_uniform", kWarp,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned end) {
       unsigned holds = 0;
       unsigned first = end;
       for (unsigned i = end; i-- > begin;) {
         if (a[i] <= b[i]) continue;
         ++holds;
         first = i;
       }
       for (unsigned i = begin; i < end; ++i) o[i] = holds == 0 ? 5 : 100 * holds + first - begin;
     }},
    {"aggregated", kThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       o[0] = count(a, begin, end, 1);
       std::fill_n(o.begin() + 1, o[0], 1U);
     }},
    {"reduce_warp", kWarp,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned end) {
       const auto as_signed = [](std::uint32_t x, std::uint32_t y) {
         return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
       };
       const std::uint32_t least = *std::min_element(a.begin() + begin, a.begin() + end);
       const std::uint32_t most = *std::max_element(b.begin() + begin, b.begin() + end, as_signed);
       const std::uint32_t parity = std::accumulate(b.begin() + begin, b.begin() + end, 0U, std::bit_xor<>());
       for (unsigned i = begin; i < end; ++i) o[i] = sum(a, begin, end) + 3 * least + 5 * most + parity;
     }},
    {"reduce_block", kBlockThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       o[begin / kBlockThreads] = sum(a, begin, end);
     }},
    {"reverse_block", kBlockThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       for (unsigned i = begin; i < end; ++i) o[i] = a[begin + end - 1 - i];
     }},
    {"histogram", kThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       for (unsigned i = begin; i < end; ++i) ++o[a[i] & 63];
     }},
    {"matmul_tile", kBlockThreads,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned) {
       const unsigned first = begin / 2;  // a block has 64 elements
       for (unsigned i = 0; i < 64; ++i) {
         for (unsigned k = 0; k < 8; ++k) o[first + i] += a[first + i / 8 * 8 + k] * b[first + k * 8 + i % 8];
       }
     }},
    {"syncs_count", kBlockThreads,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       const bool any =
           std::any_of(a.begin() + begin, a.begin() + end, [](std::uint32_t x) { return x > 0xfff00000U; });
       for (unsigned i = begin; i < end; ++i) o[i] = count(a, begin, end, 1) + (any ? 1000 : 0);
     }},
    {"atomics", kThreads,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned end) {
       std::uint64_t wide = 0;
       for (unsigned i = begin; i < end; ++i) {
         o[0] = std::max(o[0], a[i]);
         o[1] = static_cast<std::uint32_t>(
             std::min(static_cast<std::int32_t>(o[1]), static_cast<std::int32_t>(a[i])));
         o[2] ^= b[i];
         o[3] |= b[i];
         o[5] = o[5] >= 100 ? 0 : o[5] + 1;
         o[6] -= a[i];
         wide += std::uint64_t{a[i]} << 16;
       }
       o[8] = static_cast<std::uint32_t>(wide);
       o[9] = static_cast<std::uint32_t>(wide >> 32);
     }},
    {"match", kWarp,
     [](const Words& a, const Words&, Words& o, unsigned begin, unsigned end) {
       for (unsigned i = begin; i < end; ++i) {
         for (unsigned j = begin; j < end; ++j)
           o[i] |= static_cast<std::uint32_t>((a[i] & 3) == (a[j] & 3)) << (j - begin);
       }
     }},
    {"warp_leader_loop", kWarp,
     [](const Words& a, const Words& b, Words& o, unsigned begin, unsigned end) {
       std::uint32_t total = 0;
       for (unsigned i = begin; i < end; ++i) total += (a[i] & 4) != 0 ? b[i] ^ (i - begin) : 0;
       for (unsigned i = begin; i < end; ++i) o[i] = total + i - begin;
     }},
};

TEST_CASE("machine code of kernels whose threads work together leaves what their sources say") {
  const Words a = numbers(3);
  const Words b = numbers(4);
  std::size_t compared = 0;
  check_dumps([&](const std::string& path, const ir::Kernel& kernel) {
    const auto is_it = [&](const Together& each) { return each.name == kernel.name; };
    const auto* together = std::find_if(std::begin(kTogether), std::end(kTogether), is_it);
    if (together == std::end(kTogether)) return;
    Words expected(kResults);
    for (unsigned begin = 0; begin < kThreads; begin += together->group)
      together->run_group(a, b, expected, begin, begin + together->group);
    for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
      CAPTURE(path, kernel.name, divergence);
      CHECK(difference(result_of(kernel, a, b, divergence), expected) == "");
    }
    ++compared;
  });
  CHECK(compared == dumps().size() * std::size(kTogether));
}

}  // namespace
}  // namespace heddle::exec
