// `heddle run` of traces and of lists of them.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

constexpr const char* kList = "traces/traced/kernelslist.g";

std::uint64_t sum_of(const json& kernels, const char* key) {
  std::uint64_t sum = 0;
  for (const json& kernel : kernels) sum += kernel[key].get<std::uint64_t>();
  return sum;
}

}  // namespace

TEST_CASE("A list of traces is reported kernel by kernel, and as a whole") {
  const json report = run_report({kList, "--gpu", "a100"});
  const json& kernels = report["kernels"];
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0]["kernel"] == "chain");
  CHECK(kernels[1]["kernel"] == "vecadd");
  CHECK(kernels[2]["kernel"] == "conflicts");
  CHECK(kernels[0]["warp_instructions"] == 10);
  CHECK(kernels[1]["warp_instructions"] == 8 * 14);
  CHECK(kernels[1]["thread_instructions"] == 7 * 13 * 32 + 4 * 32 + 16 + 9 * 16);
  CHECK(kernels[2]["memory"]["shared_load_passes"] == 2 * 32);
  const json& all = report["all"];
  for (const char* key : {"cycles", "warp_instructions", "thread_instructions", "active_cycles"})
    CHECK(all[key] == sum_of(kernels, key));
  for (const char* ledger : {"warp_slots", "issue_slots", "lane_slots"}) {
    for (const auto& [part, slots] : all["ledgers"][ledger].items()) {
      std::uint64_t sum = 0;
      for (const json& kernel : kernels) sum += kernel["ledgers"][ledger][part].get<std::uint64_t>();
      CHECK(slots == sum);
    }
  }

  const std::string page = heddle({"run", kList, "--gpu", "a100"}).out;
  CHECK(page.starts_with("traces/traced/kernelslist.g: 3 kernels on NVIDIA A100"));
  CHECK(page.find("chain on") == std::string::npos);
  for (const char* line : {"\nkernel-3 ", "\nall ", "What holds it back: ", "Approximated: nothing"})
    check_says(page, line);
  const Outcome text = heddle({"run", kList, "--gpu", "a100", "--full"});
  for (const char* line :
       {"chain on NVIDIA A100", "vecadd on NVIDIA A100", "conflicts on NVIDIA A100",
        "traces/traced/kernelslist.g: 3 kernels on NVIDIA A100", "Approximated: nothing"}) {
    check_says(text.out, line);
  }
  const std::vector<std::string> csv =
      lines_of(heddle({"run", kList, "--gpu", "a100", "--format", "csv"}).out);
  REQUIRE(csv.size() == 5);
  CHECK(csv[4].starts_with("1,3 kernels,a100,traces/traced/kernelslist.g"));
}

TEST_CASE("Copies to the device and earlier kernels leave their data in L2") {
  // Sectors that come from far together do not wait for one another here.
  const std::string wide = "l2.far_sectors_per_cycle=1024";
  const json list = run_report({kList, "--gpu", "a100", "--set", wide});
  CHECK(list["kernels"][1]["memory"]["l2_hit_rate"] == 1.0);
  const json alone = run_report({"traces/traced/kernel-2.traceg", "--gpu", "a100", "--set", wide});
  CHECK(alone["memory"]["l2_hit_rate"] == 0.0);
  CHECK(alone["memory"]["dram_read_bytes"] == 2 * 960);
  CHECK(alone["cycles"] > list["kernels"][1]["cycles"]);
  // The same kernel twice: the second time, all is there, though it lies after the first one's end, and
  // copies of what is far are near.
  const launch::ScratchFolder folder;
  const std::string trace = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-2.traceg");
  folder.write("kernel-1.traceg", trace);
  folder.write("kernel-2.traceg", trace);
  const json twice = run_report(
      {folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"), "--gpu", "a100", "--set", wide});
  CHECK(twice["kernels"][0]["cycles"] == alone["cycles"]);
  CHECK(twice["kernels"][1]["memory"]["l2_hit_rate"] == 1.0);
  CHECK(twice["kernels"][1]["cycles"] == list["kernels"][1]["cycles"].get<int>() - 150);
}

TEST_CASE("Some kernels of a list can be chosen, one is reported as if it were alone") {
  const json two = run_report({kList, "--gpu", "a100", "--kernels", "1,3"});
  CHECK(two["kernels"].size() == 2);
  CHECK(run_report({kList, "--gpu", "a100", "--kernel", "3"})["kernel"] == "conflicts");
  CHECK(run_report({kList, "--gpu", "a100", "--kernels", "2-3"})["kernels"][0]["kernel"] == "vecadd");
  check_refused({"run", kList, "--kernel", "9"}, "--kernel 9: there is no kernel 9");
  check_refused({"run", kList, "--kernels", "1,99"}, "--kernels 1,99: there is no kernel 99");
  for (const char* wrong : {"3-1", "x", "1,", "1-", "-2", ","})
    check_refused({"run", kList, "--kernels", wrong}, "must be numbers of kernels, as 3-7,12");
}

TEST_CASE("A recorded list is the launches again, none of which knows of the others") {
  const launch::ScratchFolder folder;
  const std::string recorded = folder.path("recorded");
  std::vector<std::string> run = {
      "run", "traces/vecadd.yaml", "traces/saxpy.yaml", "traces/vecadd.yaml", "--gpu", "a100", "--format",
      "csv"};
  run.insert(run.end(), {"--record", recorded});
  REQUIRE(heddle(run).exit_code == 0);
  const json live =
      json::parse(heddle({"run", "traces/vecadd.yaml", "--gpu", "a100", "--format", "json"}).out);
  const json list = run_report({recorded + "/kernelslist.g", "--gpu", "a100"});
  REQUIRE(list["kernels"].size() == 3);
  for (const std::size_t vecadd : {std::size_t{0}, std::size_t{2}}) {
    for (const char* key : {"cycles", "warp_instructions", "ledgers", "stalls", "memory"})
      CHECK(list["kernels"][vecadd][key] == live[key]);
  }
  const Outcome timeline = heddle({"run", recorded + "/kernelslist.g", "--gpu", "a100", "--kernel", "1",
                                   "--timeline", "1600:2600", "--lanes"});
  CHECK(timeline.exit_code == 0);
  check_says(timeline.out, "IMAD.WIDE");
}

TEST_CASE(
    "A recorded launch replays as cold as it ran, a trace that does not say how long its code is has none "
    "cold") {
  const launch::ScratchFolder folder;
  const std::string recorded = folder.path("recorded");
  // All warps of a block start at once: nothing but code makes them wait for it.
  const std::string at_once = "dispatch.warp_launch=0";
  const std::vector<std::string> launch = {
      "traces/saxpy.yaml", "--param", "n=2048", "--cold", "--set", at_once};
  const json live = run_report(launch);
  std::vector<std::string> record = {"run", "--record", recorded};
  record.insert(record.end(), launch.begin(), launch.end());
  REQUIRE(heddle(record).exit_code == 0);
  const json replayed = run_report({recorded + "/kernelslist.g", "--cold", "--set", at_once});
  for (const char* key : {"cycles", "stalls"}) CHECK(replayed[key] == live[key]);
  CHECK(live["stalls"]["no_instruction"] > 0);

  const json list = run_report({kList, "--cold", "--set", at_once});
  REQUIRE(list["kernels"].size() == 3);
  for (const json& kernel : list["kernels"]) {
    CHECK(kernel["cold"] == true);
    CHECK(kernel["stalls"]["no_instruction"] == 0);
    CHECK(kernel["stalls"]["imc_miss"] == 0);
  }
}

TEST_CASE("Of a run that is interrupted, no recording is left, nor a folder for it") {
  const launch::ScratchFolder folder;
  const std::string command = fmt::format(
      "cd {} && timeout --signal=INT 0.5 {} run traces/nbody.yaml --param n=65536 --gpu tiny "
      "--quiet --record {}",
      HEDDLE_SOURCE_DIR, HEDDLE_COMMAND, folder.path("deep/er"));
  CHECK(std::system(command.c_str()) != 0);
  CHECK(!std::filesystem::exists(folder.path("deep")));
}

TEST_CASE("Of a run that fails, no recording is left, nor a folder for it") {
  const launch::ScratchFolder folder;
  const std::size_t before = folder.files();
  for (const char* recorded : {"recorded", "deep/er/recorded", "deep/slash/"}) {
    const Outcome outcome = heddle({"run", "traces/faults/reduce_v3_as_printed.yaml", "--gpu", "tiny",
                                    "--record", folder.path(recorded)});
    CHECK(outcome.exit_code == 3);
    CHECK(folder.files() == before);
  }
  folder.write("file", "");
  const Outcome refused =
      heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--record", folder.path("file/recorded")});
  CHECK(refused.exit_code == 2);
  check_says(refused.err, "the folder cannot be made");
  const std::filesystem::path link = folder.path("link");
  std::filesystem::create_symlink("nowhere", link);
  CHECK(heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--record", link.string()}).exit_code == 2);
  CHECK(std::filesystem::is_symlink(link));
}

namespace {

/// Runs the launch on the tiny GPU and returns the folder with its recording, as plain text.
std::string record_plainly(const launch::ScratchFolder& folder, const std::vector<std::string>& launch) {
  const std::string recorded = folder.path("recorded");
  std::vector<std::string> run = {"run",    "--gpu",       "tiny",  "--record",
                                  recorded, "--record-as", "plain", "--quiet"};
  run.insert(run.end(), launch.begin(), launch.end());
  REQUIRE(heddle(run).exit_code == 0);
  return recorded;
}

void check_refused_by_check(const std::string& recorded, const std::string& message) {
  const Outcome outcome = heddle({"trace", "check", recorded + "/kernel-1.traceg"});
  CHECK(outcome.exit_code == 2);
  check_says(outcome.err, message);
}

}  // namespace

TEST_CASE("What stands beside a recording must fit it") {
  const launch::ScratchFolder folder;
  folder.write("k.sass", R"(
.kernel k
.param out ptr
.const table u32 1, 2, 3, 4, 5, 6, 7, 8
    S2R R0, SR_TID.X
    LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT
    SHF.L.U32 R1, R1, 0x2, RZ
    LDC R3, c[0x3][R1]
    IMAD.WIDE.U32 R8, R0, 0x4, c[out]
    STG.E [R8.64], R3
    EXIT
)");
  const std::string launch = folder.write(
      "k.yaml",
      "kernel: k.sass\ngrid: 1\nblock: 20\nparams: {out: o}\nbuffers: {o: {type: u32, count: 20}}\n");
  const std::string recorded = record_plainly(folder, {launch});
  const std::string right = contents_of(recorded + "/kernel-1.facts");
  const auto mistake = [&](const std::string& more, bool with_constants) {
    const std::size_t facts = right.find("3 constant=");
    REQUIRE(facts != std::string::npos);
    std::ofstream(recorded + "/kernel-1.facts")
        << right.substr(0, facts) << more << (with_constants ? right.substr(facts) : "");
    const Outcome outcome = heddle({"run", recorded + "/kernel-1.traceg", "--gpu", "tiny"});
    const Outcome check = heddle({"trace", "check", recorded + "/kernel-1.traceg"});
    CHECK(check.exit_code == outcome.exit_code);
    CHECK(check.err == outcome.err);
    return outcome.exit_code == 0 ? "none" : outcome.err;
  };
  CHECK(mistake("", true) == "none");
  check_says(
      mistake("", false),
      "block 0, warp 0, instruction 3: no fact says which constants the lanes of 'LDC R3, c[0x3][R1]' read");
  check_says(mistake("0 active=00000000\n", true),
             "block 0, warp 0, instruction 0: the active lanes, 00000000, must be");
  check_says(mistake("0 active=00ffffff\n", true),
             "00ffffff, must be those that execute, 000fffff, or more, but live, 000fffff");
  check_says(mistake("0 barrier=256,1\n", true), "'256': the barrier must be at most 15");
  check_says(mistake("3 constant=", false), "the file ends within a line");
  check_says(mistake("3 constant=1:0xfffffffffffffffc:0\n", false),
             "lane 0 names 0xfffffffffffffffc, but a bank of constants has 65536 bytes");
  check_says(mistake("3 constant=1:0xffc0:4\n", false), "lane 16 names 0x10000, but a bank of constants has");
  check_says(mistake("0 constant=1:0x0:4\n", true), "the lanes of 'S2R R0, SR_TID.X' name no constants");
  std::ofstream(recorded + "/kernel-1.facts") << right << "warp 7\n0 sleep=1\n";
  check_refused({"run", recorded + "/kernel-1.traceg", "--gpu", "tiny"},
                "facts of block 0, warp 7, instruction 0, which the trace has not, or not here");
  check_refused_by_check(recorded, "facts of block 0, warp 7, instruction 0, which the trace has not");
  std::filesystem::remove(recorded + "/kernel-1.facts");
  check_refused_by_check(recorded, "its file kernel-1.facts is not beside it");
  check_says(mistake("0 barrier=1,70000\n", true), "'70000': the number of warps must be at most 65535");
}

TEST_CASE("A recording whose lines and kernel disagree is not replayed as if one of them were not there") {
  const launch::ScratchFolder folder;
  const std::string recorded = record_plainly(folder, {"traces/vecadd.yaml", "--param", "n=256"});
  const std::string trace = recorded + "/kernel-1.traceg";
  const std::string right = contents_of(trace);
  const auto replayed = [&](const std::string& from, const std::string& to) {
    std::string text = right;
    REQUIRE(text.find(from) != std::string::npos);
    std::ofstream(trace) << text.replace(text.find(from), from.size(), to);
    return heddle({"run", trace, "--gpu", "tiny"});
  };
  const Outcome opcode = replayed(" FADD 2 ", " FMUL 2 ");
  CHECK(opcode.exit_code == 2);
  check_says(opcode.err, "FMUL at ");
  check_says(opcode.err, "kernel-1.facts has FADD: one of them was changed after the recording");
  const Outcome registers = replayed(" FADD 2 R", " FADD 2 R1");
  CHECK(registers.exit_code == 2);
  check_says(registers.err, "kernel-1.facts has FADD with other registers");
  CHECK(replayed("-heddle facts = kernel-1.facts\n", "").exit_code == 0);
}

TEST_CASE("A recording that is converted takes along what stands beside it, under its own name") {
  const launch::ScratchFolder folder;
  for (const char* launch : {"divergent_16_16", "bad_reduce"}) {
    const std::string recorded = folder.path(launch);
    REQUIRE(heddle({"run", fmt::format("traces/{}.yaml", launch), "--gpu", "tiny", "--record", recorded,
                    "--record-as", "plain", "--quiet"})
                .exit_code == 0);
    REQUIRE(heddle({"trace", "convert", recorded + "/kernel-1.traceg",
                    folder.path(fmt::format("{}.traceg", launch))})
                .exit_code == 0);
  }
  for (const char* launch : {"divergent_16_16", "bad_reduce"}) {
    INFO(launch);
    CHECK(run_report({folder.path(fmt::format("{}.traceg", launch)), "--gpu", "tiny"})["cycles"] ==
          run_report({fmt::format("{}/kernel-1.traceg", folder.path(launch)), "--gpu", "tiny"})["cycles"]);
  }
}

TEST_CASE("The recorded samples are the runs that their README names") {
  const json list = run_report({"traces/recorded/kernelslist.g", "--gpu", "a100"});
  for (const std::size_t kernel : {std::size_t{0}, std::size_t{1}}) {
    const std::string launch = kernel == 0 ? "traces/vecadd.yaml" : "traces/reduce_v1.yaml";
    const json live = run_report({launch, "--param", "n=1000", "--gpu", "a100"});
    for (const char* key : {"kernel", "cycles", "warp_instructions", "ledgers", "stalls", "memory"})
      CHECK(list["kernels"][kernel][key] == live[key]);
  }
}

TEST_CASE("A recording of what the GPU does not have is refused in the name of trace and instruction") {
  const launch::ScratchFolder folder;
  const std::string recorded = record_plainly(folder, {"traces/saxpy.yaml", "--param", "n=256"});
  check_refused({"run", recorded + "/kernelslist.g", "--gpu", "tiny", "--set", "sm.instructions.fp32=none"},
                "kernel-1.traceg: error: FFMA ");
}

TEST_CASE("Blocks of a trace start in its order, whatever their places") {
  const launch::ScratchFolder folder;
  const std::string right = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-2.traceg");
  const std::size_t first = right.find("#BEGIN_TB");
  const std::size_t second = right.find("#BEGIN_TB", first + 1);
  const std::size_t third = right.find("#BEGIN_TB", second + 1);
  const std::string swapped =
      folder.write("kernel-2.traceg", right.substr(0, first) + right.substr(second, third - second) +
                                          right.substr(first, second - first) + right.substr(third));
  const json report = run_report({swapped, "--gpu", "a100"});
  CHECK(report["warp_instructions"] == 8 * 14);
  CHECK(heddle({"trace", "check", swapped}).exit_code == 0);
}

TEST_CASE("An instruction of a trace is approximated once at most") {
  // A warp that waits for its cluster and one that waits for its block wait for one another, until the first
  // one is let go: UCGABAR_ARV and UCGABAR_WAIT are timed as others, of five instructions.
  const launch::ScratchFolder folder;
  const std::string head =
      "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n"
      "-binary version = 90\n-accelsim tracer version = 5\n#traces format\n";
  const std::string block =
      "#BEGIN_TB\nthread block = 0,0,0\n"
      "warp = 0\ninsts = 3\n"
      "0000 ffffffff 0 UCGABAR_ARV 0 0 0\n"
      "0010 ffffffff 0 UCGABAR_WAIT 0 0 0\n"
      "0020 ffffffff 0 EXIT 0 0 0\n"
      "warp = 1\ninsts = 2\n"
      "0030 ffffffff 0 BAR.SYNC 0 0 0\n"
      "0040 ffffffff 0 EXIT 0 0 0\n"
      "#END_TB\n";
  const json report = run_report({folder.write("k.traceg", head + block), "--gpu", "h100"});
  CHECK(report["approximated"]["warp_instructions"] == 2);
  CHECK(report["approximated"]["share"] == 0.4);
}

TEST_CASE("A trace is known by the end of its name") {
  const launch::ScratchFolder folder;
  const std::string trace = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-1.traceg");
  for (const char* name : {"kernel-1", "kernel-1.trace", "kernel-1.traceg.old"}) {
    check_refused(
        {"run", folder.write(name, trace)},
        fmt::format("{}: error: begins as a kernel trace does, but its name ends in none of .traceg, "
                    ".traceg.gz, .traceg.xz, .traceg.zst, .tracez",
                    name));
  }
  folder.write("k.sass", ".kernel k\n    EXIT\n");
  const std::string launch = folder.write("my.trace.yaml", "kernel: k.sass\ngrid: 1\nblock: 32\n");
  CHECK(heddle({"run", launch, "--gpu", "tiny"}).exit_code == 0);
}

TEST_CASE("A trace from a pipe is refused, as it could be read once only") {
  const launch::ScratchFolder folder;
  const std::string pipe = folder.path("kernel-1.traceg");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  check_refused({"run", pipe}, "kernel-1.traceg: error: not a regular file");
  check_refused({"run", folder.write("kernelslist.g", "kernel-1.traceg\n")},
                "kernel-1.traceg: error: not a regular file");
}

TEST_CASE("No folder for temporary files is needed unless there are some") {
  const Surroundings nowhere{{{"TMPDIR", "/nowhere"}}};
  CHECK(heddle({"run", "traces/traced/kernel-1.traceg", "--gpu", "a100"}, nowhere).exit_code == 0);
}

TEST_CASE("A timeline of a trace names opcodes") {
  const Outcome outcome =
      heddle({"run", "traces/traced/kernel-1.traceg", "--gpu", "a100", "--timeline", "1500:1540", "--lanes"});
  CHECK(outcome.exit_code == 0);
  check_says(outcome.out, "FFMA");
  check_says(outcome.out, "block 0 warp 0");
}

TEST_CASE("Options that change a launch or need its values make no sense with a trace") {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--param", "n=1"},
                                             {"--grid", "4"},
                                             {"--block", "64"},
                                             {"--registers", "40"},
                                             {"--shared", "16"},
                                             {"--save", "a=a.npy"},
                                             {"--record", "recorded"},
                                             {"--no-check"}}) {
    std::vector<std::string> arguments = {"run", "traces/traced/kernel-1.traceg"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    check_refused(arguments, options.front() + " makes no sense with a trace");
  }
  check_refused({"run", kList, "traces/vecadd.yaml"}, "launches and traces do not go together");
  check_refused({"run", "traces/vecadd.yaml", kList}, "launches and traces do not go together");
  check_refused({"run", "traces/vecadd.yaml", "--kernel", "1"}, "--kernel");
  check_refused({"run", kList, "--gpu", "amd_like"}, "has warps of 64 lanes; those of traces have 32");
}

TEST_CASE("What is wrong with a list or a trace is told with its place") {
  const launch::ScratchFolder folder;
  check_refused({"run", folder.write("empty.g", "\n")}, "names no kernel");
  check_refused({"run", folder.write("copy.g", "MemcpyHtoD,0xzz,4\n")}, "copy.g:1:");
  check_refused({"run", folder.write("missing.g", "kernel-1.traceg\n")},
                "missing.g:1: error: there is no trace 'kernel-1.traceg' here");
  const std::string sample =
      folder.write("kernel-2.traceg", contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-2.traceg"));
  check_refused({"run", sample, "--output", sample}, "this file is read here");
  check_refused({"run", folder.write("names.g", "kernel-2.traceg\nkernal-3.traceg\n"), "--gpu", "a100"},
                "names.g:2: error: there is no trace 'kernal-3.traceg' here");
  const Outcome passed =
      heddle({"run", folder.write("copies.g", "kernel-2.traceg\nMemcpyDtoH,0x1,2\n"), "--gpu", "a100"});
  CHECK(passed.exit_code == 0);
  check_says(passed.err, "copies.g:2: note: 1 line is passed over, as 'MemcpyDtoH,0x1,2'");
  std::string trace = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-2.traceg");
  trace.resize(trace.find("thread block = 3"));
  trace.resize(trace.rfind("#BEGIN_TB"));
  check_refused({"run", folder.write("short.traceg", trace)}, "short.traceg:");
}

TEST_CASE("A line of a recording that cannot be read is one mistake, whatever facts there are behind it") {
  const launch::ScratchFolder folder;
  const std::string recorded = record_plainly(folder, {"traces/reduce_v1.yaml", "--param", "n=512"});
  CHECK(contents_of(recorded + "/kernel-1.facts").find("warp 1\n") != std::string::npos);
  const std::string trace = recorded + "/kernel-1.traceg";
  std::string text = contents_of(trace);
  const std::size_t mask = text.find(" ffffffff ", text.find("warp = 0\n"));
  REQUIRE(mask != std::string::npos);
  text[mask + 8] = 'x';
  std::ofstream(trace) << text;
  const Outcome check = heddle({"trace", "check", trace});
  CHECK(check.exit_code == 2);
  check_says(check.out, "1 mistake\n");
}

}  // namespace heddle::command
