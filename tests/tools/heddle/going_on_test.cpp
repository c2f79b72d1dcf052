// Several runs of one command: where one fails, the others are reported all the same.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

/// Doubles n of 32 numbers: with more it leaves its buffer.
std::string scale_launch(const launch::ScratchFolder& folder, const std::string& name, const std::string& n) {
  return folder.write(name, "kernel: scale.sass\ngrid: 1\nblock: 64\nvalues: {n: " + n +
                                "}\nparams: {data: data, n: n, shift: 0, factor: 2, big: 0}\n"
                                "buffers: {data: {type: f32, count: 32, fill: ramp}}\n");
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("A point of a sweep that fails is told of, and the others are reported as they are by themselves") {
  const launch::ScratchFolder folder;
  const std::string launch = scale_launch(folder, "scale.yaml", "8");
  const std::vector<std::string> sweep = {"run", launch, "--gpu", "tiny", "--sweep", "n=32,64,16"};
  const std::string told = "scale.yaml (at n=64): kernel scale: instruction 4 (LDG.E R1, [R2.64]";

  const Outcome text = heddle(sweep);
  CHECK(text.exit_code == 3);
  check_says(text.err, "fault: ");
  check_says(text.err, told);
  check_says(text.out, "2 runs on");
  check_says(text.out, "NOT RUN TO ITS END: fault: ");
  check_says(text.out, "(at n=64)");

  const Outcome object = heddle(with(sweep, {"--format", "json"}));
  CHECK(object.exit_code == 3);
  const json runs = json::parse(object.out);
  REQUIRE(runs.size() == 3);
  for (const std::size_t i : {0U, 1U}) {
    const std::string n = runs[i]["swept"]["n"];
    CHECK(n == (i == 0 ? "32" : "16"));
    json alone = run_report({launch, "--gpu", "tiny", "--param", "n=" + n});
    alone["swept"] = {{"n", n}};
    CHECK(without_provenance(runs[i]) == without_provenance(alone));
  }
  CHECK(runs[2]["swept"] == json{{"n", "64"}});
  CHECK(runs[2]["launch"] == launch);
  check_says(runs[2]["failure"], told);

  const Outcome csv = heddle(with(sweep, {"--format", "csv"}));
  CHECK(csv.exit_code == 3);
  const std::vector<std::string> lines = lines_of(csv.out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("schema_version,swept.n,kernel,gpu,launch,failure,"));
  CHECK(lines[1].starts_with("1,32,scale,tiny," + launch + ",,"));
  CHECK(lines[3].starts_with("1,64,,," + launch + ",\"fault: "));
  check_says(lines[3], told);
}

TEST_CASE("A launch that fails does not keep those behind it from running") {
  const launch::ScratchFolder folder;
  const Outcome outcome = heddle({"run", scale_launch(folder, "bad.yaml", "33"),
                                  scale_launch(folder, "good.yaml", "32"), "--gpu", "tiny"});
  CHECK(outcome.exit_code == 3);
  check_says(outcome.err, "bad.yaml: kernel scale: ");
  check_says(outcome.out, "1 run on tiny GPU for tests");
  check_says(outcome.out, "good ");
  check_says(outcome.out, "NOT RUN TO ITS END: fault: ");
}

TEST_CASE("A fault of blocks that a sample leaves out names the launch, once") {
  const launch::ScratchFolder folder;
  folder.write("next.sass", R"(.kernel next
.param data ptr
    S2R R0, SR_CTAID.X
    IMAD.WIDE.U32 R2, R0, 0x80, c[data]
    LDG.E R1, [R2.64]
    EXIT
)");
  const std::string launch = folder.write("next.yaml", R"(kernel: next.sass
grid: 2
block: 32
params: {data: data}
buffers: {data: {type: f32, count: 32, fill: ramp}}
check: [{buffer: data, equals: i}]
)");
  const Outcome outcome = heddle({"run", launch, "--gpu", "tiny", "--sms", "1"});
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.err.starts_with("fault: " + launch + ": kernel next: instruction 2 "));
}

TEST_CASE(
    "Blocks that are executed for their results only end as the others do, in deadlock or at the cycle "
    "limit") {
  const launch::ScratchFolder folder;
  const std::string kernel = R"(
.kernel endless
.param data ptr
    S2R R0, SR_CTAID.X
    ISETP.EQ.AND P0, PT, R0, RZ, PT
@P0 EXIT
loop:
)";
  folder.write("waits.sass", kernel + "    BRA loop\n    EXIT\n");
  folder.write("counts.sass", kernel + "    IADD3 R0, R0, 0x1, RZ\n    BRA loop\n    EXIT\n");
  for (const std::string name : {"waits", "counts"}) {
    const std::string launch = folder.write(name + ".yaml", "kernel: " + name + R"(.sass
grid: 2
block: 32
params: {data: data}
buffers: {data: {type: u32, count: 32}}
check: [{buffer: data, equals: 0}]
)");
    const Outcome outcome = heddle({"run", launch, "--gpu", "tiny", "--sms", "1", "--max-cycles", "1000000"});
    CHECK(outcome.exit_code == 3);
    check_says(outcome.err, name == "waits" ? "block (1,0,0), warp 0: deadlock: it has gone round here"
                                            : "limit reached: a warp has issued 68108864 instructions");
  }
}

TEST_CASE("Where all runs fail there is no report") {
  const launch::ScratchFolder folder;
  const std::string launch = scale_launch(folder, "scale.yaml", "8");
  const std::size_t before = folder.files();
  const Outcome outcome =
      heddle({"run", launch, "--gpu", "tiny", "--sweep", "n=33,34", "--output", folder.path("report.txt")});
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "(at n=33)");
  check_says(outcome.err, "(at n=34)");
  CHECK(folder.files() == before);
}

TEST_CASE("A recording is of all launches or of none: the first that fails ends the command") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> run = {"run", scale_launch(folder, "bad.yaml", "33"),
                                        scale_launch(folder, "worse.yaml", "34"), "--gpu", "tiny"};
  const std::size_t before = folder.files();
  const Outcome outcome = heddle(with(run, {"--record", folder.path("recorded")}));
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("worse.yaml") == std::string::npos);
  CHECK(folder.files() == before);
}

TEST_CASE("A trace that ends too early does not lose the other kernels of its list") {
  const launch::ScratchFolder folder;
  const std::string recorded = folder.path("recorded");
  REQUIRE(heddle({"run", "traces/vecadd.yaml", "traces/saxpy.yaml", "traces/vecadd.yaml", "--gpu", "tiny",
                  "--record", recorded, "--record-as", "plain", "--quiet"})
              .exit_code == 0);
  const std::string list = recorded + "/kernelslist.g";
  const std::string second = recorded + "/kernel-2.traceg";
  const json whole = run_report({list, "--gpu", "tiny"});
  const std::string trace = contents_of(second);
  folder.write("recorded/kernel-2.traceg", trace.substr(0, trace.size() / 2));

  const Outcome object = heddle({"run", list, "--gpu", "tiny", "--format", "json"});
  CHECK(object.exit_code == 2);
  check_says(object.err, "kernel-2.traceg:");
  const json left = json::parse(object.out);
  REQUIRE(left["kernels"].size() == 2);
  CHECK(without_provenance(left["kernels"][0]) == without_provenance(whole["kernels"][0]));
  CHECK(without_provenance(left["kernels"][1]) == without_provenance(whole["kernels"][2]));
  CHECK(left["all"]["warp_instructions"] == 2 * whole["kernels"][0]["warp_instructions"].get<unsigned>());
  REQUIRE(left["failures"].size() == 1);
  CHECK(left["failures"][0]["launch"] == second);

  const Outcome text = heddle({"run", list, "--gpu", "tiny"});
  CHECK(text.exit_code == 2);
  check_says(text.out, "2 kernels on");
  check_says(text.out, "NOT RUN TO ITS END: " + second);

  const json one =
      json::parse(heddle({"run", list, "--gpu", "tiny", "--kernels", "1,2", "--format", "json"}).out);
  CHECK(one["kernels"].size() == 1);
  CHECK(one["failures"].size() == 1);

  // What one kernel leaves in L2, the next but one finds there, with what was copied between.
  const std::string warm =
      folder.write("recorded/warm.g",
                   "kernel-1.traceg\nMemcpyHtoD,0x7f0000000000,4096\nkernel-2.traceg\nkernel-3.traceg\n");
  const json without = run_report({warm, "--gpu", "tiny", "--kernels", "1,3"});
  const json broken = json::parse(heddle({"run", warm, "--gpu", "tiny", "--format", "json"}).out);
  CHECK(without_provenance(broken["kernels"]) == without_provenance(without["kernels"]));
  CHECK(broken["kernels"][1]["memory"] != broken["kernels"][0]["memory"]);
}

TEST_CASE("Of a list that is swept, the same mistake of a trace is told once, and reported at each point") {
  const launch::ScratchFolder folder;
  const std::string trace = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-2.traceg");
  folder.write("kernel-1.traceg", trace);
  folder.write("kernel-2.traceg", trace.substr(0, trace.size() / 2));
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  const std::vector<std::string> sweep = {"run", list, "--gpu", "a100", "--sweep", "scheduler=gto,lrr"};
  const Outcome csv = heddle(with(sweep, {"--format", "csv"}));
  CHECK(csv.exit_code == 2);
  CHECK(lines_of(csv.err).size() == lines_of(heddle({"run", folder.path("kernel-2.traceg")}).err).size());
  CHECK(lines_of(csv.out).size() == 5);
  const Outcome text = heddle(with(sweep, {"--output", folder.path("report.txt")}));
  CHECK(text.exit_code == 2);
  CHECK(text.out.empty());
  check_says(contents_of(folder.path("report.txt")), "2 runs on");
  check_says(contents_of(folder.path("report.txt")), "NOT RUN TO ITS END: " + folder.path("kernel-2.traceg"));
}

}  // namespace heddle::command
