// Overrides: text of the form KEY=VALUE, and where it came from.
#include "isa/base/override.h"

#include "tests/support/catch.h"

using namespace heddle;

TEST_CASE("An override has the key before the first equals sign and the value as it is written behind it") {
  const Override plain = "l1.latency=40";
  CHECK(plain.key == "l1.latency");
  CHECK(plain.value == "40");
  CHECK(plain.source == "l1.latency=40");
  const Override spaced = "dram.bandwidth_gbps = 12.5";
  CHECK(spaced.key == "dram.bandwidth_gbps");
  CHECK(spaced.value == " 12.5");
  const Override comparison = "mask=n==4";
  CHECK(comparison.key == "mask");
  CHECK(comparison.value == "n==4");
}

TEST_CASE("Text without an equals sign is a key without a value") {
  const Override bare = "l1.latency";
  CHECK_FALSE(bare.has_value);
  CHECK(bare.key == "l1.latency");
  CHECK(bare.text() == "l1.latency");
  const Override empty = "n=";
  CHECK(empty.has_value);
  CHECK(empty.text() == "n=");
}

TEST_CASE("Where an override came from does not make it another one") {
  const Overrides given = overrides_of_option("--set", {"sms=1", "l1.latency=40"});
  CHECK(given[1].source == "--set l1.latency=40");
  CHECK(given == Overrides{"sms=1", "l1.latency=40"});
  CHECK(given != Overrides{"sms=1", "l1.latency=41"});
  CHECK(Override("sm.scheduler", "gto", "--scheduler gto") == Override("sm.scheduler=gto"));
}
