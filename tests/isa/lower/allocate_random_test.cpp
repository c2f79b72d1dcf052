// Random kernels compute the same with the registers that they were written with and with those that
// allocation gives them, however few these may be.
#include <cstring>

#include "isa/ir/verify.h"
#include "isa/lower/allocate.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/random_program.h"
#include "tests/support/random_registers.h"
#include "tests/support/seed.h"
#include "tests/support/virtual_registers.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;

using Words = std::vector<std::uint32_t>;

constexpr unsigned kThreads = 45;  // a whole warp and a part of one

/// What the kernel leaves of `in`, some words for each thread.
Words run(const ir::Kernel& kernel, const Words& in, exec::Divergence divergence) {
  exec::GlobalMemory memory;
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = {1, 1, 1};
  launch.block = {kThreads, 1, 1};
  for (const char* name : {"in", "out"}) {
    const exec::Buffer& buffer = memory.allocate(name, 4 * in.size());
    std::memcpy(buffer.bytes().data(), in.data(), 4 * in.size());
    const std::uint64_t address = buffer.address();
    const auto* bytes = reinterpret_cast<const std::byte*>(&address);
    launch.params.insert(launch.params.end(), bytes, bytes + sizeof address);
  }
  exec::LiveKernel live(std::move(launch), memory, 32, divergence);
  exec::run_functionally(live);
  const auto out = memory.find("out")->as<std::uint32_t>();
  return {out.begin(), out.end()};
}

AllocationLimits random_limits(LaneValues& values) {
  AllocationLimits limits;
  if (values.one_in(5)) return limits;
  limits.registers = 12 + values.below(30);
  limits.predicates = 3 + values.below(5);
  limits.uniforms = 6 + values.below(12);
  return limits;
}

/// Whether it could be allocated.
bool check_allocation(const ir::Kernel& original, unsigned words, LaneValues& values) {
  Words in(std::size_t{words} * kThreads);
  for (std::uint32_t& word : in) word = values.one_in(2) ? values.below(16) : values.word();
  ir::Kernel kernel = with_virtual_registers(original);
  const AllocationLimits limits = random_limits(values);
  CAPTURE(limits.registers, limits.predicates, limits.uniforms);
  try {
    const Allocation allocation = allocate_registers(kernel, limits);
    CHECK(allocation.registers <= limits.registers);
    if (limits.registers > ir::kMaxRegister) CHECK(allocation.spilled_bytes == 0);
    if (limits.registers >= original.registers) CHECK(allocation.registers <= original.registers);
  } catch (const InputError&) {
    return false;
  }
  CHECK(ir::problems_of(kernel).empty());
  CHECK_FALSE(has_virtual_registers(kernel));
  for (const auto divergence : {exec::Divergence::Stack, exec::Divergence::Barriers}) {
    const Words expected = run(original, in, divergence);
    const Words found = run(kernel, in, divergence);
    if (found == expected) continue;
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
    FAIL_CHECK("word " << at % words << " of thread " << at / words << " differs\n"
                       << text::disassemble(kernel));
  }
  return true;
}

TEST_CASE("random kernels with much that is live at once compute the same under random limits") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  LaneValues values(seed);
  // Some 94 % can be allocated; of fewer programs now and then only nine tenths can.
  constexpr unsigned kPrograms = 1200;
  unsigned allocated = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const RegistersProgram program = random_registers_program(values);
    CAPTURE(i, program.text);
    allocated +=
        check_allocation(text::assemble(program.text, "random.sass")[0], program.words, values) ? 1 : 0;
  }
  CHECK(allocated > kPrograms * 9 / 10);
}

TEST_CASE("random structured kernels with calls and switches compute the same under random limits") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  LaneValues values(seed);
  constexpr unsigned kPrograms = 400;
  unsigned allocated = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const std::string program = RandomProgram(values).text();
    CAPTURE(i, program);
    allocated += check_allocation(text::assemble(program, "random.sass")[0], kVariables, values) ? 1 : 0;
  }
  CHECK(allocated > kPrograms * 9 / 10);
}

}  // namespace
}  // namespace heddle::lower
