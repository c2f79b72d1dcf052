#include "tools/launch/check.h"

#include <fmt/format.h>

#include <limits>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/launch/launch_file.h"

namespace heddle::launch {
namespace {

/// A launch with buffers x (of the type) and y (f32 0, 1, 2, ...), and a check of x.
class CheckedLaunch {
 public:
  CheckedLaunch(const std::string& type, std::uint64_t count, const std::string& check)
      : file_(load(type, count, check)) {}

  /// Plays the kernel.
  template <typename Element>
  CheckedLaunch& store(std::size_t i, Element value) {
    file_.memory.find("x")->as<Element>()[i] = value;
    return *this;
  }

  std::vector<CheckFailure> run(unsigned threads = 1) { return run_checks(file_, threads); }
  std::string text(unsigned threads = 1) {
    std::string all;
    for (const CheckFailure& failure : run(threads)) all += to_text(failure).substr(folder_.path("").size());
    return all;
  }

 private:
  LaunchFile load(const std::string& type, std::uint64_t count, const std::string& check) const {
    folder_.write("exit.sass", ".kernel nothing\n    EXIT\n");
    const std::string text = fmt::format(
        "kernel: exit.sass\ngrid: 1\nblock: 1\nbuffers:\n  x: {{type: {}, count: {}, fill: ramp}}\n"
        "  y: {{type: f32, count: {}, fill: ramp}}\ncheck:\n  - {{buffer: x, {}}}\n",
        type, count, count, check);
    return load_launch(folder_.write("check.yaml", text));
  }

  ScratchFolder folder_;
  LaunchFile file_;
};

TEST_CASE("A check that holds says nothing") {
  CHECK(CheckedLaunch("f32", 100, "equals: \"y[i]\"").text().empty());
  CHECK(CheckedLaunch("u8", 100, "equals: i").text().empty());
  CHECK(CheckedLaunch("u8", 0, "equals: 1").text().empty());
}

TEST_CASE("A check that fails shows the first differing elements and counts all") {
  CheckedLaunch launch("f32", 100, "equals: \"y[i]\"");
  launch.store(3, 3.5F).store(99, -0.1F);
  CHECK(launch.text() ==
        "check.yaml:8:25: check failed: 2 of 100 compared elements of 'x' differ\n"
        "  x[3]: expected 3, found 3.5\n"
        "  x[99]: expected 99, found -0.1\n");
}

TEST_CASE("At most eight differing elements are shown") {
  CheckedLaunch launch("s32", 20, "equals: -1");
  const std::string text = launch.text();
  check_says(text, "20 of 20 compared elements");
  check_says(text, "  x[7]: expected -1, found 7\n  and 12 more\n");
  CHECK(text.find("x[8]") == std::string::npos);
}

TEST_CASE("The expected value is converted to the buffer's type before it is compared") {
  CHECK(CheckedLaunch("f32", 1, "equals: 1e-60").text().empty());  // zero as f32
  CHECK(CheckedLaunch("s32", 1, "equals: 1 << 32").text().empty());
  CheckedLaunch rounded("f32", 1, "equals: 0.1");
  CHECK(rounded.store(0, 0.1F).text().empty());
  CHECK_FALSE(rounded.store(0, 0.10000001F).text().empty());
}

TEST_CASE("Zeros of either sign are equal, and so are all kinds of NaN") {
  CHECK(CheckedLaunch("f32", 1, "equals: 0.0").store(0, -0.0F).text().empty());
  CHECK(CheckedLaunch("f32", 1, "equals: 0 / 0")
            .store(0, std::numeric_limits<float>::quiet_NaN())
            .text()
            .empty());
  CHECK_FALSE(CheckedLaunch("f32", 1, "equals: 0.0")
                  .store(0, std::numeric_limits<float>::quiet_NaN())
                  .text()
                  .empty());
  CHECK_FALSE(CheckedLaunch("f32", 1, "equals: 0 / 0, tolerance: 1").text().empty());
}

TEST_CASE("A tolerance is relative to the expected value") {
  const std::string check = "equals: 1000, tolerance: 1 / 1000";
  CHECK(CheckedLaunch("f32", 1, check).store(0, 1001.0F).text().empty());
  CHECK(CheckedLaunch("f32", 1, check).store(0, 999.0F).text().empty());
  CHECK_FALSE(CheckedLaunch("f32", 1, check).store(0, 1001.1F).text().empty());
  CHECK_FALSE(CheckedLaunch("f32", 1, "equals: math.huge, tolerance: 1").store(0, 1.0F).text().empty());
  CHECK_FALSE(CheckedLaunch("f32", 1, "equals: 0, tolerance: 1").store(0, 1e-30F).text().empty());
}

TEST_CASE("Before is what the buffer held when the launch was loaded") {
  CheckedLaunch launch("s32", 3, "equals: \"before.x[i] * 2\"");
  launch.store(0, 0).store(1, 2).store(2, 4);
  CHECK(launch.text().empty());
  CHECK_FALSE(launch.store(1, 1).text().empty());
}

TEST_CASE("A sample compares the elements it should, first and last among them") {
  CheckedLaunch launch("s32", 101, "sample: 3, equals: -1");
  const std::vector<CheckFailure> failures = launch.run();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].compared == 3);
  REQUIRE(failures[0].first.size() == 3);
  CHECK(failures[0].first[0].index == 0);
  CHECK(failures[0].first[1].index == 50);
  CHECK(failures[0].first[2].index == 100);
  CHECK(CheckedLaunch("s32", 3, "sample: 1000, equals: -1").run()[0].compared == 3);
}

TEST_CASE("Samples are spread without gaps or repetitions, however large the buffer") {
  const std::uint64_t sizes[][2] = {{2, 2}, {2, 7},       {7, 7},
                                    {6, 7}, {1000, 1001}, {4097, std::uint64_t{1} << 36}};
  for (const auto& [sample, count] : sizes) {
    INFO(sample << " of " << count);
    CHECK(sample_index(0, sample, count) == 0);
    CHECK(sample_index(sample - 1, sample, count) == count - 1);
    for (std::uint64_t k = 1; k < sample; ++k) {
      const std::uint64_t step = sample_index(k, sample, count) - sample_index(k - 1, sample, count);
      REQUIRE(step >= (count - 1) / (sample - 1));
      REQUIRE(step <= (count - 1) / (sample - 1) + 1);
    }
  }
}

TEST_CASE("A check says the same on any number of threads") {
  CheckedLaunch launch("s32", 100'000, "equals: i");
  CHECK(launch.text(2).empty());
  for (std::size_t i = 7; i < 100'000; i += 10'007) launch.store(i, -1);
  const std::string expected = launch.text();
  check_says(expected, "10 of 100000 compared elements of 'x' differ");
  check_says(expected, "  x[70056]: expected 70056, found -1\n  and 2 more\n");
  for (const unsigned threads : {2U, 3U, 16U}) CHECK(launch.text(threads) == expected);

  CheckedLaunch failing("s32", 100'000, "equals: \"i < 60000 and i or y[i + 40000]\"");
  const std::string message = message_of([&] { failing.run(); });
  check_says(message, "for i = 60000");
  for (const unsigned threads : {2U, 16U}) CHECK(message_of([&] { failing.run(threads); }) == message);
}

TEST_CASE("An expression that fails during the check is an error of the launch file") {
  const auto run = [](const std::string& equals) {
    return message_of([&] { CheckedLaunch("u32", 3, "equals: " + equals).run(); });
  };
  check_says(run("\"y[i + 1]\""), "check.yaml:8:25: error: check of 'x', for i = 2: y[3] is out of range");
  check_says(run("i / 2"), "check of 'x', for i = 1: 0.5 is no whole number, as u32 needs");
  check_says(run("nothing"), "'nothing' is no value, buffer or function here");
  check_says(run("while true do end return 1"), "is there a loop without end?");
  CHECK_THROWS_AS(CheckedLaunch("u32", 3, "equals: nothing").run(), InputError);
}

}  // namespace
}  // namespace heddle::launch
