// The vector instruction sets that lane execution is compiled for: whichever the machine has, results are the
// same.
#include "tests/support/vector_targets.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_operations.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// Instructions, each once, and once under a guard over its destination.
class Body {
 public:
  void add(const std::string& mnemonic, const std::string& operands) {
    const std::string out = result_register(results++);
    text += fmt::format("{} {}, {}\n", mnemonic, out, operands);
    const std::string guarded = result_register(results++);
    text += fmt::format("MOV {0}, R3\n@P1 {1} {0}, {2}\n", guarded, mnemonic, operands);
  }

  std::string text;
  unsigned results = 0;
};

/// The operations, as many as there are results for in each body.
std::vector<Body> all_operations() {
  std::vector<Body> bodies(1);
  for (const LaneOperation& operation : lane_operations()) {
    const char* operands[] = {"R0", "R0, R1", "R0, R1, R2"};
    if (bodies.back().results + 2 > kMostResults) bodies.emplace_back();
    bodies.back().add(operation.mnemonic, operands[operation.sources - 1] + operation.tail);
  }
  return bodies;
}

/// All the others.
Body everything_else() {
  Body made;
  std::string& body = made.text;
  unsigned& results = made.results;
  const auto add = [&](const std::string& mnemonic, const std::string& operands) { made.add(mnemonic, operands); };
  add("FFMA", "-R0, |R1|, -|R2|");
  for (const std::string& function : special_functions()) add("MUFU." + function, "R0");
  add("SEL", "R0, R1, P4");
  results += results % 2;
  body += fmt::format("IMAD.WIDE {}, R0, R1, R2\n", result_register(results));
  results += 2;
  body += fmt::format("IMAD.WIDE.U32 {}, R0, R1, R2\n", result_register(results));
  results += 2;
  for (const char* wide : {"DADD {}, R0, R2", "DMUL {}, R0, R2", "DFMA {}, R0, R2, R2", "F2F.F64.F32 {}, R0",
                           "F2I.S64.TRUNC {}, R0", "F2I.U64.F64 {}, R2", "I2F.F64.U64 {}, R0", "I2F.F64.S8 {}, R1"}) {
    body += fmt::format(fmt::runtime(wide), result_register(results)) + "\n";
    results += 2;
  }
  for (const char* narrow : {"F2F.F32.F64.RP {}, R0", "I2F.U64 {}, R2", "I2F.S64.RM {}, R0", "F2I.F64.CEIL {}, R2"}) {
    body += fmt::format(fmt::runtime(narrow), result_register(results++)) + "\n";
  }
  for (const LaneComparison& comparison : lane_comparisons()) {
    body += fmt::format("{}.AND P5, P6, R0, R1, PT\n", comparison.mnemonic);
    for (const char* predicate : {"P5", "P6"}) {
      body += fmt::format("SEL {}, R0, R1, {}\n", result_register(results++), predicate);
    }
  }
  return made;
}

TEST_CASE("all vector targets give the same bits") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x7a49e7 + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(4, 10'240);
  std::vector<Body> bodies = all_operations();
  bodies.push_back(everything_else());
  const std::vector<std::int64_t> targets = compiled_targets();
  REQUIRE(!targets.empty());
  for (const Body& body : bodies) {
    const auto run_on = [&](std::int64_t target) {
      const OnlyTarget only(target);
      return run_lanes(body.text, inputs, body.results, warp_size);
    };
    const LaneOutputs expected = run_on(targets.front());
    for (const std::int64_t target : targets) {
      const LaneOutputs found = run_on(target);
      CAPTURE(hwy::TargetName(target));
      for (unsigned i = 0; i < body.results; ++i) {
        CAPTURE(i);
        CHECK(first_difference(found.registers[i], expected.registers[i], inputs) == "");
      }
      CHECK(found.predicates == expected.predicates);
    }
  }
}

}  // namespace
}  // namespace heddle::exec
