// What reports say of what made them, and whether that makes them again.
#include "tools/report/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/base/file_hash.h"

namespace heddle::command {

namespace {

using nlohmann::json;

const std::string kGolden = HEDDLE_SOURCE_DIR "/tests/golden/";

/// A kernel with its launch, in a folder of their own.
class OwnLaunch {
 public:
  OwnLaunch() {
    std::filesystem::copy(HEDDLE_SOURCE_DIR "/traces/vecadd.sass", folder_.path("vecadd.sass"));
    std::filesystem::copy(HEDDLE_SOURCE_DIR "/traces/vecadd.yaml", folder_.path("vecadd.yaml"));
  }

  std::string report(std::vector<std::string> more = {}) {
    std::vector<std::string> run = {
        "run",      folder_.path("vecadd.yaml"), "--param", "n=1000", "--gpu", "tiny", "--format", "json",
        "--output", path("report.json")};
    run.insert(run.end(), more.begin(), more.end());
    const Outcome outcome = heddle(run);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == kDone);
    return path("report.json");
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

 private:
  launch::ScratchFolder folder_;
};

}  // namespace

TEST_CASE("SHA-256 is that of FIPS 180-4") {
  // The examples of NIST's "SHA256.pdf", and that of no bytes.
  CHECK(sha256_of_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_of_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const launch::ScratchFolder folder;
  const std::string long_text(3'000'001, 'a');  // several pieces
  const std::string path = folder.write("long", long_text);
  CHECK(sha256_of_file(path) == sha256_of_text(long_text));
  CHECK_THROWS_AS(sha256_of_file(folder.path("none")), InputError);
}

TEST_CASE("Words are quoted as a POSIX shell reads them") {
  CHECK(report::shell_quoted("traces/vecadd.yaml") == "traces/vecadd.yaml");
  CHECK(report::shell_quoted("n=1000") == "n=1000");
  CHECK(report::shell_quoted("") == "''");
  for (const std::string word : {"a b", "it's", "$HOME", "a\\b", "*", "~", "#", "a\nb", "\"", "!x"}) {
    INFO(word);
    CHECK(out_of_shell("printf %s " + report::shell_quoted(word)) == word);
  }
}

TEST_CASE("What settings change of a GPU is told by key, and nothing else") {
  const std::string configs = HEDDLE_SOURCE_DIR "/configs";
  const sim::GpuSpec h100 = sim::load_gpu("h100", {}, configs);
  CHECK(sim::changed_values(h100, h100).empty());
  const sim::GpuSpec changed =
      sim::load_gpu("h100", {"dram.latency=900", "sm.scheduler=lrr", "l2.bytes=20MiB"}, configs);
  CHECK(sim::changed_values(h100, changed) ==
        sim::KeyValues{{"sm.scheduler", "lrr"}, {"l2.bytes", "20 MiB"}, {"dram.latency", "900"}});
  CHECK(sim::changed_values(changed, h100).size() == 3);
  const auto absent = sim::changed_values(h100, sim::load_gpu("h100", {"sm.instructions.fp64=none"}, configs));
  CHECK(absent == sim::KeyValues{{"sm.instructions.fp64", "none"}});
}

TEST_CASE("Each golden report is made again by what it says of itself", "[golden]") {
  for (const char* name : {"vecadd.json", "divergent.json", "reduce.json"}) {
    INFO(name);
    const std::string golden = contents_of(kGolden + name);
    CHECK(heddle(command_in(json::parse(golden))).out == golden);
    CHECK(heddle({"run", "--again", kGolden + name}).out == golden);
  }
  for (const char* name : {"vecadd.txt", "divergent.txt", "reduce.txt", "vecadd_full.txt", "divergent_full.txt",
                           "reduce_full.txt", "several.txt", "list.txt"}) {
    INFO(name);
    const std::string golden = contents_of(kGolden + name);
    CHECK(out_of_shell(shown_command(golden)) == golden);
  }
}

TEST_CASE("Each row of a golden CSV is made again by the command that stands in it", "[golden]") {
  const std::string golden = contents_of(kGolden + "several.csv");
  const std::vector<std::string> lines = lines_of(golden);
  const std::vector<std::string> columns = cells_of(lines.at(0));
  const auto column = std::find(columns.begin(), columns.end(), "provenance.command") - columns.begin();
  REQUIRE(lines.size() > 2);
  for (std::size_t row = 1; row < lines.size(); ++row)
    CHECK(out_of_shell(cells_of(lines[row]).at(static_cast<std::size_t>(column))) == golden);
}

TEST_CASE(
    "A report makes the same bytes again: of a sweep, of a list of traces, and of a run with changed settings") {
  const launch::ScratchFolder folder;
  const std::string report = folder.path("report.json");
  for (const std::vector<std::string>& run : std::vector<std::vector<std::string>>{
           {"traces/vecadd.yaml", "--sweep", "n=32,64", "--sweep", "l1.latency=20,40"},
           {"traces/traced/kernelslist.g", "--gpu", "v100", "--set", "dram.latency=900"},
           {"traces/vecadd.yaml", "traces/saxpy.yaml", "--param", "n=64", "--cold", "--sms", "4"}}) {
    INFO(run[0]);
    std::vector<std::string> arguments = {"run", "--format", "json", "-o", report, "--threads=2"};
    arguments.insert(arguments.end(), run.begin(), run.end());
    REQUIRE(heddle(arguments).exit_code == kDone);
    const Outcome again = heddle({"run", "--again", report, "--threads", "1"});
    CHECK(again.exit_code == kDone);
    CHECK(again.err.empty());
    CHECK(again.out == contents_of(report));
  }
}

TEST_CASE("Options beside --again take the place of the report's") {
  OwnLaunch launch;
  const std::string report = launch.report();
  const Outcome text = heddle({"run", "--again", report, "--format", "text", "--gpu", "h100"});
  CHECK(text.exit_code == kDone);
  CHECK(text.out.find("on NVIDIA H100") != std::string::npos);
  const Outcome refused = heddle({"run", "traces/vecadd.yaml", "--again", report});
  CHECK(refused.exit_code == kInputWrong);
}

TEST_CASE("A run is not repeated from a report whose files have changed or are gone") {
  OwnLaunch launch;
  const std::string report = launch.report();
  std::ofstream(launch.path("vecadd.sass"), std::ios::app) << "// changed\n";
  const Outcome changed = heddle({"run", "--again", report});
  CHECK(changed.exit_code == kInputWrong);
  CHECK(changed.out.empty());
  CHECK(changed.err.find("vecadd.sass: error: has changed since") != std::string::npos);
  CHECK(changed.err.find("vecadd.yaml") == std::string::npos);
  std::filesystem::remove(launch.path("vecadd.sass"));
  CHECK(heddle({"run", "--again", report}).err.find("cannot be opened") != std::string::npos);
}

TEST_CASE("Told is what is wrong with a file that is no report of a run") {
  const launch::ScratchFolder folder;
  check_refused({"run", "--again", folder.path("none.json")}, "none.json");
  check_refused({"run", "--again", folder.write("a.json", "cycles,kernel\n1,k\n")}, "a.json");
  check_refused({"run", "--again", folder.write("b.json", R"({"cycles": 1})")}, "has no 'provenance'");
  check_refused({"run", "--again", folder.write("c.json", R"({"provenance": {"command": ["heddle", 3]}})")},
                "must be a list of words");
  check_refused(
      {"run", "--again",
       folder.write("d.json", R"({"provenance": {"command": ["heddle", "occupancy"], "files": []}})")},
      "is a report of 'heddle occupancy'");
  check_refused({"run", "--again",
                 folder.write("e.json", R"({"provenance": {"command": ["heddle", "run", "x.yaml"]}})")},
                "provenance.files must be a list");
}

TEST_CASE("A report names each changed setting, each parameter and each file") {
  OwnLaunch launch;
  const json report = json::parse(contents_of(launch.report(
      {"--set", "dram.latency=77", "--scheduler", "lrr", "--save", "c=" + launch.path("c.npy")})));
  const json& provenance = report["provenance"];
  CHECK(provenance["gpu_changes"] == json({{"dram.latency", "77"}, {"sm.scheduler", "lrr"}}));
  CHECK(provenance["parameters"]["n"] == "1000");
  std::vector<std::string> paths;
  for (const json& file : provenance["files"]) {
    paths.push_back(file["path"]);
    const std::string path = file["path"];
    CHECK(file["sha256"] ==
          sha256_of_file(path.starts_with("configs/") ? HEDDLE_SOURCE_DIR "/" + path : path));
  }
  CHECK(paths == std::vector<std::string>{launch.path("vecadd.yaml"), launch.path("vecadd.sass"),
                                          "configs/tiny.yaml", "configs/base.yaml"});
  CHECK(report["gpu"] == "tiny");
  const Outcome text = heddle({"run", "--again", launch.path("report.json"), "--format", "text"});
  CHECK(text.out.find("(tiny, changed: sm.scheduler lrr, dram.latency 77)") != std::string::npos);
}

TEST_CASE("A run that failed names its command, too") {
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--sweep", "n=64,100000",
                                  "--max-cycles", "9000", "--format", "json"});
  REQUIRE(outcome.exit_code == kProgramFailed);
  const json runs = json::parse(outcome.out);
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].contains("failure"));
  for (const json& run : runs) {
    CHECK(run["provenance"]["command"] ==
          json({"heddle", "run", "traces/vecadd.yaml", "--gpu", "tiny", "--sweep", "n=64,100000",
                "--max-cycles", "9000", "--format", "json"}));
    CHECK(run["provenance"]["files"][0]["path"] == "traces/vecadd.yaml");
  }
}

}  // namespace heddle::command
