// Random programs: compiled by clang for PTX, lowered by Heddle or compiled by ptxas, against the same
// compiled for this machine.
#include <fmt/format.h>

#include <fstream>

#include "isa/base/diagnostic.h"
#include "isa/load/kernel_file.h"
#include "isa/lower/lower.h"
#include "tests/support/catch.h"
#include "tests/support/random_cuda_program.h"

namespace heddle::test {
namespace {

constexpr exec::Divergence kMechanisms[] = {exec::Divergence::Stack, exec::Divergence::Barriers};

/// Compiles so many random kernels, runs each in four ways, and compares. False if there is no clang.
bool check_random(std::uint32_t seed, unsigned count) {
  const auto program = RandomCudaProgram::make(seed, count);
  if (!program) return false;
  const ptx::Module module = ptx::read_module(program->ptx(), "program.ptx");
  for (unsigned i = 0; i < count; ++i) {
    INFO("kernel " << i);
    if (program->is_miscompiled(i)) continue;
    const RandomCudaProgram::Words wanted = program->wanted(i);
    for (const unsigned most_registers : {255U, 24U}) {
      const ir::Kernel kernel = lower::lower_kernel(module, fmt::format("k{}", i), {80}, most_registers);
      for (const exec::Divergence divergence : kMechanisms) CHECK(program->run(kernel, divergence) == wanted);
    }
  }
  return true;
}

/// The same by machine code that ptxas makes for a compute capability. False if there is no clang.
bool check_machine_code(std::uint32_t seed, unsigned count, unsigned capability) {
  const auto program = RandomCudaProgram::make(seed, count);
  if (!program) return false;
  // What clang writes is for 8.0; each word is there once, at the beginning.
  std::string text = program->ptx();
  const auto replace = [&](const std::string& word, const std::string& by) {
    text.replace(text.find(word), word.size(), by);
  };
  if (capability < 80) replace(".target sm_80", fmt::format(".target sm_{}", capability));
  replace(".version 7.5", ".version 7.8");
  const std::string ptx = fmt::format("{}.sm_{}", program->ptx_path(), capability);
  std::ofstream(ptx) << text;
  REQUIRE(runs(fmt::format("ptxas -arch=sm_{0} {1} -o {1}.cubin", capability, ptx)));
  unsigned unknown = 0;
  const load::KernelFile file = load::KernelFile::from_file(ptx + ".cubin");
  for (unsigned i = 0; i < count; ++i) {
    INFO("kernel " << i);
    if (program->is_miscompiled(i)) continue;
    try {
      const ir::Kernel kernel = file.choose(fmt::format("k{}", i), "--entry", {});
      CHECK(program->run(kernel, exec::Divergence::Barriers) == program->wanted(i));
    } catch (const InputError& refused) {
      // What has no row among the encodings is refused, and counted here.
      CHECK_THAT(refused.what(), Catch::Contains("no instruction is known for the encoding"));
      ++unknown;
    }
  }
  CHECK(5 * unknown <= count);
  return true;
}

bool has_ptxas() { return runs("ptxas --version > /dev/null 2>&1"); }

TEST_CASE("random programs from clang give what they give on this machine") {
  const std::uint32_t seed = RandomCudaProgram::seed();
  INFO("HEDDLE_SEED=" << seed);
  const bool is_run = check_random(seed, 40);
  if (!is_run) WARN("skipped: there is no clang++");
}

TEST_CASE("random programs by ptxas give what they give on this machine") {
  const std::uint32_t seed = RandomCudaProgram::seed();
  INFO("HEDDLE_SEED=" << seed);
  const unsigned capability = GENERATE(75U, 80U, 86U, 89U, 90U);
  CAPTURE(capability);
  if (!has_ptxas() || !check_machine_code(seed, 20, capability))
    WARN("skipped: there is no ptxas, or no clang++");
}

TEST_CASE("ten thousand random programs give what they give on this machine", "[heavy]") {
  if (!RandomCudaProgram::has_right_clang()) {
    WARN("skipped: there is no clang++ from 16 on");
    return;
  }
  const std::uint32_t seed = RandomCudaProgram::seed();
  for (std::uint32_t i = 0; i < 100; ++i) {
    INFO("HEDDLE_SEED=" << seed + i);
    CHECK(check_random(seed + i, 100));
  }
}

}  // namespace
}  // namespace heddle::test
