// The verifier: what it finds in modules that no text was, and that it finds nothing in those that were.
#include "isa/ir/verify.h"

#include <filesystem>
#include <functional>
#include <random>

#include "isa/ir/executable.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::ir {
namespace {

using Kind = Operand::Kind;

Kernel kernel_of(const std::string& line) {
  return text::assemble(".kernel k\n.param p ptr\n.shared tile 64\n.const t u32 1, 2\n" + line + "\nEXIT\n",
                        "k.sass")[0];
}

/// What is wrong with the instruction after a change.
std::string found_after(const std::string& line, const std::function<void(Instruction&)>& change) {
  Kernel kernel = kernel_of(line);
  REQUIRE(problems_of(kernel).empty());
  change(kernel.instructions[0]);
  const std::vector<Problem> problems = problems_of(kernel);
  REQUIRE_FALSE(problems.empty());
  CHECK(problems[0].pc == 0);
  return problems[0].text();
}

TEST_CASE("operands that no text could name are found, with what may stand in their place") {
  const auto set = [](unsigned place, Operand operand) {
    return [place, operand](Instruction& instruction) { instruction.operands[place] = operand; };
  };
  CHECK(found_after("IMAD.WIDE R4, R2, R3, R6", set(0, {Kind::Register, 5})) ==
        "'R5' cannot begin 2 registers; their first number must be a multiple of 2");
  CHECK(found_after("LDG.E.128 R4, [R2.64]", set(0, {Kind::Register, 252})) ==
        "'R252' cannot begin 4 registers; the last one is R254");
  CHECK(found_after("MOV R0, R1", set(1, {Kind::Address, 2})) ==
        "expected a register, a number or a constant c[...], found an address");
  CHECK(found_after("MOV R0, R1", set(0, Operand{Kind::Immediate})) == "expected a register, found a number");
  CHECK(found_after("UMOV UR0, UR1", set(1, {Kind::Register, 1})) ==
        "expected a uniform register or a number, found a register");
  CHECK(found_after("UMOV UR0, UR1", set(1, {Kind::Uniform, 70})) ==
        "'UR70' is no uniform register; uniform registers are UR0 to UR62 and URZ");
  CHECK(found_after("ISETP.GE.AND P0, PT, R0, R1, PT", set(0, {Kind::Predicate, 20})) ==
        "there is no predicate number 20");
  CHECK(found_after("ISETP.GE.AND P0, PT, R0, R1, PT", set(0, {Kind::Predicate, kFirstUniformPredicate})) ==
        "expected a predicate, found 'UP0'");
  CHECK(found_after("ISETP.GE.AND P0, PT, R0, R1, PT", set(0, {Kind::Predicate, 0, true})) ==
        "a predicate that is written cannot be negated");
  CHECK(found_after("BAR.SYNC 0x1", set(0, {Kind::Immediate, 0, false, false, 16})) ==
        "expected a number from 0 to 15, found '16'");
  CHECK(found_after("MOV R0, 0x1", set(1, {Kind::Immediate, 0, false, false, std::uint64_t{1} << 32})) ==
        "'4294967296' does not fit 32 bits");
  CHECK(found_after("S2R R0, SR_TID.X", set(1, {Kind::Special, 99})) ==
        "there is no special register number 99");
  CHECK(found_after("BSYNC B0", set(1, {Kind::ConvergenceBarrier, 16})) ==
        "there is no convergence barrier number 16");
  CHECK(found_after("MOV R0, R1", set(1, {Kind::Register, 1, true})) == "MOV takes no negated operands");
  CHECK(found_after("IADD3 R0, R1, R2, R3", set(3, {Kind::Register, 1, false, true})) ==
        "IADD3 takes no absolute values |...|");
  CHECK(found_after("MOV R0, c[0x0][0x160]", set(1, {Kind::Constant, 0, false, false, 0x168})) ==
        "'0x168' is past the end of the parameters declared so far, which lie from 0x160 to 0x168");
  CHECK(found_after("MOV R0, c[0x0][0x160]", set(1, {Kind::Constant, 0, false, false, 0x161})) ==
        "a constant of 4 bytes lies at a multiple of 4, not at '0x161'");
  CHECK(found_after("LDS R0, [R2+0x10]", set(1, {Kind::Address, 2, false, false, std::uint64_t{1} << 40})) ==
        "the offset 1099511627776 does not fit 32 bits with a sign");
}

TEST_CASE("parts of operands are judged, too") {
  CHECK(found_after("MOV R0, c[0x0][0x160]", [](Instruction& i) { i.operands[1].bank = 4; }) ==
        "there is no constant bank 0x4");
  CHECK(found_after("MOV R0, c[0x3][0x4]", [](Instruction& i) { i.operands[1].value = 8; }) ==
        "'0x8' is past the end of the constants declared so far, which have 0x8 bytes");
  CHECK(found_after("LDG.E R0, [R2.64+UR4]", [](Instruction& i) { i.operands[1].uniform = 5; }) ==
        "'UR5' cannot begin 2 uniform registers; their first number must be a multiple of 2");
  CHECK(found_after("LDG.E R0, [R2.64]", [](Instruction& i) { i.operands[1].index = 3; }) ==
        "'R3.64' cannot begin 2 registers; their first number must be a multiple of 2");
  CHECK(found_after("LDG.E R0, [R2.64]", [](Instruction& i) { i.operands[1].scale = 4; }) ==
        "an address of LDG cannot count 4 bytes");
  CHECK(found_after("LDS R0, [R2]", [](Instruction& i) { i.operands[1].scale = 3; }) ==
        "an address of LDS cannot count 3 bytes");
  CHECK(found_after("FADD R0, R1, R2", [](Instruction& i) { i.operands[1].part = RegisterPart::LowTwice; }) ==
        "FADD takes no part of a register here");
  CHECK(found_after("FADD R0, R1, R2", [](Instruction& i) { i.operands[0].reuse = true; }) ==
        "only a register that is read can be kept by .reuse");
}

TEST_CASE("modifiers, guards and what goes together are judged without text") {
  CHECK(found_after("MOV R0, R1", [](Instruction& i) { i.modifiers.set(Modifier::FlushFtz); }) ==
        "'.FTZ' is no modifier of MOV");
  CHECK(found_after("MUFU.RCP R0, R1", [](Instruction& i) {
          i.modifiers.set(Modifier::FunctionNone);
        }).starts_with("MUFU needs one of .RCP .RSQ"));
  CHECK(found_after("RED.E.ADD.F32 [R2.64], R0", [](Instruction& i) {
          i.modifiers.set(Modifier::AtomicOperationMin);
        }) == "'RED.E.MIN.F32' takes no .F32 here; types are .U32 .S32 .64 .S64");
  CHECK(found_after("LDGSTS.E [R0], [R2.64]", [](Instruction& i) { i.modifiers.set(Modifier::WidthU8); }) ==
        "'LDGSTS.E.U8': a copy has 4, 8 or 16 bytes, past L1 only 16: .BYPASS.128");
  CHECK(found_after("UMOV UR0, UR1", [](Instruction& i) { i.guard.predicate = 0; }) ==
        "'UMOV' takes no guard but a uniform predicate: it changes the register for all lanes");
  CHECK(found_after("MOV R0, R1", [](Instruction& i) { i.guard.predicate = 33; }) ==
        "there is no predicate number 33");
  CHECK(found_after("ISETP.GE.AND P0, PT, R0, R1, PT", [](Instruction& i) {
          i.operands[5].negated = false;
        }) == "only ISETP.EX takes a sixth operand");
  CHECK(
      found_after("MOV R0, R1", [](Instruction& i) { i.opcode = Opcode::UblkcpLoadAll; }) ==
      "UBLKCP.T.S.G cannot be executed: such bulk copies are only replayed from traces");
}

std::string first_problem(const Kernel& kernel) {
  const std::vector<Problem> problems = problems_of(kernel);
  return problems.empty() ? "" : problems[0].text();
}

TEST_CASE("a function that is wrong as a whole says why") {
  Kernel kernel = kernel_of("BRA next\nnext: MOV R9, R1");
  kernel.instructions[0].operands[1].value = 3;
  CHECK(first_problem(kernel) == "there is no instruction 3 in kernel 'k', which has 3");
  kernel = kernel_of("MOV R9, R1");
  kernel.registers = 9;
  CHECK(first_problem(kernel) == "kernel 'k' uses 10 registers, so it cannot have 9");
  kernel = kernel_of("MOV R9, R1");
  kernel.instructions.pop_back();
  CHECK(
      first_problem(kernel) ==
      "kernel 'k' can run past its end; its last instruction must be an EXIT, BRA, BRX or RET without a guard");
  kernel.instructions.clear();
  CHECK(first_problem(kernel) == "kernel 'k' has no instructions");
  kernel = kernel_of("MOV R9, R1");
  kernel.params[0].offset = 0xfffc;
  CHECK(first_problem(kernel) == "parameter 'p' lies at 0xfffc, where there is no room for it");
  kernel = kernel_of("MOV R9, R1");
  kernel.static_shared_bytes = 60;
  CHECK(first_problem(kernel) == "shared symbol 'tile' ends behind the static shared memory of 60 bytes");
}

TEST_CASE("a problem is told at the source line of its instruction, or at its number where there is none") {
  Module module = text::assemble_module(".kernel k\n  MOV R0, R1\n  EXIT\n", "k.sass");
  CHECK(verify(module).empty());
  module.functions[0].instructions[0].operands[1] = Operand{Kind::Target};
  module.functions[0].instructions[0].operands[0] = Operand{Kind::Target};
  CHECK(to_text(verify(module).at(0)) == "k.sass:2:3: error: expected a register, found a label\n");
  module.files = {"vecadd.cu"};
  module.functions[0].sources[0] = {0, 12, 7};
  CHECK(to_text(verify(module).at(0)) == "vecadd.cu:12:7: error: expected a register, found a label\n");
  module.functions[0].sources.clear();
  module.functions[0].instructions[0].line = 0;
  CHECK(to_text(verify(module).at(0)) ==
        "k.sass: error: kernel 'k', instruction 0: expected a register, found a label\n");
  module.functions[0].instructions.assign(300, module.functions[0].instructions[0]);
  CHECK(verify(module).size() == 100);
}

TEST_CASE("variables of a module are judged") {
  Module module = text::assemble_module(".kernel k\nEXIT\n", "k.sass");
  module.variables = {{"a", VariableSpace::Global, 4, 3, {}, {}},
                      {"a", VariableSpace::Constant, 2, 4, std::vector<std::byte>(3), {}},
                      {"b", VariableSpace::Constant, 0x10000, 4, {}, {}}};
  std::string all;
  for (const Diagnostic& each : verify(module)) all += to_text(each);
  CHECK(all ==
        "k.sass: error: the alignment of variable 'a' is a power of two, not 3\n"
        "k.sass: error: there are several variables 'a'\n"
        "k.sass: error: variable 'a' has 2 bytes, but 3 to begin with\n"
        "k.sass: error: the constants have 65538 bytes, but their bank only 65536\n");
  module.variables.clear();
  module.functions.push_back(module.functions[0]);
  CHECK(to_text(verify(module).at(0)) == "k.sass: error: there are several functions 'k'\n");
}

TEST_CASE("nothing is wrong with what the text reader has taken: examples and disassemblies") {
  unsigned functions = 0;
  for (const char* folder : {"traces", "tests/isa/dumps", "tests/isa/compiled"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR "/") + folder)) {
      if (entry.path().extension() != ".sass") continue;
      text::ModuleText read = text::read_module_file(entry.path().string());
      for (std::size_t i = 0; i < read.module.functions.size(); ++i) {
        if (!read.mistakes[i].empty()) continue;
        INFO(entry.path().string() << " " << read.module.functions[i].name);
        const std::vector<Problem> problems = problems_of(read.module.functions[i]);
        CHECK((problems.empty() ? "" : problems[0].text()) == "");
        ++functions;
      }
    }
  }
  CHECK(functions > 60);
}

/// Instructions of which nothing need be right.
class RandomInstruction {
 public:
  explicit RandomInstruction(std::uint32_t seed) : random_(seed) {}

  Instruction make() {
    Instruction made;
    made.opcode = static_cast<Opcode>(below(kOpcodes));
    if (below(4) == 0) made.guard = {below(below(2) == 0 ? 8 : 20), below(2) == 0};
    const OpcodeInfo& row = info(made.opcode);
    for (unsigned i = 0; i < row.modifier_count; ++i) {
      const auto modifier = static_cast<Modifier>(below(kModifierTable.size()));
      if (below(20) == 0) made.modifiers.set(modifier);
      if (row.modifier_required[i] || below(4) == 0) made.modifiers.set(one_of(row.modifiers[i]));
    }
    for (unsigned i = 0; i < row.operand_count; ++i) made.operands[i] = operand();
    return made;
  }

 private:
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  Modifier one_of(ModifierGroup group) {
    std::vector<Modifier> members;
    for (std::size_t i = 0; i < kModifierTable.size(); ++i) {
      if (kModifierTable[i].group == group) members.push_back(static_cast<Modifier>(i));
    }
    return members[below(members.size())];
  }

  Operand operand() {
    constexpr Kind kUsual[] = {Kind::Register, Kind::Register, Kind::Predicate, Kind::Address, Kind::Uniform};
    const RegisterIndex indices[] = {kRegisterZero,         kUniformZero,  kPredicateTrue,
                                     kUniformPredicateTrue, 4 * below(16), below(300)};
    const std::uint64_t values[] = {0, below(3), below(40), 0x160, random_()};
    Operand made{below(2) == 0 ? kUsual[below(5)] : static_cast<Kind>(below(14)), indices[below(6)]};
    made.value = values[below(5)];
    made.negated = below(8) == 0;
    made.absolute = below(16) == 0;
    if (below(16) == 0) made.part = static_cast<RegisterPart>(below(7));
    if (below(8) == 0) made.bank = static_cast<std::uint8_t>(below(5));
    if (below(8) == 0) made.scale = static_cast<std::uint8_t>(1U << below(6));
    if (below(8) == 0) made.uniform = below(80);
    made.reuse = below(16) == 0;
    return made;
  }

  std::mt19937 random_;
};

/// Machine code has labels' numbers in rows in which our text cannot write a label.
bool has_unwritable_label(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  const bool moves_bits = row.number_type == NumberType::Bits && row.modifier_count == 0;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const bool may_be_written =
        row.operands[i] == OperandRole::Target || (row.operands[i] == OperandRole::Src && moves_bits);
    if (instruction.operands[i].kind == Kind::Target && !may_be_written) return true;
  }
  return false;
}

TEST_CASE("the verifier judges any instruction, and what it takes, text can say") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  RandomInstruction random(seed);
  Kernel kernel = kernel_of("NOP");
  kernel.registers = kMaxRegister + 1;
  unsigned taken = 0;
  for (unsigned i = 0; i < 400'000; ++i) {
    kernel.instructions[0] = random.make();
    if (!problems_of(kernel).empty() || has_unwritable_label(kernel.instructions[0])) continue;
    if (!why_not_executable(kernel.instructions[0]).empty()) continue;
    const std::string text = text::disassemble(kernel);
    INFO(text);
    CHECK_NOTHROW(text::assemble(text, "again.sass"));
    ++taken;
  }
  CHECK(taken > 100);
}

}  // namespace
}  // namespace heddle::ir
