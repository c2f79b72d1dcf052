// How many registers kernels get, beside ptxas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "isa/base/read_file.h"
#include "isa/ir/registers.h"
#include "isa/ir/verify.h"
#include "isa/lower/allocate.h"
#include "isa/lower/allocate_budget.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"
#include "tests/support/virtual_registers.h"

namespace heddle::lower {
namespace {

std::vector<ir::Kernel> compiled_kernels() {
  std::vector<ir::Kernel> kernels;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tests/isa/compiled")) {
    if (entry.path().extension() != ".sass") continue;
    const std::string path = entry.path().string();
    for (ir::Kernel& kernel : text::assemble(read_file(path), path)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

AllocationLimits as_ptxas(unsigned registers = ir::kMaxRegister + 1U) {
  AllocationLimits limits;
  limits.registers = registers;
  limits.policy = RegisterPolicy::AsPtxas;
  return limits;
}

ir::Kernel allocated(const std::string& body) {
  ir::Kernel kernel = test::with_virtual_registers(
      text::assemble(".kernel k\n.param out ptr\n" + body + "\n    EXIT\n", "test.sass")[0]);
  allocate_registers(kernel, as_ptxas());
  return kernel;
}

/// The registers that an instruction reads, operand by operand, the first of each run.
std::vector<unsigned> read_by(const ir::Instruction& instruction) {
  std::vector<unsigned> found;
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    const bool is_read = run.use == ir::RegisterRun::Use::Read;
    if (is_read && run.file == ir::RegisterFile::General) found.push_back(run.first);
  }
  return found;
}

TEST_CASE("machine code gets about as many registers again as ptxas gave it") {
  // ptxas reports the reserved ones, too; a dump names the others.
  std::vector<double> differences;
  for (const ir::Kernel& original : compiled_kernels()) {
    ir::Kernel kernel = test::with_virtual_registers(original);
    const double registers = allocate_registers(kernel, as_ptxas()).registers;
    const double expected = original.registers + kReservedRegisters;
    differences.push_back(std::abs(registers - expected) / expected);
    CHECK(ir::problems_of(kernel).empty());
  }
  REQUIRE(differences.size() > 250);
  std::sort(differences.begin(), differences.end());
  CHECK(differences[differences.size() / 2] <= 0.10);
  CHECK(differences[differences.size() * 9 / 10] <= 0.25);
}

TEST_CASE("machine code spills nothing where ptxas had as many registers") {
  for (const ir::Kernel& original : compiled_kernels()) {
    CAPTURE(original.file, original.name);
    ir::Kernel kernel = test::with_virtual_registers(original);
    const unsigned limit = original.registers + kReservedRegisters;
    const Allocation figures = allocate_registers(kernel, as_ptxas(limit));
    CHECK(figures.registers <= limit);
    CHECK(figures.spilled_bytes == 0);
  }
}

TEST_CASE("values that one instruction reads lie in different banks") {
  const ir::Kernel kernel = allocated(R"(
    S2R R2, SR_TID.X
    S2R R4, SR_CTAID.X
    S2R R6, SR_CTAID.Y
    IMAD.WIDE.U32 R8, R2, 0x20, c[out]
    IADD3 R10, R2, R4, RZ
    IADD3 R12, R4, R6, RZ
    IADD3 R10, R10, R12, RZ
    STG.E [R8.64], R10)");
  unsigned pairs = 0;
  for (const ir::Instruction& instruction : kernel.instructions) {
    const std::vector<unsigned> read = read_by(instruction);
    if (read.size() != 2) continue;
    ++pairs;
    CHECK(read[0] % 2 != read[1] % 2);
  }
  CHECK(pairs == 4);
}

TEST_CASE("a register that a load has read is not written at once") {
  const ir::Kernel kernel = allocated(R"(
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R2, R0, 0x4, c[out]
    LDG.E R4, [R2.64]
    MOV R6, 0x5
    MOV R7, 0x6
    IMAD.WIDE.U32 R8, R0, 0x8, c[out]
    IADD3 R6, R6, R7, R4
    STG.E [R8.64], R6)");
  std::vector<unsigned> address;
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.file != ir::RegisterFile::General || run.use != ir::RegisterRun::Use::Written) continue;
      for (unsigned i = 0; i < run.count && instruction.opcode != ir::Opcode::Ldg; ++i)
        CHECK(std::count(address.begin(), address.end(), run.first + i) == 0);
    }
    if (instruction.opcode == ir::Opcode::Ldg)
      address = {read_by(instruction)[0], read_by(instruction)[0] + 1};
  }
  CHECK(address.size() == 2);
}

TEST_CASE("the stack pointer's register and those that ptxas reserves count") {
  // For an empty kernel ptxas says "Used 4 registers"; R1 is the highest that it names.
  const ir::Kernel kernel = allocated("    S2R R7, SR_TID.X\n    MOV R9, R7\n    STS [R9], R7");
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.file == ir::RegisterFile::General) CHECK(run.first != kStackPointer);
    }
  }
  CHECK(kernel.registers == kStackPointer + 1 + kReservedRegisters);
  CHECK(allocated("").registers == 4);
}

TEST_CASE("registers may be spent until an SM has fewer warps") {
  // CUDA C++ Programming Guide: 65536 registers of an SM, in units of 256 for a warp, four partitions, 64
  // warps.
  for (unsigned registers = 1; registers + kReservedRegisters <= 255; ++registers) {
    CAPTURE(registers);
    const auto warps = [](unsigned each) {
      const unsigned with_reserved = each + kReservedRegisters;
      const unsigned of_warp = (with_reserved * 32 + 255) / 256 * 256;
      return std::min(16384 / of_warp, 16U);
    };
    const unsigned budget = register_budget(registers);
    CHECK(budget >= registers);
    CHECK(warps(budget) == warps(registers));
    if (budget + kReservedRegisters < 255) CHECK(warps(budget + 1) < warps(registers));
  }
}

}  // namespace
}  // namespace heddle::lower
