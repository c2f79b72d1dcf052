// Whole disassemblies as kernel files. tests/isa/dumps has some of one source file, made by NVIDIA's tools.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "isa/base/read_file.h"
#include "isa/ir/entry.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "isa/text/kernel_choice.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::text {
namespace {

const std::string kDumps = HEDDLE_SOURCE_DIR "/tests/isa/dumps/";

// As kernels.cu declares them, by how the Itanium C++ ABI writes them.
const std::vector<std::string> kNames = {"_Z5mixedc5MixedsPd", "_Z5saxpyifPKfPf", "_Z5stepsPKiPiii",
                                         "_Z8reversedPf", "_Z9quotientsPKfS0_Pfi"};

std::vector<std::string> names_of(const ir::Module& module) {
  std::vector<std::string> names;
  for (const ir::Kernel& each : module.functions) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  return names;
}

struct KernelText {
  ir::Kernel kernel;
  std::vector<Diagnostic> mistakes;
};

KernelText one(const std::string& file, const std::string& name) {
  const ModuleText read = read_module_file(kDumps + file);
  const auto found = ir::find_entry(read.module, name);
  REQUIRE(found);
  return {read.module.functions[*found], read.mistakes[*found]};
}

const char* const kFiles[] = {"75.cuobjdump.sass",  "75.nvdisasm-c-g.sass", "75.nvdisasm-c-plr.sass",
                              "80.cuobjdump.sass",  "80.nvdisasm.sass",     "89.cuobjdump.sass",
                              "90.cuobjdump.sass",  "90.nvdisasm.sass",     "90.nvdisasm-c-hex.sass",
                              "100.cuobjdump.sass", "100.nvdisasm.sass",    "120.cuobjdump.sass"};

TEST_CASE("each function of a disassembly is a kernel, with the compute capability that the file names") {
  for (const std::string file : kFiles) {
    INFO(file);
    const ir::Module module = read_module_file(kDumps + file).module;
    CHECK(names_of(module) == kNames);
    const unsigned capability = static_cast<unsigned>(std::stoul(file));
    for (const ir::Kernel& each : module.functions) {
      CHECK(each.compute_capability == capability);
      CHECK(each.param_base == (capability >= 100 ? 0x380U : capability >= 90 ? 0x210U : 0x160U));
      CHECK(each.has_open_params);
    }
  }
}

TEST_CASE("all forms of a disassembly have the same instructions") {
  const std::map<std::string, std::vector<std::string>> same = {
      {"75.cuobjdump.sass", {"75.nvdisasm-c-g.sass", "75.nvdisasm-c-plr.sass"}},
      {"80.cuobjdump.sass", {"80.nvdisasm.sass"}},
  };
  for (const auto& [file, others] : same) {
    for (const std::string& name : kNames) {
      const KernelText wanted = one(file, name);
      for (const std::string& other : others) {
        INFO(file << " " << other << " " << name);
        const KernelText found = one(other, name);
        REQUIRE(found.kernel.instructions.size() == wanted.kernel.instructions.size());
        for (Pc pc = 0; pc < wanted.kernel.instructions.size(); ++pc) {
          CHECK(found.kernel.instructions[pc].opcode == wanted.kernel.instructions[pc].opcode);
          CHECK(found.kernel.instructions[pc].operands == wanted.kernel.instructions[pc].operands);
          CHECK(found.kernel.addresses[pc] == 16 * std::uint64_t{pc});
        }
      }
    }
  }
}

TEST_CASE("what the sections around the code say is taken: sizes of parameters, registers, shared memory") {
  // The sizes are those of the source's types, at the offsets at which C++ lays them out.
  const ir::Kernel mixed = one("80.nvdisasm.sass", "_Z5mixedc5MixedsPd").kernel;
  REQUIRE(mixed.param_slots.size() == 4);
  const std::uint32_t offsets[] = {0, 8, 32, 40};
  const std::uint32_t bytes[] = {1, 24, 2, 8};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(mixed.param_slots[i].offset == offsets[i]);
    CHECK(mixed.param_slots[i].bytes == bytes[i]);
  }
  CHECK(one("80.nvdisasm.sass", "_Z8reversedPf").kernel.static_shared_bytes == 128 * sizeof(float));
  // From 9.0 on the first KiB is the system's, and the code's addresses begin behind it.
  CHECK(one("90.nvdisasm.sass", "_Z8reversedPf").kernel.static_shared_bytes == 1024 + 128 * sizeof(float));
  const ir::Kernel listed = one("75.nvdisasm-c-plr.sass", "_Z5saxpyifPKfPf").kernel;
  CHECK(listed.registers == 10);  // .sectioninfo @"SHI_REGISTERS=10"
}

TEST_CASE("what a disassembly became can be assembled again") {
  for (const std::string file : kFiles) {
    for (const std::string& name : kNames) {
      INFO(file << " " << name);
      const KernelText read = one(file, name);
      REQUIRE(read.mistakes.empty());
      const ir::Kernel& kernel = read.kernel;
      const ir::Kernel again = assemble(disassemble(kernel), "again")[0];
      CHECK(again.compute_capability == kernel.compute_capability);
      CHECK(again.param_base == kernel.param_base);
      CHECK(again.has_open_params);
      CHECK(again.static_shared_bytes == kernel.static_shared_bytes);
      CHECK(again.registers == kernel.registers);
      CHECK(disassemble(again) == disassemble(kernel));
    }
  }
}

ModuleText read(const std::string& text) { return read_module(text, "dump.sass"); }

TEST_CASE("lines that frame a dump are passed over below .kernel, too") {
  const auto kernels = assemble(
      ".kernel frame\n"
      "\t.headerflags\t@\"EF_CUDA_SM89 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM89)\"\n"
      "        /*0000*/                   MOV R1, c[0x0][0x28] ;             /* 0x00000a0000017a02 */\n"
      "                                                                      /* 0x000fe40000000f00 */\n"
      "        /*0010*/                   EXIT ;                             /* 0x000000000000794d */\n"
      "\t\t..........\n\n\n",
      "frame.sass");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "frame");
  CHECK(kernels[0].instructions.size() == 2);
  CHECK(kernels[0].compute_capability == 89);
}

TEST_CASE("words of a frame may name labels") {
  const auto kernels = assemble(
      ".kernel k\nidentifier: NOP\nFunction:\nhost: @P0 BRA identifier\narch: BRA Function\n", "labels.sass");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].instructions.size() == 3);
  CHECK(kernels[0].labels.size() == 4);
}

TEST_CASE("what is written of scheduling beside instructions is passed over") {
  const std::string plain = "MOV R1, 0x1 ;\nIADD3 R2, R1, R1, RZ ;\nEXIT ;\n";
  for (
      const std::string text : {
          "--:-:-:Y:1 MOV R1, 0x1 ;\n01:-:0:-:4 IADD3 R2, R1, R1, RZ ;\n--:-:-:-:5 EXIT ;\n",
          "MOV R1, 0x1 &wr=0x0 ?trans5;\nIADD3 R2, R1, R1, RZ &req={0,1} &rd=0x2 ?WAIT4_END_GROUP;\nEXIT ?trans1;\n",
          "MOV R1, 0x1 &req={0, 1} ?NOTRANS4;\nIADD3 R2, R1, R1, RZ;\nEXIT (*\"nothing\"*);\n",
          "{ MOV R1, 0x1 ;\n IADD3 R2, R1, R1, RZ ; }\nEXIT ;\n",
      }) {
    INFO(text);
    const auto kernels = assemble(".kernel k\n" + text, "");
    CHECK(disassemble(kernels[0]) == disassemble(assemble(".kernel k\n" + plain, "")[0]));
  }
  CHECK_THROWS_WITH(assemble(".kernel k\nFADD R0, R1, R2 & R3\nEXIT\n", ""), Catch::Contains("found '&'"));
}

TEST_CASE("control codes in brackets are part of a kernel, and are printed with it") {
  const std::string text =
      ".kernel k\n[B------:R-:W0:-:S01] MOV R1, 0x1 ;\n[B0-2--5:R1:W-:Y:S14] /*0010*/ @P0 IADD3 R2, R1, R1, RZ ;\n"
      "/*0020*/ [B------:R-:W-:Y:S05] EXIT ;\n";
  const ir::Kernel kernel = assemble(text, "").front();
  const auto codes_of = [](const ir::Kernel& of) {
    std::vector<ir::ControlCode> codes;
    for (const ir::Instruction& instruction : of.instructions) codes.push_back(instruction.control);
    return codes;
  };
  CHECK(codes_of(kernel) ==
        std::vector<ir::ControlCode>{
            {.is_given = true, .stall = 1, .write_barrier = 0},
            {.is_given = true, .yield = true, .stall = 14, .read_barrier = 1, .wait_mask = 0b100101},
            {.is_given = true, .yield = true, .stall = 5}});
  CHECK(codes_of(assemble(disassemble(kernel), "").front()) == codes_of(kernel));
  CHECK_THROWS_WITH(assemble(text + "EXIT ;\n", "file"),
                    Catch::Contains("file:5:1: error: of a kernel's instructions all must have control codes"));
  for (const char* none : {"B------:R-:W6:-:S01", "B0-----:R-:W-:-:S16", "B1-----:R-:W-:-:S01", "B------:R-:W-:X:S01",
                           "B------:R-:W-:-:S1"})
    CHECK_FALSE(ir::control_code_of(none).is_given);
}

const std::string kTwo =
    "Fatbin elf code:\n================\narch = sm_80\ncode version = [1,7]\nhost = linux\ncompile_size = 64bit\n\n"
    "\tcode for sm_80\n\t\tFunction : _Z3onePi\n\t.headerflags\t@\"EF_CUDA_SM80\"\n"
    "/*0000*/ NOSUCH R1 ;\n/*0010*/ EXIT ;\n\t\t..........\n\n"
    "\t\tFunction : _Z3twoPi\n\t.headerflags\t@\"EF_CUDA_SM80\"\n"
    "/*0000*/ MOV R2, c[0x0][0x160] ;\n/*0010*/ EXIT ;\n\t\t..........\n";

TEST_CASE("only the function that is chosen is judged") {
  CHECK_THROWS_WITH(
      choose_kernel(read(kTwo), std::nullopt, "--entry"),
      Catch::Contains(
          "--entry must name one kernel; there are '_Z3onePi' (one(int*)), '_Z3twoPi' (two(int*))"));
  for (const std::string name : {"_Z3twoPi", "two", "two(int*)", "two@sm_80"})
    CHECK(choose_kernel(read(kTwo), name, "--entry").instructions.size() == 2);
  CHECK_THROWS_WITH(choose_kernel(read(kTwo), "one", "--entry"),
                    Catch::Contains("'NOSUCH' is no instruction"));
  CHECK_THROWS_WITH(choose_kernel(read(kTwo), "three", "--entry"),
                    Catch::Contains("there is no kernel 'three'"));
  CHECK_THROWS_WITH(without_mistakes(read(kTwo)), Catch::Contains("'NOSUCH' is no instruction"));
}

TEST_CASE("a file that has a function for several GPUs asks which") {
  std::string other = kTwo;
  for (std::size_t at = other.find("80"); at != std::string::npos; at = other.find("80", at))
    other.replace(at, 2, "90");
  CHECK_THROWS_WITH(choose_kernel(read(kTwo + other), "_Z3twoPi", "--entry"),
                    Catch::Contains("'_Z3twoPi@sm_90'"));
  const ir::Kernel found = choose_kernel(read(kTwo + other), "two@sm_90", "--entry");
  CHECK(found.compute_capability == 90);
  CHECK(found.param_base == 0x210);
}

TEST_CASE("a template's kernel is named without its arguments, too") {
  const std::string text =
      "Function : _Z6reduceILi256EEvPKiPii\n/*0000*/ EXIT ;\n....\nFunction : plain\nEXIT ;\n";
  for (const std::string name : {"reduce", "reduce<256>", "void reduce<256>(int const*, int*, int)"})
    CHECK(choose_kernel(read(text), name, "--entry").name == "_Z6reduceILi256EEvPKiPii");
  CHECK(choose_kernel(read(text), "plain", "--entry").name == "plain");
}

TEST_CASE("bare machine code takes its name from its file") {
  const ir::Module module = assemble_module("\t.headerflags @\"EF_CUDA_SM86\"\n/*0000*/ EXIT;\n", "some/raw.sass");
  REQUIRE(module.functions.size() == 1);
  CHECK(module.functions[0].name == "raw");
}

TEST_CASE("constants of bank 3 come from the section that has them") {
  const ir::Module module = assemble_module(
      "\t.target\tsm_90\n\t.section\t.nv.constant3,\"a\",@progbits\n\t.align\t4\n.nv.constant3:\n"
      "\t.type\t\tcv,@object\ncv:\n        /*0000*/ \t.byte\t0x05, 0x00, 0x00, 0x00, 0x06, 0x01, 0x00, 0x00\n"
      "\t.section\t.text.k,\"ax\",@progbits\n\t.global k\n.text.k:\n/*0000*/ MOV R0, c[0x3][0x4];\n/*0010*/ EXIT;\n",
      "dump.sass");
  REQUIRE(module.functions.size() == 1);
  CHECK(module.functions[0].constant_data == std::vector<std::uint32_t>{5, 0x106});
  REQUIRE(module.variables.size() == 1);
  CHECK(module.variables[0].space == ir::VariableSpace::Constant);
  CHECK(module.variables[0].bytes == 8);
  const std::uint8_t bytes[] = {5, 0, 0, 0, 6, 1, 0, 0};
  REQUIRE(module.variables[0].data.size() == sizeof bytes);
  CHECK(std::memcmp(module.variables[0].data.data(), bytes, sizeof bytes) == 0);
}

TEST_CASE("the stack is as large as the frames that the code makes") {
  const auto kernels = read(
      "Function : k\n.headerflags @\"EF_CUDA_SM80\"\n/*0000*/ MOV R1, c[0x0][0x28] ;\n/*0010*/ IADD3 R1, R1, -0x80, RZ ;\n"
      "/*0020*/ STL [R1], RZ ;\n/*0030*/ EXIT ;\n");
  CHECK(kernels.module.functions[0].local_bytes == 0x80);
}

TEST_CASE("a disassembly that is cut off anywhere is read or refused, and nothing else") {
  for (const std::string file :
       {"80.nvdisasm.sass", "75.nvdisasm-c-plr.sass", "90.nvdisasm-c-hex.sass", "100.cuobjdump.sass"}) {
    const std::string text = read_file(kDumps + file);
    const std::uint32_t seed = test::drawn_seed();
    std::mt19937 random(seed);
    INFO(file << " HEDDLE_SEED=" << seed);
    for (int i = 0; i < 40; ++i) {
      const std::size_t end = random() % text.size();
      const std::size_t begin = i % 2 == 0 ? 0 : random() % (end + 1);
      INFO(begin << " to " << end);
      try {
        const ModuleText read = read_module(std::string_view(text).substr(begin, end - begin), "cut.sass");
        CHECK_FALSE(read.module.functions.empty());
        CHECK(read.mistakes.size() == read.module.functions.size());
      } catch (const InputError& error) {
        CHECK_FALSE(error.list().empty());
      }
    }
  }
}

TEST_CASE("code that calls itself has the stack that CUDA gives, other code its frames") {
  const auto local_bytes = [](const std::string& call) {
    const std::string text = "\tcode for sm_80\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM80\"\n"
                             "MOV R1, c[0x0][0x28]\nIADD3 R1, R1, -0x8, RZ\nMOV R20, 0x50\nCALL.REL.NOINC one\nEXIT\n"
                             "one: IADD3 R1, R1, -0x10, RZ\n@P0 BRA out\n" +
                             call +
                             "\nout: IADD3 R1, R1, 0x10, RZ\nRET.REL.NODEC R20 0x0\n"
                             "two: IADD3 R1, R1, -0x20, RZ\nIADD3 R1, R1, 0x20, RZ\nRET.REL.NODEC R20 0x0\n"
                             "three: CALL.REL.NOINC one\nRET.REL.NODEC R20 0x0\n";
    return read_module(text, "k.sass").module.functions.at(0).local_bytes;
  };
  CHECK(local_bytes("NOP") == 0x38);
  CHECK(local_bytes("CALL.REL.NOINC two") == 0x38);
  CHECK(local_bytes("CALL.REL.NOINC one") == 1024);
  CHECK(local_bytes("@!P1 CALL.REL.NOINC three") == 1024);
}

}  // namespace
}  // namespace heddle::text
