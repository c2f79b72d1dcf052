// heddle by itself, `heddle gpus`, `heddle asm`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/asm/asm_listing.h"

namespace heddle::command {

namespace {

using launch::check_says;

}  // namespace

TEST_CASE("Without a command the help goes to standard error, with exit code 2") {
  const Outcome outcome = heddle({});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "usage: heddle COMMAND");
}

TEST_CASE("The version is a name and three numbers") {
  const Outcome outcome = heddle({"--version"});
  CHECK(outcome.exit_code == 0);
  unsigned numbers[3] = {};
  CHECK(std::sscanf(outcome.out.c_str(), "heddle %u.%u.%u\n", &numbers[0], &numbers[1], &numbers[2]) == 3);
}

TEST_CASE("gpus lists every GPU file with its size") {
  const Outcome outcome = heddle({"gpus"});
  CHECK(outcome.exit_code == 0);
  auto lines = lines_of(outcome.out);
  std::erase_if(lines,
                [](const std::string& line) { return line.starts_with(" "); });  // more of a description
  const auto names = sim::available_gpus(HEDDLE_SOURCE_DIR "/configs");
  REQUIRE(lines.size() == names.size() + 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(lines[i + 1].starts_with(names[i] + " "));
    CHECK(lines[i + 1].size() <= 80);
  }
}

TEST_CASE("gpus shows one GPU as a file that loads back to the same") {
  const launch::ScratchFolder folder;
  const Outcome outcome = heddle({"gpus", "h100", "--set", "sms=7"});
  REQUIRE(outcome.exit_code == 0);
  sim::GpuSpec expected = sim::load_gpu("h100", {"sms=7"}, HEDDLE_SOURCE_DIR "/configs");
  CHECK(sim::load_gpu(folder.write("shown.yaml", outcome.out)) == expected);
}

TEST_CASE("A GPU file that is wrong is told of, and does not hide the others") {
  const launch::ScratchFolder folder;
  folder.write("h100.yaml", contents_of(HEDDLE_SOURCE_DIR "/configs/h100.yaml"));
  folder.write("wrong.yaml", "name: wrong\nsmss: 3\n");
  const Outcome outcome = heddle({"gpus"}, {{{"HEDDLE_CONFIGS", folder.path("")}}, false});
  CHECK(outcome.exit_code == 2);
  CHECK(lines_of(outcome.out).size() == 2);
  check_says(outcome.out, "h100");
  check_says(outcome.err, "wrong.yaml:2:1: error: unknown key 'smss'");
}

TEST_CASE("gpus refuses what it cannot show") {
  CHECK(heddle({"gpus", "h100", "tiny"}).exit_code == 2);
  CHECK(heddle({"gpus", "--set", "sms=3"}).exit_code == 2);
  check_says(heddle({"gpus", "h1000"}).err, "did you mean 'h100'?");
  check_says(heddle({"gpus"}, {{{"HEDDLE_CONFIGS", "/nowhere"}}, false}).err, "there are no GPU files here");
}

TEST_CASE("What asm prints is assembled to the same kernel again") {
  for (const char* name : {"vecadd", "divergent", "reduce_v1", "latency", "with_divergence"}) {
    const std::string file = std::string("traces/") + name + ".sass";
    INFO(file);
    const Outcome listing = heddle({"asm", file});
    CHECK(listing.exit_code == 0);
    const auto original = text::assemble_file(HEDDLE_SOURCE_DIR "/" + file);
    const auto again = text::assemble(listing.out, "listing");
    REQUIRE(again.size() == original.size());
    CHECK(text::disassemble(again[0]) == text::disassemble(original[0]));
    CHECK(again[0].registers == original[0].registers);
  }
}

TEST_CASE("asm says what a kernel needs, and where lanes meet again") {
  const auto kernels = text::assemble(R"(.kernel two_paths
.param out ptr
.param n u32
.shared tile 512
    S2R R0, SR_TID.X
    ISETP.LT.U32.AND P0, PT, R0, c[n], PT
@P0 BRA low
    IADD3 R1, R0, 0x1, RZ
    BRA join
low:
    IADD3 R1, R0, 0x2, RZ
join:
    STS [tile], R1
    EXIT
)",
                                      "two_paths.sass");
  const std::string text = kernels_as_text(kernels);
  check_says(text,
             "// two_paths: 8 instructions, 2 registers a thread, 512 bytes of static shared\n"
             "// memory, 12 bytes of parameters\n");
  check_says(text, ".param n u32                                    // c[0x0][0x168]\n");
  check_says(text, "/*0020*/     @P0 BRA low                        // lanes meet again at /*0060*/\n");
  check_says(text, "/*0040*/     BRA join\n");

  const auto json = nlohmann::json::parse(kernels_as_json(kernels, {}))[0];
  CHECK(json["kernel"] == "two_paths");
  CHECK(json["registers_per_thread"] == 2);
  CHECK(json["static_shared_bytes"] == 512);
  CHECK(json["params"][1] == nlohmann::json({{"name", "n"}, {"type", "u32"}, {"offset", 0x168}}));
  REQUIRE(json["instructions"].size() == 8);
  CHECK(json["instructions"][2]["text"] == "@P0 BRA low");
  CHECK(json["instructions"][2]["line"] == 7);
  CHECK(json["instructions"][2]["reconverges_at"] == 6);
  CHECK_FALSE(json["instructions"][3].contains("reconverges_at"));
}

TEST_CASE("asm prints many parameters and labels in no time") {
  std::string source = ".kernel k\n";
  for (int i = 0; i < 10'000; ++i) source += fmt::format(".param p{} u32\n", i);
  for (int i = 0; i < 50'000; ++i) source += fmt::format("l{}:\n", i);
  const std::string text = kernels_as_text(text::assemble(source + "EXIT\n", "many.sass"));
  check_says(text, ".param p0 u32                                   // c[0x0][0x160]\n");
  check_says(text, ".param p9999 u32                                // c[0x0][0x9d9c]\n");
  check_says(text, "\nl49999:\n");
}

TEST_CASE("asm lists every instruction: how it is written, and what it does") {
  const Outcome list = heddle({"asm", "--instructions"});
  REQUIRE(list.exit_code == 0);
  check_says(list.out,
             "\nFFMA[.FTZ][.RN|.RM|.RP|.RZ][.SAT] Rd, R, src, src\n    fp32: a * b + c, rounded once\n");
  check_says(list.out, "\nSHF(.L|.R)[.W](.S32|.U32|.S64|.U64)[.HI] Rd, R, src, src\n");
  check_says(list.out, "\nEXIT [P]\n");
  check_says(list.out, "\nATOMS.CAS[.U32|.64] Rd");
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const ir::OpcodeInfo& row = ir::info(static_cast<ir::Opcode>(i));
    INFO(row.mnemonic);
    check_says(list.out, fmt::format("\n{}", row.mnemonic));
    check_says(list.out, fmt::format(": {}\n", row.summary));
  }
  CHECK(heddle({"asm", "--instructions", "traces/vecadd.sass"}).exit_code == 2);
}

TEST_CASE("asm warns of registers that may be read unwritten") {
  const auto kernels = text::assemble(".kernel k\n    IADD3 R0, R1, 0x1, RZ\n    EXIT\n", "k.sass");
  check_says(kernels_as_text(kernels), "may be read that was never written");
}

TEST_CASE("asm tells every mistake of a file, with exit code 2") {
  const launch::ScratchFolder folder;
  const std::string file =
      folder.write("wrong.sass", ".kernel k\n    FAD R0, R0, R0\n    FADD R0, R300, R0\n    EXIT\n");
  const Outcome outcome = heddle({"asm", file});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "wrong.sass:2:5: error: ");
  check_says(outcome.err, "wrong.sass:3:14: error: ");
  CHECK(heddle({"asm"}).exit_code == 2);
  CHECK(heddle({"asm", "traces/vecadd.sass", "traces/divergent.sass"}).exit_code == 2);
  CHECK(heddle({"asm", "nowhere.sass"}).exit_code == 2);
  check_refused({"asm", "traces/vecadd.yaml"}, "traces/vecadd.yaml is a launch file; asm takes a kernel");
}

TEST_CASE("Output that cannot be written is told of") {
  const Outcome outcome = heddle({"gpus", "h100", "--set", "sms=3"});
  CHECK(outcome.exit_code == 0);
  const launch::ScratchFolder folder;
  const std::string error = folder.path("error");
  const std::string command =
      std::string("HEDDLE_CONFIGS=" HEDDLE_SOURCE_DIR "/configs " HEDDLE_COMMAND " gpus h100 >/dev/full 2>") +
      error;
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 2);
  check_says(contents_of(error), "standard output: error: ");
}

}  // namespace heddle::command
