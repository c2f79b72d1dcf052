// What `heddle run` does when something is wrong: exit code, message, and no trace of a report.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/launch/npy.h"

namespace heddle::command {

namespace {

using launch::check_says;

constexpr std::string_view kScaleLaunch = R"(
kernel: scale.sass
grid: 1
block: 32
params: {data: data, n: 32, shift: 0, factor: 2, big: 0}
buffers:
  data: {type: f32, count: COUNT, fill: ramp}
check:
  - {buffer: data, equals: EXPECTED}
)";

/// A launch that doubles 32 numbers of a buffer.
std::string scale_launch(const launch::ScratchFolder& folder, const std::string& count,
                         const std::string& expected) {
  std::string text(kScaleLaunch);
  text.replace(text.find("COUNT"), 5, count);
  text.replace(text.find("EXPECTED"), 8, expected);
  return folder.write("scale.yaml", text);
}

}  // namespace

TEST_CASE(
    "A kernel with instructions that the GPU does not have is refused, the first of each kind in its line") {
  const launch::ScratchFolder folder;
  folder.write("products.sass",
               ".kernel products\nHMMA.1688.F32 R0, RZ, RZ, RZ\nHMMA.16816.F32 R0, RZ, RZ, RZ\n"
               "HMMA.16816.F32.BF16 R0, RZ, RZ, RZ\nEXIT\n");
  const std::string launch = folder.write("products.yaml", "kernel: products.sass\ngrid: 1\nblock: 32\n");
  check_refused(
      {"run", launch, "--gpu", "t4"},
      "products.sass:3: error: HMMA.16816.F32 R0, RZ, RZ, RZ: GPU 't4' has no such instruction (its "
      "sm.instructions.tensor_16816_f32 is none); 1 more like this one");
  check_refused({"run", launch, "--gpu", "p100"},
                "products.sass:2: error: HMMA.1688.F32 R0, RZ, RZ, RZ: GPU 'p100'");
  check_refused({"run", launch, "--gpu", "a100", "--warp-size", "16"},
                "products.sass:2: error: HMMA.1688.F32 needs warps of 32 threads, not of 16");
  CHECK(heddle({"run", launch, "--gpu", "a100", "--no-check"}).exit_code == 0);
}

TEST_CASE("A result that is wrong is told with its first elements, the report is still there, exit code 1") {
  const launch::ScratchFolder folder;
  const std::string launch = scale_launch(folder, "32", "3 * i");
  const Outcome outcome = heddle({"run", launch, "--gpu", "tiny"});
  CHECK(outcome.exit_code == 1);
  check_says(outcome.err, "check failed: 31 of 32 compared elements of 'data' differ");
  check_says(outcome.err, "data[1]: expected 3, found 2");
  check_says(outcome.out, "CHECK FAILED: 'data' differs in 31 of 32 elements");
  check_says(heddle({"run", launch, "--gpu", "tiny", "--format", "json"}).out, "\"differing\": 31");

  const Outcome unchecked = heddle({"run", launch, "--gpu", "tiny", "--no-check"});
  CHECK(unchecked.exit_code == 0);
  CHECK(unchecked.err.empty());
  check_says(unchecked.out, "Checked: nothing, as asked");
}

TEST_CASE("A right result ends with exit code 0 and is mentioned") {
  const launch::ScratchFolder folder;
  const Outcome outcome = heddle({"run", scale_launch(folder, "32", "2 * i"), "--gpu", "tiny"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  check_says(outcome.out, "Checked: 'data' is as expected (32 elements)");
}

TEST_CASE("The simulated program's mistake ends with exit code 3 and no report") {
  const launch::ScratchFolder folder;
  const std::string launch = scale_launch(folder, "16", "0");
  const Outcome outcome = heddle({"run", launch, "--gpu", "tiny", "--output", folder.path("report")});
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "fault: ");
  check_says(outcome.err, "kernel scale: instruction 4 (LDG.E R1, [R2.64]");
  check_says(outcome.err, "lane 16");
  CHECK(folder.files() == 2);  // the kernel and the launch
}

TEST_CASE("A run over its limit of cycles ends with exit code 3") {
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--max-cycles", "1000"});
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "cycle limit of 1000 reached");
}

TEST_CASE("A run of which a condition is true ends with exit code 4 after its report") {
  const launch::ScratchFolder folder;
  const std::string base = folder.path("base.json");
  const std::vector<std::string> run = {"run", "traces/vecadd.yaml", "--gpu", "tiny", "--format", "json"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return heddle(arguments);
  };
  const Outcome first = with({"--output", base});
  REQUIRE(first.exit_code == 0);
  const Outcome same = with({"--fail-if", "cycles != 1 * " + base});
  CHECK(same.exit_code == 0);
  CHECK(same.out == contents_of(base));
  const Outcome slower = with({"--fail-if", "cycles > 0.5 * " + base});
  CHECK(slower.exit_code == 4);
  CHECK(slower.out == contents_of(base));
  check_says(slower.err, "traces/vecadd.yaml: --fail-if: 'cycles > 0.5 * ");
  const Outcome swept = with({"--fail-if", "cycles > 0", "--sweep", "n=64,128"});
  CHECK(swept.exit_code == 4);
  check_says(swept.err, "n=128");
  check_refused({"run", "traces/vecadd.yaml", "--fail-if", "cycles > 2 * " + base, "--output", base},
                "this file is read here, so that it cannot be written, too");
  check_refused({"run", "traces/vecadd.yaml", "--fail-if", "cykles > 2"}, "--fail-if:1:1: error: 'cykles'");
}

TEST_CASE("Whatever is wrong with files and command line ends with exit code 2, a reason, and no output") {
  check_refused({"run"}, "no launch file is given");
  check_refused({"run", "traces/vecadd.yaml", "--scheduler", "gto", "--set", "sm.scheduler=lrr"},
                "--scheduler and --set sm.scheduler=lrr both give sm.scheduler");
  check_refused({"run", "nowhere.yaml"}, "nowhere.yaml: error: ");
  check_refused({"run", "traces"}, "traces: error: ");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tinny"}, "did you mean 'tiny'?");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "H10"}, "did you mean 'h100'?");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--save", "d=d.npy"},
                "known are 'a', 'b', 'c'");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--set", "l1.latenc=3"},
                "did you mean 'latency'?");
  check_refused({"run", "traces/vecadd.yaml", "--scheduler", "gtoo"}, "did you mean 'gto'?");
  check_refused({"run", "traces/vecadd.yaml", "--set", "sm.scheduler=x"},
                "there is no scheduling policy 'x'");
  check_refused({"run", "traces/vecadd.yaml", "--param", "m=3"}, "'m'");
  check_refused({"run", "traces/vecadd.yaml", "--block", "1025"}, "--block 1025: error: ");
  check_refused({"run", "traces/vecadd.yaml", "--block", "0"}, "--block 0: must be a size above 0");
  check_refused({"run", "traces/vecadd.yaml", "--grid", "2x2x2x2"}, "--grid 2x2x2x2: must be");
  check_refused({"run", "traces/vecadd.yaml", "--grid", "4294967296"}, "--grid 4294967296: must be");
  check_refused(
      {"run", "traces/vecadd.yaml", "--warp-size", "8"},
      "--warp-size 8: error: 'occupancy.warp_size' must be a power of two from 16 to 64; found '8'");
  check_refused({"run", ""}, "the name of a file is empty");
  check_refused({"run", "traces/vecadd.yaml", "--record-as", "plain"},
                "--record-as goes with --record FOLDER");
  check_refused({"run", "traces/vecadd.yaml", "--registers", "-1"}, "--registers -1");
  check_refused({"run", "traces/vecadd.yaml", "--shared", "1Q"}, "--shared 1Q: must be a number of bytes");
  check_refused({"run", "traces/vecadd.yaml", "--max-cycles", "99999999999999999999"},
                "must be a whole number");
  check_refused({"run", "traces/vecadd.yaml", "--format", "jsno"}, "did you mean 'json'?");
  check_refused({"run", "traces/vecadd.yaml", "--formt", "json"}, "did you mean '--format'?");
  check_refused({"run", "traces/vecadd.yaml", "--gpu"}, "--gpu");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--gpu", "h100"}, "more than once");
  for (const char* wrong : {"c", "c=", "=c.npy", "c=c.txt", "c=c"})
    check_refused({"run", "traces/vecadd.yaml", "--save", wrong},
                  fmt::format("--save {}: must be BUFFER=FILE.npy", wrong));
  check_refused({"run", "traces/vecadd.yaml", "--save", "cc=/tmp/x.npy"}, "there is no buffer 'cc' to save");
  check_refused({"run", "traces/vecadd.yaml", "traces/vecadd.yaml", "--save", "c=x.npy"},
                "--save goes with one launch");
  check_refused({"run", "traces/vecadd.sass"}, "traces/vecadd.sass is a kernel; run takes the launch file");
  check_refused({"run", "traces/vecadd.yaml", "--lanes"}, "--timeline-sm and --lanes go with --timeline");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--timeline", "0:9", "--timeline-sm", "99"},
                "--timeline-sm 99: there are 2 SMs, numbered from 0");
  check_refused({"run", "traces/vecadd.yaml", "--output", ""}, "--output: must be the name of a file");
  check_refused({"runn", "traces/vecadd.yaml"}, "did you mean 'run'?");
}

TEST_CASE("A launch that no SM can hold is refused in the name of the launch") {
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--shared", "20000"});
  CHECK(outcome.exit_code == 2);
  check_says(outcome.err, "traces/vecadd.yaml: error: 20000 bytes of shared memory a block; at most 15360");
}

TEST_CASE("All mistakes of a command are told at once, before any launch runs") {
  const launch::ScratchFolder folder;
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "nowhere.yaml", "elsewhere.yaml", "--gpu",
                                  "tiny", "--set", "sms=0", "--output", folder.path("missing/report")});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  for (const char* message : {"nowhere.yaml: error: ", "elsewhere.yaml: error: ", "--set sms=0: error: ",
                              "missing/report: error: the file cannot be written"}) {
    check_says(outcome.err, message);
  }
}

TEST_CASE("The same mistake in the options is told once for all launches") {
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "traces/vecadd.yaml", "--block", "2000"});
  CHECK(outcome.exit_code == 2);
  CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("The report goes to a file whole, and replaces an older one") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("report", "an older report that is longer than nothing");
  const std::vector<std::string> run = {"run", "traces/bad_reduce.yaml", "--gpu", "tiny"};
  std::vector<std::string> to_file = run;
  to_file.insert(to_file.end(), {"--output", file});
  const Outcome outcome = heddle(to_file);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(contents_of(file) == heddle(run).out);
  CHECK(folder.files() == 2);  // no temporary file is left
}

TEST_CASE("What a terminal would obey is not sent to it") {
  const launch::ScratchFolder folder;
  const Outcome outcome = heddle({"asm", folder.write("esc.sass", ".kernel k\n    \x1b[2JFADD\n")});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find('\x1b') == std::string::npos);
  check_says(outcome.err, "esc.sass:2:");
  const Outcome checked = heddle({"trace", "check", folder.path("\x1b[2J.traceg")});
  CHECK(checked.exit_code == 2);
  CHECK(checked.err.find('\x1b') == std::string::npos);
  check_says(checked.err, "No such file");
}

TEST_CASE("The output - is standard output") {
  const std::vector<std::string> run = {"run", "traces/bad_reduce.yaml", "--gpu", "tiny"};
  std::vector<std::string> to_output = run;
  to_output.insert(to_output.end(), {"--output", "-"});
  CHECK(heddle(to_output).out == heddle(run).out);
}

TEST_CASE("An output takes neither the place of an input nor of another output") {
  const launch::ScratchFolder folder;
  const std::string kernel = contents_of(HEDDLE_SOURCE_DIR "/traces/vecadd.sass");
  const std::string launch = contents_of(HEDDLE_SOURCE_DIR "/traces/vecadd.yaml");
  folder.write("vecadd.sass", kernel);
  const std::string file = folder.write("vecadd.yaml", launch);
  const auto refused = [&](const std::vector<std::string>& options, const std::string& why) {
    std::vector<std::string> run = {"run", file, "--gpu", "tiny", "--param", "n=64"};
    run.insert(run.end(), options.begin(), options.end());
    const Outcome outcome = heddle(run);
    CHECK(outcome.exit_code == 2);
    check_says(outcome.err, why);
  };
  refused({"--output", file},
          "vecadd.yaml: error: this file is read here, so that it cannot be written, too");
  refused({"--output", folder.path("./vecadd.sass")}, "vecadd.sass: error: this file is read here");
  refused({"--save", "c=" + folder.path("x.npy"), "--save", "a=" + folder.path("x.npy")},
          "two outputs cannot go into one file");
  refused({"--save", "c=" + folder.path("x.npy"), "--output", folder.path("x.npy")},
          "two outputs cannot go into one file");
  CHECK(contents_of(file) == launch);
  CHECK(contents_of(folder.path("vecadd.sass")) == kernel);
  CHECK_FALSE(std::filesystem::exists(folder.path("x.npy")));
}

TEST_CASE("An older report stays as it is when the command fails") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("report", "older");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "--gpu", "tiny", "--output", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return heddle(arguments).exit_code;
  };
  CHECK(run({"traces/vecadd.yaml", "--max-cycles", "50"}) == 3);
  CHECK(run({"nowhere.yaml"}) == 2);
  CHECK(contents_of(file) == "older");
  CHECK(folder.files() == 2);
}

TEST_CASE("A report that cannot be written leaves nothing behind") {
  const launch::ScratchFolder folder;
  const std::string directory = folder.path("directory");
  REQUIRE(mkdir(directory.c_str(), 0700) == 0);
  check_refused({"run", "traces/bad_reduce.yaml", "--gpu", "tiny", "--output", directory}, "no regular file");
  check_refused({"run", "traces/bad_reduce.yaml", "--gpu", "tiny", "--output", "/dev/full"},
                "no regular file");
  if (geteuid() != 0) {  // root may write anywhere
    REQUIRE(chmod(directory.c_str(), 0500) == 0);
    check_refused({"run", "traces/bad_reduce.yaml", "--gpu", "tiny", "--output", directory + "/report"},
                  "Permission denied");
  }
  CHECK(rmdir(directory.c_str()) == 0);  // it is empty
}

TEST_CASE("Buffers are saved as .npy, with what the kernel left in them") {
  const launch::ScratchFolder folder;
  const std::string file = folder.path("data.npy");
  const Outcome outcome = heddle({"run", scale_launch(folder, "32", "2 * i"), "--gpu", "tiny", "--quiet",
                                  "--save", std::string("data=") + file});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  const launch::NpyHeader header = launch::read_npy_header(file);
  REQUIRE(header.count == 32);
  std::vector<float> data(32);
  launch::read_npy_elements(file, header, std::as_writable_bytes(std::span(data)));
  for (std::size_t i = 0; i < data.size(); ++i) CHECK(data[i] == 2 * static_cast<float>(i));
}

}  // namespace heddle::command
