#include "tools/heddle/base/progress.h"

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"

namespace heddle::command {

namespace {

/// A line, a clock that the test moves, and all that was written.
struct Watched {
  double now = 100;
  std::string written;

  ProgressLine::Clock clock() {
    return [this] { return now; };
  }
  ProgressLine::Sink sink() {
    return [this](std::string_view text) { written += text; };
  }
};

}  // namespace

TEST_CASE("A run shorter than a second shows no progress") {
  Watched watched;
  {
    ProgressLine line("vecadd", watched.clock(), watched.sink());
    watched.now += 0.9;
    line.update({1000, 1, 10});
  }
  CHECK(watched.written.empty());
}

TEST_CASE("The line says how far the run is, how fast, and how long it will take") {
  Watched watched;
  {
    ProgressLine line("vecadd", watched.clock(), watched.sink());
    watched.now += 2;
    line.update({3'000'000, 25, 100});
    CHECK(watched.written == "\r\x1b[Kvecadd: 3.00 M cycles, 1.50 M/s, 25 of 100 blocks (25 %), 6 s left");
    watched.written.clear();
  }
  CHECK(watched.written == "\r\x1b[K");  // gone at the end
}

TEST_CASE("Before the first block has ended nobody can say how long it takes") {
  Watched watched;
  ProgressLine line("k", watched.clock(), watched.sink());
  watched.now += 2;
  line.update({1000, 0, 100});
  CHECK(watched.written.find("left") == std::string::npos);
}

TEST_CASE("The line changes five times a second at most") {
  Watched watched;
  ProgressLine line("k", watched.clock(), watched.sink());
  watched.now += 1.5;
  line.update({1000, 1, 100});
  const std::string once = watched.written;
  watched.now += 0.19;
  line.update({2000, 2, 100});
  CHECK(watched.written == once);
  watched.now += 0.02;
  line.update({3000, 3, 100});
  CHECK(watched.written.size() > once.size());
}

TEST_CASE("The line never wraps, and a name cannot steer the terminal") {
  Watched watched;
  ProgressLine line("\x1b[2Ja_kernel_with_a_very_long_name_indeed", watched.clock(), watched.sink());
  watched.now += 1e6;
  line.update({~Cycle{0}, ~std::uint64_t{0} - 1, ~std::uint64_t{0}});
  CHECK(watched.written.size() <= 4 + 79);
  CHECK(watched.written.find("\x1b[2J") == std::string::npos);
  launch::check_says(watched.written, "?[2Ja_kernel");
}

}  // namespace heddle::command
