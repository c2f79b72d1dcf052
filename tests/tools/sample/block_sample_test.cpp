// When the first blocks of a launch are a measure of the rest.
#include "tools/sample/block_sample.h"

#include "tests/support/catch.h"

namespace heddle::sample {

namespace {

/// Blocks of 1000 cycles, `wave` at a time, which begin one after another, each when another has ended.
BlockEvidence steady(const BlockPlan& plan, std::uint64_t wave) {
  BlockEvidence evidence;
  for (std::uint64_t i = 0; i < plan.second; ++i) {
    const Cycle begin = 50 + i / wave * 1000 + i % wave;
    evidence.blocks.push_back({begin, begin + 1000});
  }
  evidence.first_cycles = evidence.blocks[plan.first - 1].end;
  evidence.second_cycles = evidence.blocks[plan.second - 1].end;
  evidence.first_instructions = 40 * plan.first;
  evidence.second_instructions = 40 * plan.second;
  evidence.others = {40, 40, 40, 40};
  evidence.l2_capacity = 1 << 20;
  return evidence;
}

}  // namespace

TEST_CASE("Plans end with the same part of a wave as the launch, and reach its blocks in whole stretches") {
  for (std::uint64_t blocks = 0; blocks < 3000; blocks += 7) {
    for (unsigned level = 0; level < 6; ++level) {
      const auto plan = block_plan(blocks, 16, level);
      if (!plan) continue;
      CHECK(plan->first % 16 == blocks % 16);
      CHECK(plan->second - plan->first == (std::uint64_t{32} << level));
      CHECK(plan->first >= plan->second - plan->first);
      CHECK(plan->second + plan->stretches * (plan->second - plan->first) == blocks);
      CHECK(plan->first + plan->second <= blocks / 2);
    }
  }
  CHECK(block_plan(100 * 16, 16, 0));
  CHECK_FALSE(block_plan(8 * 16, 16, 0));
  CHECK_FALSE(block_plan(100 * 16, 16, 5));
}

TEST_CASE("Blocks that take turns steadily are a measure of the rest") {
  const BlockPlan plan = block_plan(103 * 16 + 5, 16, 0).value();
  const BlockEvidence evidence = steady(plan, 16);
  CHECK_FALSE(unsteadiness(plan, evidence));
  CHECK_FALSE(difference_of_blocks(plan, evidence));
  const double whole = 50 + 103 * 1000 + 4 + 1000;
  CHECK(half_width(plan, evidence) > 0.01 * whole);
  CHECK(half_width(plan, evidence) < 0.05 * whole);
}

TEST_CASE("Blocks that are no measure of the rest are told by the reason") {
  const BlockPlan plan = block_plan(100 * 16, 16, 0).value();
  BlockEvidence evidence = steady(plan, 16);
  evidence.second_cycles += 200;
  CHECK(unsteadiness(plan, evidence)->starts_with("the cycles of a wave still change by "));
  evidence = steady(plan, 16);
  for (std::uint64_t i = plan.first; i < plan.second; ++i) evidence.blocks[i].begin -= 100;
  CHECK(unsteadiness(plan, evidence) == "the cycles of a block still change by 10.0 %");
  evidence = steady(plan, 16);
  evidence.second_instructions += 2 * (plan.second - plan.first);
  CHECK(unsteadiness(plan, evidence) == "the instructions of a block still change by 5.0 %");
  evidence = steady(plan, 16);
  evidence.first_l2_bytes = 100'000;
  evidence.second_l2_bytes = 200'000;
  CHECK(unsteadiness(plan, evidence) == "L2 fills up only after these blocks");
  CHECK(is_too_short(block_plan(100 * 16, 16, 1).value(), plan, evidence));
  CHECK_FALSE(is_too_short({24 * 16, 28 * 16, 18}, plan, evidence));
  evidence.first_l2_bytes = 2 << 20;
  evidence.second_l2_bytes = 3 << 20;
  CHECK_FALSE(unsteadiness(plan, evidence));
  evidence.others = {44, 44, 44, 44};
  CHECK(difference_of_blocks(plan, evidence) ==
        "blocks differ: the instructions of later ones by up to 10.0 %");
  evidence.others = {20, 60, 20, 60};  // the same on average, but with what scatter
  CHECK(difference_of_blocks(plan, evidence));
}

}  // namespace heddle::sample
