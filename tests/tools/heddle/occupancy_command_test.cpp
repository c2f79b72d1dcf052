// `heddle occupancy` as a person or a script calls it.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

Json asked(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "occupancy");
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == kDone);
  return Json::parse(outcome.out);
}

void check_occupancy_refused(std::vector<std::string> arguments, std::string_view message) {
  arguments.insert(arguments.begin(), "occupancy");
  check_refused(arguments, message);
}

/// Text that is broken into lines, as one line.
std::string joined(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank || !line.ends_with(' ')) line += is_blank ? ' ' : c;
  }
  return line;
}

constexpr const char* kLog =
    "ptxas info    : Compiling entry function '_Z4axpyfPf' for 'sm_75'\n"
    "ptxas info    : Function properties for _Z4axpyfPf\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 158 registers, 8192 bytes smem, 368 bytes cmem[0]\n"
    "ptxas info    : Compiling entry function '_Z4axpyfPf' for 'sm_90a'\n"
    "ptxas info    : Function properties for _Z4axpyfPf\n"
    "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 3 barriers, 8192 bytes smem\n";

/// No sentence is broken.
const Surroundings kWide = {{{"COLUMNS", "120"}}};

}  // namespace

TEST_CASE("occupancy of flags, by GPU and by compute capability") {
  const Json by_name = asked({"--gpu", "h100", "--block", "256", "--regs", "40", "--dynamic-smem", "8KiB"});
  CHECK(by_name["blocks_per_sm"] == 6);
  CHECK(by_name["occupancy"] == 0.75);
  CHECK(by_name["gpu"] == "h100");
  const Json by_version = asked({"--cc", "9.0", "--block", "16x16x1", "--regs", "40", "--smem", "8192"});
  CHECK(by_version["blocks_per_sm"] == 6);
  CHECK(by_version["limits"] == by_name["limits"]);
  CHECK(by_version["compute_capability"] == "9.0");
  CHECK(asked({"--cc", "sm_86", "--block", "1024", "--regs", "36"})["blocks_per_sm"] == 1);
  CHECK(asked({"--cc", "10.3", "--block", "256", "--dynamic-smem", "32K", "--carveout",
               "50%"})["blocks_per_sm"] == 4);
  CHECK(asked({"--cc", "9.0", "--block", "64", "--barriers", "16"})["limiters"] == Json({"barriers"}));
  CHECK(asked({"--gpu", "a100", "--set", "occupancy.max_blocks=4", "--block", "64"})["blocks_per_sm"] == 4);
}

TEST_CASE("occupancy that cannot be says why and ends with 2") {
  check_occupancy_refused({"traces/vecadd.sass"},
                          "traces/vecadd.sass is a kernel; occupancy takes the launch file");
  check_occupancy_refused({"--cc", "8.0", "--block", "0"}, "a block of 0 x 1 x 1 has no threads");
  check_occupancy_refused({"--cc", "8.0", "--block", "1025"}, "at most 1024 threads");
  check_occupancy_refused({"--cc", "8.0", "--block", "1024", "--regs", "65"},
                          "takes 73728 registers; at most 65536");
  check_occupancy_refused({"--cc", "8.0", "--block", "32", "--regs", "300"},
                          "300 registers a thread; at most 256");
  check_occupancy_refused({"--cc", "8.6", "--block", "32", "--smem", "100KiB"},
                          "102400 bytes of shared memory a block");
  check_occupancy_refused({"--cc", "8.6", "--block", "32", "--dynamic-smem", "64KiB", "--no-opt-in"},
                          "without opt-in");
  check_occupancy_refused({"--cc", "8.6", "--block", "32", "--cluster", "2"},
                          "clusters need compute capability 9.0");
}

TEST_CASE("a command line for occupancy that makes no sense is refused") {
  check_occupancy_refused({}, "--block is needed");
  check_occupancy_refused({"--cc", "8.1", "--block", "32"}, "compute capability '8.1' are not known");
  check_occupancy_refused({"--cc", "8.0", "--gpu", "a100", "--block", "32"}, "name the GPU twice");
  check_occupancy_refused({"--block", "32", "--smem", "8MB"}, "8388608 bytes of shared memory a block; at most");
  check_occupancy_refused({"--block", "32", "--smem", "8TB"}, "must be a number of bytes");
  for (const char* wrong : {"101", "0x10", "nan", "-1", "50%%", "", "%"})
    check_occupancy_refused({"--block", "32", "--carveout", wrong}, "must be a percentage");
  check_occupancy_refused({"--block", "32", "--barriers", "17"}, "--barriers 17");
  check_occupancy_refused({"--block", "32", "--target", "0"}, "--target must be above 0 %");
  check_occupancy_refused({"--block", "32", "--max-block", "64"}, "go with --suggest");
  check_occupancy_refused({"--suggest", "--smem-of-block", "block *"}, "--smem-of-block block *");
  check_occupancy_refused({"--suggest", "--smem-of-block", "block / 7"}, "must be a whole number of bytes");
  check_occupancy_refused({"--suggest", "--smem", "300KiB"}, "no block size can run");
  check_occupancy_refused({"--ptxas", "/nowhere", "--block", "32"}, "no such file");
  check_occupancy_refused({"--batch", "x", "--ptxas", "y"}, "are given at a time");
  check_occupancy_refused({"--batch", "x", "--explain"}, "--batch answers in CSV");
  check_occupancy_refused({"--batch", "x", "--cluster", "2"}, "--batch answers without --grid and --cluster");
  check_occupancy_refused({"--ptxas", "x", "--block", "32", "--regs", "40"}, "--regs: what the compiler says");
  check_occupancy_refused({"--ptxas", "x", "--block", "32", "--smem", "1KiB"},
                          "--smem: what static shared memory");
  check_occupancy_refused({"traces/vecadd.yaml", "--smem", "1KiB"}, "--smem: what static shared memory");
  check_occupancy_refused({"--block", "32", "--param", "n=3"},
                          "--param changes a launch file, and none is given");
}

TEST_CASE("occupancy reads what the compiler said, each kernel for its architecture") {
  const launch::ScratchFolder folder;
  const std::string log = folder.write("build.log", kLog);
  const Json both = asked({"--ptxas", log, "--block", "256", "--dynamic-smem", "24KiB"});
  REQUIRE(both.size() == 2);
  CHECK(both[0]["kernel"] == "axpy(float, float*)");
  CHECK(both[0]["compute_capability"] == "7.5");
  CHECK(both[0]["blocks_per_sm"] == 1);
  CHECK(both[0]["limiters"] == Json({"registers"}));
  CHECK(both[0]["limits"]["shared"] == 2);
  CHECK(both[1]["compute_capability"] == "9.0");
  CHECK(both[1]["barriers_per_block"] == 3);
  CHECK(both[1]["compiled"]["spill_load_bytes"] == 12);
  CHECK(both[1]["compiled"]["architecture"] == "sm_90a");
  const Json one = asked({"--ptxas", log, "--gpu", "h100", "--block", "256"});
  CHECK(one["compiled"]["architecture"] == "sm_90a");
  CHECK(asked({"--ptxas", log, "--cc", "9.0"})["threads_per_block"] == 768);
  check_occupancy_refused({"--ptxas", log, "--kernel", "gemm", "--block", "32"},
                          "no kernel has 'gemm' in its name");
  const std::string too_many = folder.write(
      "many.txt",
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Used 10 registers, used 17 barriers\n");
  check_occupancy_refused({"--ptxas", too_many, "--block", "32"},
                          "many.txt:1: error: k: 17 named barriers a block; there are 16");
  const Outcome table = heddle({"occupancy", "--ptxas", log, "--block", "1024"});
  CHECK(table.exit_code == kInputWrong);
  CHECK(table.err.find("axpy(float, float*): a block of 32 warps with 158 registers") != std::string::npos);
  CHECK(table.out.find("9.0") != std::string::npos);
}

TEST_CASE("kernels for GPUs that are not known do not keep others from their answers, but are told of") {
  const launch::ScratchFolder folder;
  const std::string unknown =
      "ptxas info    : Compiling entry function 'later' for 'sm_99'\n"
      "ptxas info    : Used 24 registers\n";
  const std::string log = folder.write("build.log", kLog + unknown);
  const std::string note =
      "build.log:9: note: kernel 'later' is left out: the limits of compute capability 'sm_99' are not known";
  const Outcome all = heddle({"occupancy", "--ptxas", log, "--block", "256", "--format", "json"});
  CHECK(all.exit_code == kDone);
  CHECK(Json::parse(all.out).size() == 2);
  launch::check_says(all.err, note);
  const Outcome one = heddle({"occupancy", "--ptxas", log, "--cc", "9.0", "--block", "256"});
  CHECK(one.exit_code == kDone);
  CHECK(one.err ==
        folder.path("build.log:9: note: kernel 'later' is left out: it is for sm_99, others are for compute "
                    "capability 9.0\n"));
  CHECK(heddle({"occupancy", "--ptxas", log, "--kernel", "axpy", "--block", "256"}).err.empty());
  const std::string alone = folder.write("alone.log", unknown);
  check_occupancy_refused({"--ptxas", alone, "--block", "256"},
                          "alone.log:1: error: kernel 'later' is left out: the limits of compute capability");
  // A GPU that is named answers for all kernels, where none is for it.
  CHECK(asked({"--ptxas", alone, "--cc", "9.0", "--block", "256"})["kernel"] == "later");
  CHECK(asked({"--ptxas", log, "--cc", "8.0", "--kernel", "later", "--block", "256"})["kernel"] == "later");
}

TEST_CASE("names that are no UTF-8 come with U+FFFD, as JSON and as CSV") {
  const launch::ScratchFolder folder;
  const std::string log = folder.write("build.log",
                                       "ptxas info : Compiling entry function 'k\xff' for 'sm_88'\n"
                                       "ptxas info : Used 8 registers\n");
  CHECK(asked({"--ptxas", log, "--block", "32"})["kernel"] == "k\ufffd");
  const Outcome csv = heddle({"occupancy", "--ptxas", log, "--block", "32", "--format", "csv"});
  CHECK(csv.exit_code == kDone);
  CHECK(csv.out.find("k\xef\xbf\xbd,cc 8.8,") != std::string::npos);
  CHECK(csv.out.find('\xff') == std::string::npos);
}

TEST_CASE("occupancy of a launch file is what heddle run has") {
  for (const std::string gpu : {"h100", "t4", "tiny"}) {
    CAPTURE(gpu);
    const Outcome outcome = heddle({"run", "traces/reduce_v1.yaml", "--gpu", gpu, "--format", "json"});
    REQUIRE(outcome.exit_code == kDone);
    const Json run = Json::parse(outcome.out);
    const Json found = asked({"traces/reduce_v1.yaml", "--gpu", gpu});
    CHECK(found["blocks_per_sm"] == run["blocks_per_sm"]);
    CHECK(found["occupancy"] == run["theoretical_occupancy"]);
    CHECK(found["limiters"] == run["limiters"]);
    CHECK(found["registers_per_thread"] == run["registers_per_thread"]);
    CHECK(found["grid"]["waves"].get<double>() == Approx(run["waves"].get<double>()));
  }
}

TEST_CASE("what-ifs of occupancy come as data") {
  const Json object = asked({"--gpu", "h100", "--block", "256", "--regs", "40", "--target", "100%",
                             "--suggest", "--curves", "--explain"});
  CHECK(object["target"]["max_registers_per_thread"] == 32);
  CHECK(object["target"]["launch_bounds"] == Json({256, 8}));
  CHECK(object["target"]["reached"] == false);
  CHECK(object["suggestion"]["threads_per_block"] == 768);
  CHECK(object["suggestion"]["min_grid_blocks"] == 264);
  CHECK(object["curves"]["registers"].size() == 255);
  CHECK(object["curves"]["registers"][39]["warps_per_sm"] == 48);
  CHECK(object["explanation"].size() > 10);
  const Json grown = asked({"--gpu", "a100", "--regs", "32", "--suggest", "--smem-of-block", "200 * block"});
  CHECK(grown["threads_per_block"] == 832);
  CHECK(grown["dynamic_shared_bytes"] == 166400);
  const Json given = asked({"--gpu", "a100", "--block", "16x16", "--suggest", "--smem-of-block", "200 * block"});
  CHECK(given["dynamic_shared_bytes"] == 51200);
  CHECK(given["suggestion"]["threads_per_block"] == 832);
  const Outcome csv =
      heddle({"occupancy", "--cc", "8.6", "--block", "256", "--regs", "64", "--curves", "--format", "csv"});
  CHECK(lines_of(without_provenance_columns(csv.out)).front() ==
        "curve,amount,blocks_per_sm,warps_per_sm,occupancy,limiters");
  CHECK(lines_of(csv.out).size() == 1 + 32 + 255 + 100);
}

TEST_CASE("occupancy as text names the limit, the textbook and the plots") {
  const Outcome outcome =
      heddle({"occupancy", "--gpu", "h100", "--block", "256", "--regs", "40", "--explain", "--target", "100",
              "--suggest", "--curves", "--grid", "1000", "--cluster", "2"},
             kWide);
  CHECK(outcome.exit_code == kDone);
  for (const char* part : {"75.0 %", "Limited by registers", "79.7 %", "why that is wrong, is said below",
                           "Clusters:", "1.26 waves", "__launch_bounds__(256, 8)", "Suggested block: 768",
                           "warps an SM over registers a thread"}) {
    CAPTURE(part);
    CHECK(outcome.out.find(part) != std::string::npos);
  }
  CHECK(outcome.out.find('\x1b') == std::string::npos);
  CHECK(without_made_by(outcome.out).find("--explain") == std::string::npos);
  CHECK(heddle({"occupancy", "--gpu", "h100", "--block", "256", "--regs", "40"}, kWide)
            .out.find("why that is wrong, --explain says") != std::string::npos);
}

TEST_CASE("occupancy names another block size only where there is one that gets further") {
  const auto says = [](std::vector<std::string> arguments, const std::string& words) {
    arguments.insert(arguments.begin(), "occupancy");
    const std::string out = joined(heddle(arguments).out);
    INFO(out);
    CHECK(out.find(words) != std::string::npos);
  };
  // 40 registers a thread are 1280 a warp: 12 warps in each quarter of the registers, 48 in all.
  says({"--gpu", "a100", "--block", "768", "--regs", "40"}, "and no other block size gets further");
  says({"--gpu", "rtx3080", "--block", "1024", "--regs", "40"},
       "but blocks of 96 threads would reach 48 warps = 100.0 %");
  says({"--gpu", "h100", "--block", "256"}, "registers not given, not counted");
  says({"--gpu", "h100", "--block", "256", "--regs", "40", "--grid", "700"},
       "0.88 waves of 792 on 132 SMs; less than one wave");
  check_occupancy_refused({"--cc", "8.0", "--block", "2x2x128"},
                          "a block of 2 x 2 x 128 threads: CUDA allows at most 64 in z");
}

TEST_CASE("kernels that were compiled for another GPU are answered with a note") {
  const launch::ScratchFolder folder;
  const std::string log = folder.write("build.log", kLog);
  const std::string note =
      "note: kernels are for sm_75: compiled for compute capability 8.0, they may take other";
  const Outcome other = heddle({"occupancy", "--ptxas", log, "--gpu", "a100", "--block", "256"});
  CHECK(other.exit_code == kDone);
  CHECK(other.err.find(note) != std::string::npos);
  const Outcome own = heddle({"occupancy", "--ptxas", log, "--gpu", "h100", "--block", "256"});
  CHECK(own.err == "");
}

TEST_CASE("occupancy says how more shared memory than 48 KiB is to be had") {
  const Outcome fixed = heddle({"occupancy", "--gpu", "h100", "--block", "128", "--smem", "49KiB"});
  CHECK(fixed.out.find("compilers refuse more than 48 KiB of static shared memory") != std::string::npos);
  CHECK(fixed.out.find("cudaFuncSetAttribute") == std::string::npos);
  const Outcome dynamic = heddle({"occupancy", "--gpu", "h100", "--block", "128", "--dynamic-smem", "49KiB"}, kWide);
  CHECK(dynamic.out.find("cudaFuncAttributeMaxDynamicSharedMemorySize, 50176)") != std::string::npos);
}

TEST_CASE("occupancy answers tables and writes files") {
  const launch::ScratchFolder folder;
  const std::string table = folder.write("table.csv", "gpu,block,regs\nh100,256,40\na100,256,32\n");
  const std::string answers = folder.path("answers.csv");
  const Outcome outcome = heddle({"occupancy", "--batch", table, "--output", answers});
  CHECK(outcome.exit_code == kDone);
  CHECK(outcome.out.empty());
  CHECK(without_provenance_columns(contents_of(answers)) ==
        "gpu,block,regs,blocks_per_sm,warps_per_sm,occupancy,limiters,refused\n"
        "h100,256,40,6,48,0.75,registers,\n"
        "a100,256,32,8,64,1,warps registers,\n");
  const std::string marked =
      folder.write("marked.csv", "\xef\xbb\xbfgpu,block,regs\nh100,256,40\n");  // as Excel writes it
  CHECK(heddle({"occupancy", "--batch", marked}).exit_code == kDone);
  const std::string wide = folder.write("wide.csv", std::string("\xff\xfeg\0p\0u\0", 8));
  CHECK_THAT(heddle({"occupancy", "--batch", wide}).err,
             Catch::Contains("wide.csv: error: the file is in UTF-16; save it as UTF-8"));
  const std::string before = contents_of(table);
  CHECK(heddle({"occupancy", "--batch", table, "--output", table}).exit_code == 2);
  CHECK(contents_of(table) == before);
}

TEST_CASE("gpus --limits has a line for each compute capability") {
  const Outcome outcome = heddle({"gpus", "--limits"});
  CHECK(outcome.exit_code == kDone);
  CHECK(lines_of(outcome.out).size() > 20);
  CHECK(outcome.out.find("\n8.9         Ada     48      24  65,536   100     99") != std::string::npos);
  CHECK(heddle({"gpus", "h100", "--limits"}).exit_code == kInputWrong);
}

TEST_CASE("occupancy of a cubin has the registers and shared memory of its kernels") {
  const std::string cubin = HEDDLE_SOURCE_DIR "/tests/isa/cubins/kernels.90.cubin";
  const Json all = asked({cubin, "--block", "128"});
  REQUIRE(all.size() == 5);
  const Json one = asked({cubin, "--block", "128", "--kernel", "reversed"});
  CHECK(one["kernel"] == "reversed(float*)");
  // What ptxas -v prints of the same kernel.
  const launch::ScratchFolder folder;
  const std::string log = folder.write("reversed.log",
                                       "ptxas info    : Compiling entry function '_Z8reversedPf' for 'sm_90'\n"
                                       "ptxas info    : Used 10 registers, used 1 barriers, 512 bytes smem\n");
  const Json told = asked({"--ptxas", log, "--block", "128"});
  for (const char* key : {"registers_per_thread", "static_shared_bytes", "blocks_per_sm", "occupancy"}) {
    INFO(key);
    CHECK(one[key] == told[key]);
  }
  check_occupancy_refused({cubin, "vecadd", "--block", "32"}, "one .cubin is given at a time");
}

}  // namespace heddle::command
