// Structured programs with data-dependent control flow: warps must do what each thread would do alone.
#include <algorithm>
#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/random_program.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr unsigned kPrograms = 1'000;  // for each warp size

/// Threads of one warp often agree in some variables and differ in others.
std::vector<Variables> random_inputs(std::size_t threads, LaneValues& values) {
  std::vector<Variables> inputs(threads);
  Variables shared{};
  for (std::uint32_t& word : shared) word = values.word();
  for (Variables& own : inputs) {
    own = shared;
    for (std::uint32_t& word : own) {
      if (values.one_in(2)) word = values.one_in(2) ? values.below(16) : values.word();
    }
  }
  return inputs;
}

unsigned occurrences(const std::string& text, const std::string& word) {
  unsigned count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

struct WarpRun {
  std::vector<Variables> results;
  FunctionalCounts counts;
};

WarpRun run_in_warps(const RandomProgram& program, const std::vector<Variables>& inputs, Dim3 grid,
                     unsigned warp_size, Divergence divergence) {
  GlobalMemory memory;
  const std::size_t bytes = inputs.size() * sizeof(Variables);
  const Buffer& in = memory.allocate("in", bytes);
  const Buffer& out = memory.allocate("out", bytes);
  std::memcpy(in.bytes().data(), inputs.data(), bytes);
  const Dim3 block{static_cast<std::uint32_t>(inputs.size() / grid.x), 1, 1};
  WarpRun run;
  run.counts = run_kernel(
      {program.text(), grid, block, warp_size, {in.address(), out.address()}, 0, divergence}, memory);
  run.results.resize(inputs.size());
  std::memcpy(run.results.data(), out.bytes().data(), bytes);
  return run;
}

TEST_CASE("in random structured programs every lane gets what its thread alone would compute") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x94a4 + warp_size;
  LaneValues values(seed);
  for (unsigned i = 0; i < kPrograms; ++i) {
    const RandomProgram program(values);
    const Dim3 grid{1 + values.below(2), 1, 1};
    const std::size_t block = 1 + values.below(100);
    const std::vector<Variables> inputs = random_inputs(grid.x * block, values);
    const WarpRun stack = run_in_warps(program, inputs, grid, warp_size, Divergence::Stack);
    const WarpRun barriers = run_in_warps(program, inputs, grid, warp_size, Divergence::Barriers);
    const std::vector<Variables>& results = stack.results;
    std::vector<Variables> expected;
    for (const Variables& own : inputs) expected.push_back(program.interpret(own));
    // Lanes meet at the same places, so that each instruction issues as often; but BSYNC issues for each path
    // that comes to it under barriers, and once for all under the stack.
    const bool same_issues = barriers.counts.warp_instructions == stack.counts.warp_instructions;
    const bool same = barriers.results == results && (same_issues || program.names_barriers()) &&
                      barriers.counts.thread_instructions == stack.counts.thread_instructions;
    if (results == expected && same) continue;
    const auto at = std::mismatch(results.begin(), results.end(), expected.begin());
    CAPTURE(warp_size, seed, i, block, at.first - results.begin(), stack.counts.warp_instructions,
            barriers.counts.warp_instructions, same);
    FAIL_CHECK(program.text());
  }
}

TEST_CASE("random programs do differ between threads and between their inputs and results") {
  LaneValues values(1);
  unsigned with_change = 0;
  unsigned with_branch = 0;
  unsigned with_loop = 0;
  unsigned with_early_exit = 0;
  unsigned with_call = 0;
  unsigned with_early_return = 0;
  unsigned with_switch = 0;
  unsigned with_barrier = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const RandomProgram program(values);
    const std::string text = program.text();
    const std::vector<Variables> inputs = random_inputs(2, values);
    with_change += program.interpret(inputs[0]) != inputs[0];
    with_branch += text.find("join") != std::string::npos;
    with_loop += text.find("top") != std::string::npos;
    with_call += text.find("CALL") != std::string::npos;
    with_early_return += occurrences(text, "RET") > kFunctions;
    with_switch += text.find("BRX") != std::string::npos;
    with_barrier += text.find("BSYNC") != std::string::npos;
    with_early_exit += text.find("EXIT") != text.rfind("EXIT");
  }
  CHECK(with_change > kPrograms / 2);
  CHECK(with_branch > kPrograms / 2);
  CHECK(with_loop > kPrograms / 2);
  CHECK(with_early_exit > kPrograms / 10);
  CHECK(with_call > kPrograms / 5);
  CHECK(with_early_return > kPrograms / 20);
  CHECK(with_switch > kPrograms / 5);
  CHECK(with_barrier > kPrograms / 4);
}

}  // namespace
}  // namespace heddle::exec
