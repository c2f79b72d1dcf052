// Machine code that nvcc made, with virtual registers and allocated again: it computes the same, in no more
// registers than ptxas took, and with few registers by way of local memory.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "isa/base/read_file.h"
#include "isa/exec/functional.h"
#include "isa/ir/verify.h"
#include "isa/lower/allocate.h"
#include "isa/stream/kernel_fault.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"
#include "tests/support/virtual_registers.h"

namespace heddle::lower {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr unsigned kBlocks = 4;
constexpr unsigned kBlockThreads = 128;
constexpr unsigned kThreads = kBlocks * kBlockThreads;
constexpr std::uint32_t kSmall = 5;  // the m of the sources
constexpr std::uint32_t kSharedBytes =
    2048;  // more than any kernel has; cuobjdump -sass does not say how many

std::vector<ir::Kernel> compiled_kernels() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tests/isa/compiled")) {
    if (entry.path().extension() == ".sass") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<ir::Kernel> kernels;
  for (const std::string& path : paths) {
    for (ir::Kernel& kernel : text::assemble(read_file(path), path)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Words numbers(std::uint32_t seed) {
  std::mt19937 source(seed);
  Words words(kThreads);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(source()) >> (source() % 4 * 8);
  return words;
}

/// What the kernel leaves, or the fault that it ends in.
std::string result_of(const ir::Kernel& kernel, exec::Divergence divergence) {
  exec::GlobalMemory memory;
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kBlockThreads, 1, 1};
  launch.dynamic_shared_bytes = kSharedBytes;
  Words params;
  for (const auto& [name, words] :
       {std::pair{"a", numbers(1)}, std::pair{"b", numbers(2)}, std::pair{"o", Words(4 * kThreads)}}) {
    const exec::Buffer& buffer = memory.allocate(name, 4 * words.size());
    std::copy(words.begin(), words.end(), buffer.as<std::uint32_t>().begin());
    params.push_back(static_cast<std::uint32_t>(buffer.address()));
    params.push_back(static_cast<std::uint32_t>(buffer.address() >> 32));
  }
  params.insert(params.end(), {kThreads, kSmall});
  const auto bytes = std::as_bytes(std::span(params));
  launch.params.assign(bytes.begin(), bytes.end());
  try {
    exec::LiveKernel live(std::move(launch), memory, 32, divergence);
    exec::run_functionally(live);
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
  std::string result;
  for (const std::uint32_t word : memory.find("o")->as<std::uint32_t>()) result += fmt::format("{:x} ", word);
  return result;
}

/// Nothing if the kernel cannot do with so few registers.
std::unique_ptr<Allocation> try_to_allocate(ir::Kernel& kernel, unsigned registers) {
  AllocationLimits limits;
  limits.registers = registers;
  try {
    return std::make_unique<Allocation>(allocate_registers(kernel, limits));
  } catch (const InputError&) {
    return nullptr;
  }
}

TEST_CASE("machine code whose registers are allocated again computes the same in no more of them") {
  unsigned spilling = 0;
  for (const ir::Kernel& original : compiled_kernels()) {
    CAPTURE(original.file, original.name);
    const std::string expected = result_of(original, exec::Divergence::Barriers);
    for (const unsigned limit : {255U, 16U, 10U}) {
      CAPTURE(limit);
      ir::Kernel kernel = test::with_virtual_registers(original);
      const auto figures = try_to_allocate(kernel, limit);
      if (!figures) continue;
      CHECK(figures->registers <= std::min(limit, original.registers));
      spilling += figures->spilled_bytes != 0 ? 1 : 0;
      for (const ir::Problem& problem : ir::problems_of(kernel))
        FAIL_CHECK("instruction " << problem.pc << ": " << problem.text());
      CHECK(result_of(kernel, exec::Divergence::Barriers) == expected);
      CHECK(result_of(kernel, exec::Divergence::Stack) == expected);
    }
  }
  CHECK(spilling > 50);
}

}  // namespace
}  // namespace heddle::lower
