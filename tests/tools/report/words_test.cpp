#include "tools/report/words.h"

#include "tests/support/catch.h"

namespace heddle::report {

TEST_CASE("Numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(~std::uint64_t{0}) == "18,446,744,073,709,551,615");
}

TEST_CASE("Only all of something is 100 %") {
  CHECK(whole_percent(0) == "0 %");
  CHECK(whole_percent(0.714) == "71 %");
  CHECK(whole_percent(0.9949) == "99 %");
  CHECK(whole_percent(0.9964) == "99.6 %");
  CHECK(whole_percent(0.99999) == "99.9 %");
  CHECK(whole_percent(1) == "100 %");
}

TEST_CASE("Bytes have the unit that makes them short") {
  CHECK(byte_text(0) == "0 B");
  CHECK(byte_text(1023) == "1023 B");
  CHECK(byte_text(1024) == "1 KiB");
  CHECK(byte_text(1536) == "1.5 KiB");
  CHECK(byte_text(8000) == "7.81 KiB");
  CHECK(byte_text(1023 * 1024) == "1023 KiB");
  CHECK(byte_text(std::uint64_t{50} << 20) == "50 MiB");
  CHECK(byte_text(std::uint64_t{1} << 60) == "1048576 TiB");
}

TEST_CASE("Times go from microseconds to seconds") {
  CHECK(time_text(0.5) == "0.50 us");
  CHECK(time_text(1500) == "1.50 ms");
  CHECK(time_text(2.5e6) == "2.50 s");
}

TEST_CASE("Sizes show the extents that matter") {
  CHECK(extents_text({7, 1, 1}) == "7");
  CHECK(extents_text({7, 2, 1}) == "7 x 2");
  CHECK(extents_text({7, 1, 3}) == "7 x 1 x 3");
}

TEST_CASE("Things are counted in plain English, keys are words") {
  CHECK(counted(1, "block") == "1 block");
  CHECK(counted(2000, "block") == "2,000 blocks");
  CHECK(key_text("long_scoreboard") == "long scoreboard");
  CHECK(key_text("idle_sm") == "idle SM");
  CHECK(decimal(std::nullopt, 2) == "-");
  CHECK(percent(Ratio(0.1234)) == "12.3 %");
}

}  // namespace heddle::report
