#include "tools/launch/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/launch/launch_file.h"
#include "tools/launch/npy.h"

namespace heddle::launch {
namespace {

/// Loads a launch with these buffers.
LaunchFile load_with(const ScratchFolder& folder, const std::string& buffers) {
  folder.write("exit.sass", ".kernel nothing\n    EXIT\n");
  const std::string text = "kernel: exit.sass\nvalues: {n: 8}\ngrid: 1\nblock: 1\nbuffers:\n" + buffers;
  return load_launch(folder.write("fill.yaml", text));
}

/// The elements of one buffer with this fill.
template <typename Element>
std::vector<Element> filled(const std::string& type, std::uint64_t count, const std::string& fill) {
  const ScratchFolder folder;
  const LaunchFile file =
      load_with(folder, fmt::format("  x: {{type: {}, count: {}, fill: {}}}\n", type, count, fill));
  const auto elements = file.memory.find("x")->as<const Element>();
  return {elements.begin(), elements.end()};
}

TEST_CASE("Zeros, ramps and single values fill a buffer") {
  CHECK(filled<float>("f32", 3, "zeros") == std::vector<float>{0, 0, 0});
  CHECK(filled<float>("f32", 4, "ramp") == std::vector<float>{0, 1, 2, 3});
  CHECK(filled<std::int32_t>("s32", 4, "{ramp: {start: 5, step: -3}}") ==
        std::vector<std::int32_t>{5, 2, -1, -4});
  CHECK(filled<double>("f64", 3, "{ramp: {start: 1, step: 0.25}}") == std::vector<double>{1, 1.25, 1.5});
  CHECK(filled<std::uint8_t>("u8", 256, "ramp").back() == 255);
  CHECK(filled<std::int64_t>("s64", 2, "{ramp: {step: 1 << 62}}") == std::vector<std::int64_t>{0, 1LL << 62});
  CHECK(filled<std::uint32_t>("u32", 2, "{value: n * n}") == std::vector<std::uint32_t>{64, 64});
  CHECK(filled<float>("f32", 1, "{value: 0.1}") == std::vector<float>{0.1F});
}

TEST_CASE("Random whole numbers reach both ends of their range and nothing else") {
  const auto numbers = filled<std::int32_t>("s32", 4000, "{random: {seed: 7, min: -2, max: 2}}");
  for (int value = -2; value <= 2; ++value) {
    const auto times = std::count(numbers.begin(), numbers.end(), value);
    INFO(value << " came " << times << " times");
    CHECK(times > 700);  // 800 expected, standard deviation 25
    CHECK(times < 900);
  }
  CHECK(*std::min_element(numbers.begin(), numbers.end()) == -2);
  CHECK(*std::max_element(numbers.begin(), numbers.end()) == 2);
}

TEST_CASE("Random floats spread evenly over their range") {
  const auto numbers = filled<float>("f32", 10000, "{random: {min: -1, max: 3}}");
  double sum = 0;
  for (const float number : numbers) {
    REQUIRE(number >= -1.0F);
    REQUIRE(number <= 3.0F);
    sum += static_cast<double>(number);
  }
  CHECK(sum / 10000 == Approx(1).margin(0.06));  // standard deviation of the mean 0.0115
}

TEST_CASE("Random numbers are the same on every machine") {
  // The 10000th draw of mt19937_64 with its default seed is fixed by the C++ standard; its top 24 bits make
  // the float.
  const auto numbers = filled<float>("f32", 10000, "{random: {seed: 5489}}");
  CHECK(numbers.back() == static_cast<float>(9981545732273789042ULL >> 40) / 16777216.0F);
  CHECK(filled<float>("f32", 5, "random") == filled<float>("f32", 5, "{random: {seed: 1, min: 0, max: 1}}"));
  CHECK(filled<float>("f32", 5, "random") != filled<float>("f32", 5, "{random: {seed: 2}}"));
}

TEST_CASE("A sorted fill is the random one in order") {
  auto random = filled<double>("f64", 1000, "{random: {seed: 3, min: -5, max: 5}}");
  const auto sorted = filled<double>("f64", 1000, "{sorted: {seed: 3, min: -5, max: 5}}");
  CHECK(random != sorted);
  std::sort(random.begin(), random.end());
  CHECK(random == sorted);
}

TEST_CASE("An expression gives each element, and may read the buffers above") {
  const ScratchFolder folder;
  const LaunchFile file = load_with(folder, R"(  a: {type: u32, count: n, fill: {each: "i * i"}}
  b: {type: f32, count: n, fill: {each: "a[n - 1 - i] / 2"}}
  c: {type: u32, count: n, fill: {each: {value: i + 1, every: 3}}}
)");
  CHECK(file.memory.find("a")->as<std::uint32_t>()[7] == 49);
  CHECK(file.memory.find("b")->as<float>()[0] == 24.5F);
  const auto sparse = file.memory.find("c")->as<std::uint32_t>();
  CHECK(std::vector<std::uint32_t>(sparse.begin(), sparse.end()) ==
        std::vector<std::uint32_t>{1, 0, 0, 4, 0, 0, 7, 0});
}

/// The elements at which a chain arrives, from element 0 until it comes back there.
template <typename Element>
std::vector<std::size_t> followed(const std::vector<Element>& chain, Element first = 0) {
  std::vector<std::size_t> visited;
  std::size_t at = 0;
  do {
    visited.push_back(at);
    at = static_cast<std::size_t>(chain.at(at) - first) / sizeof(Element);
  } while (at != 0 && visited.size() <= chain.size());
  return visited;
}

TEST_CASE("Elements of u64 take all their bits, by number and by expression") {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  CHECK(filled<std::uint64_t>("u64", 1, "{value: 18446744073709551615}")[0] == kAll);
  CHECK(filled<std::uint64_t>("u64", 1, "{value: 0xffffffffffffffff}")[0] == kAll);
  CHECK(filled<std::uint64_t>("u64", 1, "{value: 9223372036854775808}")[0] == kAll / 2 + 1);
  CHECK(filled<std::uint64_t>("u64", 3, "{each: \"0xffffffffffffffff - i\"}") ==
        std::vector<std::uint64_t>{kAll, kAll - 1, kAll - 2});
  const ScratchFolder folder;
  const auto message = [&](const std::string& value) {
    try {
      load_with(folder, fmt::format("  x: {{type: u64, count: 1, fill: {{value: {}}}}}\n", value));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(message("0x10000000000000001").find("0x10000000000000001 does not fit u64") != std::string::npos);
  CHECK(message("-1").find("-1 does not fit u64") != std::string::npos);
  CHECK(message("18446744073709551616").find("1.8446744073709552e+19 does not fit u64") != std::string::npos);
}

TEST_CASE("Ramps and random numbers of u64 reach beyond what is signed") {
  using Numbers = std::vector<std::uint64_t>;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  CHECK(filled<std::uint64_t>("u64", 2, "{ramp: {start: 0x8000000000000000}}") == Numbers{kHalf, kHalf + 1});
  CHECK(filled<std::uint64_t>("u64", 3, "{ramp: {start: 9223372036854775807}}") ==
        Numbers{kHalf - 1, kHalf, kHalf + 1});
  CHECK(filled<std::uint64_t>("u64", 3, "{ramp: {start: 0xffffffffffffffff, step: -(1 << 62)}}") ==
        Numbers{kAll, kAll - (kHalf >> 1), kAll - kHalf});
  CHECK(filled<std::uint64_t>("u64", 3, "{ramp: {step: 9223372036854775807}}") ==
        Numbers{0, kHalf - 1, kAll - 1});

  const auto all = filled<std::uint64_t>("u64", 4000, "{random: {min: 0, max: 0xffffffffffffffff}}");
  const auto high =
      std::count_if(all.begin(), all.end(), [](std::uint64_t number) { return number >= kHalf; });
  CHECK(std::abs(high - 2000) < 160);  // standard deviation 32
  const std::string around = "{min: 0x7ffffffffffffffe, max: 0x8000000000000001}";
  const auto few = filled<std::uint64_t>("u64", 400, "{random: " + around + "}");
  for (std::uint64_t number = kHalf - 2; number <= kHalf + 1; ++number)
    CHECK(std::count(few.begin(), few.end(), number) > 60);  // 100 expected, standard deviation 9
  CHECK(*std::min_element(few.begin(), few.end()) == kHalf - 2);
  CHECK(*std::max_element(few.begin(), few.end()) == kHalf + 1);
  const auto sorted = filled<std::uint64_t>("u64", 400, "{sorted: " + around + "}");
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  CHECK(sorted.back() == kHalf + 1);
}

TEST_CASE("A chain comes by each of its links once and back to the first") {
  for (const unsigned count : {1U, 2U, 3U, 64U, 1000U}) {
    auto visited = followed(filled<std::uint32_t>("u32", count, "{chain: {}}"));
    std::sort(visited.begin(), visited.end());
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(visited == all);
  }
}

TEST_CASE("A chain's links lie a stride apart and are called by their addresses") {
  const auto chain = filled<std::uint64_t>("u64", 1000, "{chain: {stride: 64, first: 4096, seed: 3}}");
  const auto visited = followed(chain, std::uint64_t{4096});
  CHECK(visited.size() == 125);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const bool is_link = std::find(visited.begin(), visited.end(), i) != visited.end();
    CHECK(is_link == (i % 8 == 0));
    CHECK(is_link == (chain[i] != 0));
  }
}

TEST_CASE("An array file gives the elements, and their number if the launch does not say") {
  const ScratchFolder folder;
  const std::vector<std::int32_t> elements = {3, -1, 4};
  write_npy(folder.path("pi.npy"), ElementType::S32, std::as_bytes(std::span(elements)));
  const LaunchFile file = load_with(folder, R"(  a: {type: s32, fill: {npy: pi.npy}}
  b: {type: s32, count: 3, fill: {npy: pi.npy}}
)");
  for (const char* name : {"a", "b"}) {
    const auto read = file.memory.find(name)->as<std::int32_t>();
    CHECK(std::vector<std::int32_t>(read.begin(), read.end()) == elements);
  }
}

TEST_CASE("A fill that cannot be is refused where it stands") {
  const ScratchFolder folder;
  const std::vector<float> elements(3);
  write_npy(folder.path("three.npy"), ElementType::F32, std::as_bytes(std::span(elements)));
  folder.write("text.npy", "no array");
  const std::pair<std::string, std::string> cases[] = {
      {"u8, count: 257, fill: ramp",
       "fill.yaml:6:35: error: 'buffers.x.fill': the ramp reaches 256, which does not fit u8 (0 to 255)"},
      {"u32, count: 2, fill: {ramp: {step: 0.5}}",
       "the ramp reaches 0.5, which is no whole number, as u32 needs"},
      {"u32, count: 2, fill: {ramp: {start: -1}}", "'buffers.x.fill.ramp.start': -1 does not fit u32"},
      {"u32, count: 2, fill: {ramp: 3}", "'buffers.x.fill.ramp' must be a map"},
      {"u32, count: 2, fill: {value: 4294967296}",
       "'buffers.x.fill.value': 4294967296 does not fit u32 (0 to 4294967295)"},
      {"f32, count: 2, fill: {value: 1e39}", "does not fit f32"},
      {"u32, count: 2, fill: {random: {min: 3, max: 2}}",
       "'min' to 'max' must be a finite range; found 3 to 2"},
      {"u64, count: 2, fill: {random: {min: 9007199254740993, max: 9007199254740992}}",
       "'min' to 'max' must be a finite range; found 9007199254740993 to 9007199254740992"},
      {"u64, count: 2, fill: {random: {min: 0xffffffffffffffff, max: 0x8000000000000000}}",
       "'min' to 'max' must be a finite range; found 18446744073709551615 to 9223372036854775808"},
      {"u64, count: 2, fill: {ramp: {start: 0xffffffffffffffff}}",
       "the ramp reaches 1.8446744073709552e+19, which does not fit u64"},
      {"u64, count: 3, fill: {ramp: {start: 1, step: -1}}",
       "the ramp reaches -1, which does not fit u64 (0 to 18446744073709551615)"},
      {"u64, count: 2, fill: {ramp: {step: 0.5}}",
       "the ramp reaches 0.5, which is no whole number, as u64 needs"},
      {"f64, count: 2, fill: {random: {max: math.huge}}",
       "'min' to 'max' must be a finite range; found 0 to inf"},
      {"f64, count: 2, fill: {random: {seed: -1}}",
       "'buffers.x.fill.random.seed': must be a whole number from 0"},
      {"f64, count: 2, fill: {random: {sed: 1}}", "unknown key 'sed'"},
      {"f32, count: 2, fill: ones",
       "must be zeros, ramp, random, sorted, or a map of one of ramp, random, sorted, value, npy, each or "
       "chain; "
       "found 'ones'"},
      {"f32, count: 2, fill: {ramp: {}, value: 3}", "found a map"},
      {"f32, count: 2, fill: value", "must be zeros, ramp"},
      {"f32, count: 2, fill: [1, 2]", "found a list"},
      {"f32, count: 2, fill: {each: i +}", "'buffers.x.fill.each': unexpected symbol near <eof>"},
      {"u8, count: 2, fill: {each: 255 + i}",
       "'buffers.x.fill.each': for i = 1: 256 does not fit u8 (0 to 255)"},
      {"f32, count: 2, fill: {each: {value: i, every: 0}}",
       "'buffers.x.fill.each.every': must be a whole number from 1"},
      {"f32, count: 2, fill: {each: \"y[i]\"}", "for i = 0: 'y' is no value, buffer or function here"},
      {"f32, count: 2, fill: {each: while true do end}", "is there a loop without end?"},
      {"f32, count: 2, fill: {npy: none.npy}", "none.npy: no such file"},
      {"f32, fill: {npy: text.npy}", "text.npy: byte 0: this is no .npy file"},
      {"f32, count: 2, fill: {npy: three.npy}", "the file holds 3 elements of f32, the buffer 2 of f32"},
      {"s32, fill: {npy: three.npy}", "the file holds 3 elements of f32, the buffer 3 of s32"},
      {"f32, count: 2, fill: {chain: {}}",
       "'buffers.x.fill.chain': a chain has integers, and elements of f32 are none"},
      {"u8, count: 257, fill: {chain: {}}",
       "of the buffer's 257 bytes the last place is called 256, which does not fit u8 (0 to 255)"},
      {"u32, count: 4, fill: {chain: {stride: 6}}",
       "'stride' must be a multiple of an element's 4 bytes; found 6"},
      {"u32, count: 4, fill: {chain: {stride: 20}}",
       "'buffers.x.fill.chain.stride': must be a whole number from 1 to 16"},
      {"u32, count: 8, fill: {chain: {stride: 8, links: 5}}",
       "'buffers.x.fill.chain.links': must be a whole number from 1 to 4"},
      {"u32, count: 8, fill: {chain: {first: 1 << 32}}", "does not fit u32"},
      {"f32, count: 0, fill: {chain: {}}", "a chain has integers"},
      {"u32, count: 0, fill: {chain: {link: 5}}", "unknown key 'link'"},
      {"u32, count: 8, fill: {chain: {link: 5}}", "unknown key 'link'"},
      {"u32, count: 8, fill: {chain: 5}", "'buffers.x.fill.chain' must be a map"},
      {"u8, count: 5 << 30, fill: {value: 1}",
       "hold 5368709120 bytes that are not just zeros; a launch can fill 4294967296"},
  };
  for (const auto& mistake : cases) {
    check_says(message_of([&] { load_with(folder, "  x: {type: " + mistake.first + "}\n"); }),
               mistake.second);
  }
}

}  // namespace
}  // namespace heddle::launch
