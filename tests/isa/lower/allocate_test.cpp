// Register allocation where the right answer is known beforehand.
#include "isa/lower/allocate.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ir/verify.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/virtual_registers.h"

namespace heddle::lower {
namespace {

/// A kernel with one pointer, "out".
ir::Kernel kernel_of(const std::string& body) {
  return text::assemble(".kernel k\n.param out ptr\n" + body + "\n    EXIT\n", "test.sass")[0];
}

constexpr unsigned kWords = 8;  // that a thread may leave

std::vector<std::uint32_t> run(const ir::Kernel& kernel) {
  exec::GlobalMemory memory;
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  const std::uint64_t address = memory.allocate("out", 4 * kWords * 32).address();
  const auto* bytes = reinterpret_cast<const std::byte*>(&address);
  launch.params.assign(bytes, bytes + sizeof address);
  exec::LiveKernel live(std::move(launch), memory, 32);
  exec::run_functionally(live);
  const auto words = memory.find("out")->as<std::uint32_t>();
  return {words.begin(), words.end()};
}

struct Result {
  ir::Kernel kernel;
  Allocation figures;
};

/// Allocates with virtual registers what was written with physical ones; it must compute the same.
Result allocate(const std::string& body, const AllocationLimits& limits = {}) {
  const ir::Kernel original = kernel_of(body);
  Result result{test::with_virtual_registers(original), {}};
  result.figures = allocate_registers(result.kernel, limits);
  INFO(text::disassemble(result.kernel));
  CHECK(ir::problems_of(result.kernel).empty());
  CHECK_FALSE(test::has_virtual_registers(result.kernel));
  CHECK(run(result.kernel) == run(original));
  return result;
}

std::size_t count(const ir::Kernel& kernel, ir::Opcode opcode) {
  return static_cast<std::size_t>(
      std::count_if(kernel.instructions.begin(), kernel.instructions.end(),
                    [opcode](const ir::Instruction& each) { return each.opcode == opcode; }));
}

constexpr std::string_view kAddress = R"(
    S2R R100, SR_TID.X
    IMAD.WIDE.U32 R102, R100, 0x20, c[out]
)";

/// As many values at once as there are, then their sum.
std::string values_at_once(unsigned values) {
  std::string text(kAddress);
  for (unsigned i = 0; i < values; ++i) text += fmt::format("    IADD3 R{}, R102, {:#x}, RZ\n", i, 3 * i + 1);
  for (unsigned i = 1; i < values; ++i) text += fmt::format("    IMAD R0, R0, 0x3, R{}\n", i);
  return text + "    STG.E [R102.64], R0\n";
}

TEST_CASE("so many values at once, and an address, take so many registers") {
  for (const unsigned values : {1U, 2U, 7U, 8U, 31U, 90U}) {
    INFO(values << " values");
    const Result result = allocate(values_at_once(values));
    CHECK(result.figures.registers == values + 2);
    CHECK(result.kernel.registers == values + 2);
    CHECK(result.figures.spilled_bytes == 0);
    CHECK(result.kernel.local_bytes == 0);
  }
}

TEST_CASE("values that find no register are stored once and loaded once in straight code") {
  AllocationLimits limits;
  limits.registers = 16;
  const Result result = allocate(values_at_once(30), limits);
  CHECK(result.figures.registers <= 16);
  // 30 values and the address are live at once, so that 16 leave; the one that is loaded needs a register,
  // too.
  CHECK(result.figures.spill_stores >= 16);
  CHECK(result.figures.spill_stores <= 20);
  CHECK(result.figures.spill_loads == result.figures.spill_stores);
  CHECK(count(result.kernel, ir::Opcode::Stl) == result.figures.spill_stores);
  CHECK(count(result.kernel, ir::Opcode::Ldl) == result.figures.spill_loads);
  CHECK(result.kernel.local_bytes == result.figures.spilled_bytes);
}

TEST_CASE("numbers and constants are made again rather than kept in memory") {
  std::string text(kAddress);
  for (unsigned i = 0; i < 20; ++i) text += fmt::format("    MOV R{}, {:#x}\n", i, 0x1234 + i);
  for (unsigned i = 1; i < 20; ++i) text += fmt::format("    IMAD R0, R0, 0x3, R{}\n", i);
  AllocationLimits limits;
  limits.registers = 8;
  const Result result = allocate(text + "    STG.E [R102.64], R0\n", limits);
  CHECK(result.figures.spilled_bytes == 0);
  CHECK(result.figures.rematerialized >= 14);
  CHECK(result.figures.registers <= 8);
}

TEST_CASE("copies vanish, on a path and where paths meet") {
  const Result result = allocate(std::string(kAddress) + R"(
    ISETP.LT.AND P0, PT, R100, 0x10, PT
@P0 BRA less
    IADD3 R4, R100, 0x5, RZ
    MOV R6, R4
    MOV R7, R6
    BRA join
less:
    IMAD R5, R100, R100, RZ
    MOV R7, R5
join:
    MOV R8, R7
    STG.E [R102.64], R8
)");
  CHECK(count(result.kernel, ir::Opcode::Mov) == 0);
  CHECK(result.figures.copies_removed == 4);
}

TEST_CASE("a copy stays where both values change") {
  const Result result = allocate(std::string(kAddress) + R"(
    IADD3 R4, R100, 0x5, RZ
    MOV R5, R4
    IADD3 R5, R5, 0x1, RZ
    IADD3 R4, R4, 0x2, RZ
    IMAD R4, R4, R5, RZ
    STG.E [R102.64], R4
)");
  // R5 changes first, into a value of its own: the copy is that of a value that stays as it is.
  CHECK(count(result.kernel, ir::Opcode::Mov) == 0);
  const Result swapped = allocate(std::string(kAddress) + R"(
    IADD3 R4, R100, 0x5, RZ
    IADD3 R5, R100, 0x7, RZ
    MOV R6, 0x4
top:
    MOV R7, R4
    MOV R4, R5
    MOV R5, R7
    IADD3 R6, R6, -0x1, RZ
    ISETP.GT.AND P0, PT, R6, RZ, PT
@P0 BRA top
    STG.E [R102.64], R4
    STG.E [R102.64+0x4], R5
)");
  // Two values that change places go through a third register.
  CHECK(swapped.figures.copies_removed == 0);
}

TEST_CASE("pairs and quads are aligned and leave no gaps") {
  const Result result = allocate(std::string(kAddress) + R"(
    IADD3 R0, R100, 0x1, RZ
    IMAD.WIDE.U32 R4, R100, R0, RZ
    MOV R9, R0
    IADD3 R8, R100, 0x2, RZ
    IADD3 R10, R100, 0x3, RZ
    IADD3 R11, R100, 0x4, RZ
    STG.E.128 [R102.64], R8
    STG.E.64 [R102.64+0x10], R4
    STG.E [R102.64+0x18], R0
)");
  // An address of two, a quad of which one word is R0 itself, and a pair.
  CHECK(result.figures.registers == 8);
  CHECK(count(result.kernel, ir::Opcode::Mov) == 0);
}

TEST_CASE("a value that is needed in two places of pairs is copied once for each word") {
  const Result result = allocate(std::string(kAddress) + R"(
    IADD3 R4, R100, 0x1, RZ
    IADD3 R5, R100, 0x2, RZ
    MOV R6, R5
    MOV R7, R4
    STG.E.64 [R102.64], R4
    STG.E.64 [R102.64+0x8], R6
)");
  CHECK(count(result.kernel, ir::Opcode::Mov) == 2);
  CHECK(result.figures.registers == 6);
}

TEST_CASE("registers of a run that overlaps another run otherwise are copied") {
  ir::Kernel odd = kernel_of(std::string(kAddress) + R"(
    IADD3 R4, R100, 0x1, RZ
    IADD3 R5, R100, 0x2, RZ
    IADD3 R6, R100, 0x3, RZ
    STG.E.64 [R102.64], R4
    STG.E.64 [R102.64+0x8], R4
)");
  // Physical registers could not be named so: the second pair begins with the second word of the first.
  odd = test::with_virtual_registers(odd);
  ++odd.instructions[6].operands[1].index;
  const Allocation figures = allocate_registers(odd);
  CHECK(figures.copies_inserted == 2);
  CHECK(ir::problems_of(odd).empty());
  const auto words = run(odd);
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(words[kWords * lane] == lane + 1);
    CHECK(words[kWords * lane + 1] == lane + 2);
    CHECK(words[kWords * lane + 2] == lane + 2);
    CHECK(words[kWords * lane + 3] == lane + 3);
  }
}

TEST_CASE("a result that nobody reads does not lie where another result does") {
  allocate(std::string(kAddress) + R"(
    ISETP.LT.AND P0, P1, R100, 0x10, PT
    SEL R4, R100, 0x7, P0
    STG.E [R102.64], R4
    ISETP.LT.AND P1, P0, R100, 0x10, PT
    SEL R4, R100, 0x7, P0
    STG.E [R102.64+0x4], R4
)");
}

TEST_CASE("both conditions write for all lanes only as long as the predicate is the same") {
  const std::string same = R"(
    MOV R4, 0x5
    IADD3 R8, R100, 0x9, RZ
    STG.E [R102.64+0x4], R8
    ISETP.LT.AND P0, PT, R100, 0x10, PT
@P0 MOV R4, 0x1
    {}
@!P0 MOV R4, 0x2
    STG.E [R102.64], R4
)";
  allocate(std::string(kAddress) + fmt::format(fmt::runtime(same), "NOP"));
  allocate(std::string(kAddress) + fmt::format(fmt::runtime(same), "ISETP.GT.AND P0, PT, R100, 0x8, PT"));
  allocate(std::string(kAddress) + fmt::format(fmt::runtime(same), "@P0 ISETP.GT.AND P0, PT, R100, 0x8, PT"));
}

TEST_CASE("nothing lies in a physical register while that is in use") {
  const std::string text = std::string(kAddress) + R"(
    IADD3 R0, R100, 0x1, RZ
    IADD3 R4, R100, 0x2, RZ
    IADD3 R5, R100, 0x3, RZ
    IMAD R0, R0, R5, R4
    STG.E [R102.64], R0
)";
  const ir::Kernel original = kernel_of(text);
  ir::Kernel kernel = test::with_virtual_registers(original);
  constexpr ir::RegisterIndex kPhysical = 4;
  for (ir::Instruction& instruction : kernel.instructions) {
    for (ir::Operand& operand : instruction.operands) {
      if (operand.index == ir::kFirstVirtual + kPhysical) operand.index = kPhysical;
    }
  }
  const Allocation figures = allocate_registers(kernel);
  CHECK(figures.registers == 5);
  CHECK(kernel.instructions[3].operands[0].index == kPhysical);
  CHECK(run(kernel) == run(original));
}

TEST_CASE("predicates that find no place are kept in registers") {
  std::string text(kAddress);
  for (unsigned i = 0; i < 6; ++i)
    text += fmt::format("    ISETP.GT.AND P{}, PT, R100, {:#x}, PT\n", i, 5 * i);
  text += "    MOV R0, RZ\n";
  for (unsigned i = 0; i < 6; ++i) text += fmt::format("@P{} IADD3 R0, R0, {:#x}, RZ\n", i, 1 << i);
  AllocationLimits limits;
  limits.predicates = 2;
  const Result result = allocate(text + "    STG.E [R102.64], R0\n", limits);
  CHECK(result.figures.spilled_bytes == 0);
  CHECK(count(result.kernel, ir::Opcode::Sel) >= 4);
}

TEST_CASE("a limit that is too low is refused with one that is enough") {
  const ir::Kernel original = test::with_virtual_registers(kernel_of(std::string(kAddress) + R"(
    LDG.E.128 R4, [R102.64]
    STG.E.128 [R102.64], R4
)"));
  AllocationLimits limits;
  limits.registers = 4;
  ir::Kernel kernel = original;
  // A quad and an address are needed at once. The kernel stays as it was.
  CHECK_THROWS_WITH(allocate_registers(kernel, limits),
                    Catch::Contains("kernel 'k' cannot do with 4 registers; it needs at least 6"));
  CHECK(test::has_virtual_registers(kernel));
  limits.registers = 6;
  CHECK(allocate_registers(kernel, limits).registers == 6);
}

/// Places at which the kernel stores in local memory.
std::vector<ir::Operand> stored_at(const ir::Kernel& kernel) {
  std::vector<ir::Operand> places;
  for (const ir::Instruction& each : kernel.instructions) {
    if (each.opcode == ir::Opcode::Stl) places.push_back(each.operands[0]);
  }
  return places;
}

TEST_CASE("spilled values lie below the stack, if there is one, else behind what lies in local memory") {
  AllocationLimits limits;
  limits.registers = 12;
  for (const bool has_stack : {false, true}) {
    ir::Kernel kernel = kernel_of((has_stack ? "    MOV R1, c[0x0][0x28]\n" : "") + values_at_once(30));
    kernel.local_bytes = 0x30;
    kernel = test::with_virtual_registers(kernel);
    const Allocation figures = allocate_registers(kernel, limits);
    CHECK(kernel.local_bytes == 0x30 + figures.spilled_bytes);
    CHECK_FALSE(stored_at(kernel).empty());
    const std::uint64_t begin = has_stack ? 0 : 0x30;
    for (const ir::Operand& place : stored_at(kernel)) {
      CHECK(place.index == ir::kRegisterZero);
      CHECK(place.value >= begin);
      CHECK(place.value < begin + figures.spilled_bytes);
    }
  }
}

TEST_CASE("spilled values lie in the function's frame where there is one") {
  ir::Kernel kernel = test::with_virtual_registers(kernel_of(values_at_once(30)));
  AllocationLimits limits;
  limits.registers = 12;
  limits.frame_offset = 0x20;
  const Allocation figures = allocate_registers(kernel, limits);
  CHECK_FALSE(stored_at(kernel).empty());
  for (const ir::Operand& place : stored_at(kernel)) {
    CHECK(place.index == 1);
    CHECK(place.value >= 0x20);
    CHECK(place.value < 0x20 + figures.spilled_bytes);
  }
}

}  // namespace
}  // namespace heddle::lower
