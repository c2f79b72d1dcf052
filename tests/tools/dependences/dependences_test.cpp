// Distances between dependent instructions, counted in kernels small enough to be counted by hand.
#include "tools/dependences/dependences.h"

#include "isa/text/assemble.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::dependences {
namespace {

using ir::ControlCode;
using ir::TimingClass;

ControlCode stalls(unsigned cycles) { return {.stall = cycles & ir::kMostStall}; }

Census census_of(const std::string& body, std::vector<ControlCode> codes) {
  ir::Kernel kernel = text::assemble(".kernel k\n" + body + "\nEXIT\n", "test.sass").front();
  codes.push_back(stalls(1));
  REQUIRE(codes.size() == kernel.instructions.size());
  for (Pc pc = 0; pc < codes.size(); ++pc) {
    kernel.instructions[pc].control = codes[pc];
    kernel.instructions[pc].control.is_given = true;
  }
  const sim::GpuSpec spec = sim::load_gpu("a100");  // FADD 4 cycles, IMAD.WIDE 5, a predicate as a guard 13
  Census census;
  add_dependences(kernel, sim::ClassTimings(spec.sm), census);
  return census;
}

constexpr Kind kAdds = {TimingClass::Fp32, TimingClass::Fp32, false};

TEST_CASE("a distance is the sum of the stall counts from the producer to the consumer") {
  // R0 is read 3 + 2 cycles later, R1 2 cycles later, which is too early.
  const Census census =
      census_of("FADD R0, RZ, RZ\nFADD R1, RZ, RZ\nFADD R2, R0, R1", {stalls(3), stalls(2), stalls(1)});
  REQUIRE(census.distances.size() == 1);
  const Distances& adds = census.distances.at(kAdds);
  CHECK(adds.count == 2);
  CHECK(adds.least == 2);
  CHECK(adds.at_least == 1);
  CHECK(adds.latency == 4);
  CHECK(adds.early == 1);
  CHECK(adds.place == "k 0x0020 of 0x0010");
  CHECK(census.checked() == 2);
  CHECK(census.early() == 1);
  CHECK(census.unguarded.empty());
}

TEST_CASE("a guard is told apart from an operand") {
  const Census census = census_of("ISETP.EQ.AND P0, PT, RZ, RZ, PT\n@P0 FADD R0, RZ, RZ\nFSEL R1, RZ, RZ, P0",
                                  {stalls(13), stalls(1), stalls(1)});
  CHECK(census.distances.at({TimingClass::Compare, TimingClass::Fp32, true}).latency == 13);
  CHECK(census.distances.at({TimingClass::Compare, TimingClass::Fp32, true}).least == 13);
  CHECK(census.distances.at({TimingClass::Compare, TimingClass::Alu, false}).least == 14);
  CHECK(census.early() == 0);
}

TEST_CASE("a value with a barrier is waited for, or named") {
  const ControlCode loads = {.stall = 1, .write_barrier = 2};
  const ControlCode waits = {.stall = 1, .wait_mask = 1U << 2};
  const std::string body = "MUFU.RCP R0, RZ\nNOP\nFADD R1, R0, R0";
  CHECK(census_of(body, {loads, stalls(1), waits}).guarded == 1);
  CHECK(census_of(body, {loads, waits, stalls(1)}).guarded == 1);
  const Census census = census_of(body, {loads, stalls(1), {.stall = 1, .wait_mask = 1U << 3}});
  CHECK(census.guarded == 0);
  CHECK(census.unguarded == std::vector<std::string>{"k 0x0020 of 0x0000"});
}

TEST_CASE("of several loads the last one's barrier is enough, since they are answered in order") {
  const ControlCode loads = {.stall = 1, .write_barrier = 0};
  const ControlCode waits = {.stall = 1, .wait_mask = 1};
  const std::string body = ".shared words 16\nLDS R0, [RZ]\nLDS R1, [RZ]\nFADD R2, R0, R1";
  CHECK(census_of(body, {stalls(1), loads, waits}).guarded == 2);
  CHECK(census_of(body, {stalls(1), loads, waits}).unguarded.empty());
  // The barrier of the first one says nothing of the second.
  CHECK(census_of(body, {loads, stalls(1), waits}).guarded == 1);
  CHECK(census_of(body, {loads, stalls(1), waits}).unguarded ==
        std::vector<std::string>{"k 0x0020 of 0x0010"});
}

TEST_CASE("the shortest of all paths counts, round a loop, too") {
  // From the FADD to itself: round the loop in 2 + 5 cycles, or by the short cut in 1 + 2 + 5.
  const Census census = census_of(
      "ISETP.EQ.AND P0, PT, RZ, RZ, PT\nagain:\nFADD R0, R0, 1.0\n@P0 BRA again\nNOP\n@P0 BRA again",
      {stalls(13), stalls(2), stalls(5), stalls(1), stalls(5)});
  CHECK(census.distances.at(kAdds).least == 7);
}

TEST_CASE("a guarded write leaves what was there to be waited for") {
  const Census census =
      census_of("ISETP.EQ.AND P0, PT, RZ, RZ, PT\nFADD R0, RZ, RZ\n@P0 FADD R0, RZ, RZ\nFADD R1, R0, R0",
                {stalls(13), stalls(1), stalls(1), stalls(1)});
  CHECK(census.distances.at(kAdds).count == 2);
  CHECK(census.distances.at(kAdds).least == 1);
  CHECK(census.distances.at(kAdds).early == 2);
}

TEST_CASE("a kernel without control codes has no distances") {
  const ir::Kernel kernel = text::assemble(".kernel k\nEXIT\n", "test.sass").front();
  Census census;
  add_dependences(kernel, sim::ClassTimings(sim::load_gpu("a100").sm), census);
  CHECK(census.checked() == 0);
}

}  // namespace
}  // namespace heddle::dependences
