// heddle trace info, check, convert, cut.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using launch::ScratchFolder;
using Json = nlohmann::json;

/// Blocks of 40 threads, in a grid of 2 x 3: a load by a list, by distances, in no lane, and an EXIT.
std::string small_trace() {
  std::string text =
      "-kernel name = _Z5smallv\n-kernel id = 3\n-grid dim = (2,3,1)\n-block dim = (40,1,1)\n-shmem = 1024\n"
      "-nregs = 32\n-binary version = 80\n-cuda stream id = 0\n"
      "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n-nvbit version = "
      "1.7\n"
      "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
      "#traces format = x immediate\n\n";
  for (int block = 0; block < 6; ++block) {
    text += fmt::format("#BEGIN_TB\n\nthread block = {},{},0\n\n", block % 2, block / 2);
    text +=
        "warp = 0\ninsts = 4\n0000 00000003 1 R4 LDG.E 1 R2 4 0 0x100 0x200 0 \n"
        "0010 00000005 1 R4 LDG.E 1 R2 4 2 0x100 64 9 \n0020 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0 \n"
        "0030 ffffffff 0 EXIT 0 0 0 \n\nwarp = 1\ninsts = 1\n0030 000000ff 0 EXIT 0 0 0 \n\n#END_TB\n\n";
  }
  return text;
}

Json info(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"trace", "info", "--format", "json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = heddle(all);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

void check_well_formed(const std::string& path) {
  const Outcome outcome = heddle({"trace", "check", path});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace

TEST_CASE("trace: help for each of its commands") {
  for (const std::string name : {"info", "check", "convert", "cut"}) {
    check_says(heddle({"trace", "--help"}).out, fmt::format("\n  {} ", name));
    const Outcome help = heddle({"trace", name, "--help"});
    CHECK(help.exit_code == 0);
    check_says(help.out, fmt::format("usage: heddle trace {} ", name));
    for (const std::string& line : lines_of(help.out)) CHECK(line.size() <= 100);
    CHECK(heddle({"trace", name}).exit_code == 2);
  }
  CHECK(heddle({"trace"}).exit_code == 2);
  check_says(heddle({"trace", "inf"}).err, "did you mean 'info'?");
}

TEST_CASE("trace info counts what a trace holds") {
  const ScratchFolder folder;
  const std::string path = folder.write("kernel-3.traceg", small_trace());
  const Json kernel = info({path, "--gpu", "a100"})["kernels"][0];
  CHECK(kernel["kernel"] == "_Z5smallv");
  CHECK(kernel["grid"] == Json::array({2, 3, 1}));
  CHECK(kernel["blocks"] == 6);
  CHECK(kernel["warps"] == 12);
  CHECK(kernel["warp_instructions"] == 6 * 5);
  CHECK(kernel["thread_instructions"] == 6 * (2 + 2 + 0 + 32 + 8));
  CHECK(kernel["mean_active_lanes"] == 44.0 / 5);
  CHECK(kernel["memory_instructions"] == 18);
  CHECK(kernel["address_formats"]["list"] == 6);
  CHECK(kernel["address_formats"]["base and stride"] == 6);
  CHECK(kernel["address_formats"]["base and deltas"] == 6);
  CHECK(kernel["opcodes"]["LDG.E"]["warp_instructions"] == 18);
  CHECK(kernel["opcodes"]["EXIT"]["thread_instructions"] == 240);
  // 32 blocks of 2 warps an SM: the limit of blocks, and of 64 warps.
  CHECK(kernel["theoretical_occupancy"] == 1.0);
  check_says(heddle({"trace", "info", path}).out, "30 warp instructions");
  check_refused({"trace", "info", path, "--set", "occupancy.max_blocks=1"},
                "--set needs the GPU that it changes: --gpu NAME");
}

TEST_CASE("trace check lists every mistake, of every trace of a list") {
  const ScratchFolder folder;
  std::string bad = small_trace();
  for (const std::string part : {"R4 LDG", "R2 4 2"}) bad.replace(bad.find(part), 2, "X9");
  folder.write("kernel-1.traceg", bad);
  folder.write("kernel-2.traceg", small_trace());
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\nMemset,0x1,2\nkernel-2.traceg\n");
  const Outcome outcome = heddle({"trace", "check", list});
  CHECK(outcome.exit_code == 2);
  check_says(outcome.err, "kernel-1.traceg:23:17: error: 'X9' stands where a register");
  check_says(outcome.err, "kernel-1.traceg:24:28: error: 'X9' stands where a register");
  check_says(outcome.err, "kernelslist.g:2: note: 1 line is passed over, as 'Memset,0x1,2'");
  check_says(outcome.out, "kernel-1.traceg: 6 blocks, 28 instructions: 2 mistakes");
  check_says(outcome.out, "kernel-2.traceg: 6 blocks, 30 instructions: well-formed");
  CHECK(heddle({"trace", "check", folder.path("absent.traceg")}).exit_code == 2);
}

TEST_CASE("trace check finds what a replay refuses") {
  const ScratchFolder folder;
  const auto both_refuse = [&](std::string text, const std::string& part, const std::string& other,
                               const std::string& message) {
    text.replace(text.find(part), part.size(), other);
    const std::string path = folder.write("kernel-1.traceg", text);
    const Outcome check = heddle({"trace", "check", path});
    CHECK(check.exit_code == 2);
    check_says(check.err, message);
    CHECK(check.out.find("well-formed") == std::string::npos);
    check_refused({"run", path, "--gpu", "a100"}, message);
  };
  const std::string right = small_trace();
  both_refuse(right, "0010 00000005 1 R4 LDG.E 1 R2 4 2 0x100",
              "0010 00000005 1 R4 LDG.E 1 R2 4 2 0x200000000000000",
              "kernel-1.traceg:24: error: lane 0 names 0x200000000000000, but addresses end at");
  both_refuse(right, "0010 00000005 1 R4 LDG.E", "0010 00000005 1 R4 STG.E",
              "kernel-1.traceg:24: error: STG.E has no result: the number of destinations must be 0, not 1");
  both_refuse(right, "0000 00000003 1 R4 LDG.E 1 R2 4 0 0x100 0x200 0", "0000 00000001 0 EXIT 0 0 0",
              "kernel-1.traceg:24: error: lane 0 executes, but it has exited");
  both_refuse(right, "-nregs = 32", "-nregs = 256", "kernel-1.traceg:6: error: '-nregs' must be");
}

TEST_CASE("A list without a kernel is refused by every command that takes lists") {
  const ScratchFolder folder;
  const std::string list = folder.write("kernelslist.g", "MemcpyHtoD,0x1000,64\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", list},
                                             {"trace", "info", list},
                                             {"trace", "check", list},
                                             {"trace", "convert", list, folder.path("out")}}) {
    check_refused(command, "kernelslist.g: error: names no kernel: a line for one begins with 'kernel'");
  }
  CHECK(!std::filesystem::exists(folder.path("out")));
}

TEST_CASE("trace convert: through every form and back, nothing changes") {
  const ScratchFolder folder;
  const std::string path = folder.write("kernel-3.traceg", small_trace());
  std::string last = path;
  for (const char* ending : {"traceg.gz", "traceg.xz", "tracez", "traceg.zst", "traceg"}) {
    const std::string next = folder.path(fmt::format("copy-of-{}.{}", ending, ending));
    const Outcome outcome = heddle({"trace", "convert", last, next});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    check_well_formed(next);
    last = next;
  }
  CHECK(contents_of(last) == small_trace());
}

TEST_CASE("trace convert to older versions leaves out what they cannot say, with a note") {
  const ScratchFolder folder;
  const std::string path = folder.write("kernel-3.traceg", small_trace());
  const std::string old = folder.path("old.traceg");
  const Outcome outcome = heddle({"trace", "convert", path, old, "--version", "1.2"});
  CHECK(outcome.exit_code == 0);
  check_says(outcome.err, "note: version 1.2 cannot say the immediates of 6 instructions");
  check_well_formed(old);
  check_says(contents_of(old), "\n1 2 0 0 0010 00000005 1 R4 LDG.E 1 R2 4 0 0x100 0x140 \n");
  const Json kernel = info({old})["kernels"][0];
  CHECK(kernel["address_formats"]["base and deltas"] == 0);
  CHECK(kernel["thread_instructions"] == 264);
  for (const char* version : {"3", "4", "6"}) {
    CHECK(heddle({"trace", "convert", path, old, "--version", version}).exit_code == 0);
    check_well_formed(old);
  }
  check_says(heddle({"trace", "convert", path, old, "--version", "7"}).err, "must be one of 1.2, 3, 4, 5, 6");
}

TEST_CASE("trace convert of version 6: values, clusters and tiles are left out where they must be") {
  // Two blocks, each with one instruction that has values, two tiles, and one second immediate.
  const std::string path = HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/version-6";
  const ScratchFolder folder;
  const std::string to = folder.path("to.traceg");
  const Outcome five = heddle({"trace", "convert", path, to, "--version", "5"});
  CHECK(five.exit_code == 0);
  CHECK(lines_of(five.err).size() == 1);
  check_says(five.err, "note: version 5 cannot say the values of registers of 2 instructions");
  check_well_formed(to);
  CHECK(contents_of(to).find("Val") == std::string::npos);
  check_says(contents_of(to),
             "UTMALDG.2D 0 64 0x00000440 1 0x0003 4096 128 4 0x7f0000001000 3 64 -128 0 0 \n");
  const Outcome four = heddle({"trace", "convert", path, to, "--version", "4"});
  CHECK(four.exit_code == 0);
  CHECK(lines_of(four.err).size() == 4);
  check_says(four.err, "the places in clusters of 2 blocks");
  check_says(four.err, "the second immediates of 2 instructions");
  check_says(four.err, "the addresses of tiles of 4 instructions");
  check_well_formed(to);
  check_says(contents_of(to), "0040 ffffffff 0 HGMMA.64x64x16.F32 1 R24 0 3 \n");
}

TEST_CASE("trace convert of a list writes all of it, or nothing") {
  const ScratchFolder folder;
  folder.write("kernel-1.traceg", small_trace());
  folder.write("kernel-2.traceg", small_trace());
  const std::string list =
      folder.write("kernelslist.g", "MemcpyHtoD,0x0000000000001000,64\nkernel-1.traceg\nkernel-2.traceg\n");
  const std::string out = folder.path("out");
  CHECK(heddle({"trace", "convert", list, out, "--as", "tracez"}).exit_code == 0);
  CHECK(contents_of(out + "/kernelslist.g") ==
        "MemcpyHtoD,0x0000000000001000,64\nkernel-1.tracez\nkernel-2.tracez\n");
  check_well_formed(out + "/kernelslist.g");
  folder.write("kernel-2.traceg", small_trace().substr(0, small_trace().size() / 2));
  CHECK(heddle({"trace", "convert", list, folder.path("ot/her")}).exit_code == 2);
  CHECK(!std::filesystem::exists(folder.path("ot")));
}

TEST_CASE("trace cut: the first blocks as a trace that is valid by itself") {
  const ScratchFolder folder;
  const std::string path = folder.write("kernel-3.traceg", small_trace());
  const std::string cut = folder.path("cut.traceg.zst");
  const std::pair<const char*, Json> cases[] = {{"1", Json::array({1, 1, 1})},
                                                {"2", Json::array({2, 1, 1})},
                                                {"3", Json::array({3, 1, 1})},
                                                {"4", Json::array({2, 2, 1})},
                                                {"6", Json::array({2, 3, 1})}};
  for (const auto& [blocks, grid] : cases) {
    const Outcome outcome = heddle({"trace", "cut", path, cut, "--blocks", blocks});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty() == (std::string(blocks) != "3"));
    check_well_formed(cut);
    CHECK(info({cut})["kernels"][0]["grid"] == grid);
    CHECK(info({cut})["kernels"][0]["blocks"] == std::stoi(blocks));
  }
  CHECK(heddle({"trace", "cut", path, cut, "--blocks", "7"}).exit_code == 2);
  CHECK(heddle({"trace", "cut", path, cut, "--blocks", "0"}).exit_code == 2);
  const Outcome nameless = heddle({"trace", "cut", path, cut + ".txt", "--blocks", "1"});
  CHECK(nameless.exit_code == 2);
  check_says(nameless.err, "a trace's name ends in .traceg, ");
  check_well_formed(cut);  // a cut that fails leaves the file that was there
  CHECK(heddle({"trace", "cut", path, "/dev/full", "--blocks", "1"}).exit_code == 2);
}

}  // namespace heddle::command
