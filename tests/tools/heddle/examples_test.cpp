// Examples by their names, and what comes on standard input.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;
using launch::check_says;

const std::string kTraces = HEDDLE_SOURCE_DIR "/traces/";

/// By a shell, in the folder; what it says is in the folder's files out and err.
int in_folder(const launch::ScratchFolder& folder, const std::string& command) {
  const std::string line =
      fmt::format("cd '{}' && export HEDDLE_CONFIGS='{}/configs' heddle='{}' && {{ {} ; }} >out 2>err",
                  folder.path(""), HEDDLE_SOURCE_DIR, HEDDLE_COMMAND, command);
  return WEXITSTATUS(std::system(line.c_str()));
}

std::string out_of(const launch::ScratchFolder& folder) { return contents_of(folder.path("out")); }
std::string err_of(const launch::ScratchFolder& folder) { return contents_of(folder.path("err")); }

/// A launch that no example is like: one block.
constexpr std::string_view kOwn = R"(description: mine
kernel: scale.sass
grid: 1
block: 32
params: {data: data, n: 32, shift: 0, factor: 1.0, big: 0}
buffers:
  data: {type: f32, count: 32}
)";

}  // namespace

TEST_CASE("heddle examples lists each launch that comes with Heddle, with what it shows, in 80 columns") {
  const Outcome list = heddle({"examples"});
  CHECK(list.exit_code == 0);
  std::size_t examples = 0;
  for (const auto& entry : fs::directory_iterator(kTraces)) {
    if (entry.path().extension() != ".yaml") continue;
    check_says('\n' + list.out, fmt::format("\n{} ", entry.path().stem().string()));
    ++examples;
  }
  CHECK(examples > 50);
  check_says(list.out, " Adds two vectors of n floats.\n");
  for (const std::string& line : lines_of(list.out)) CHECK(line.size() <= 80);
}

TEST_CASE("Where there are no examples it is said where they were looked for") {
  const launch::ScratchFolder folder;
  const Outcome list = heddle({"examples"}, {{{"HEDDLE_CONFIGS", folder.path("configs")}}, false});
  CHECK(list.exit_code == 2);
  check_says(list.err, folder.path("traces") + ": error: there are no examples here");
}

TEST_CASE("heddle examples NAME prints the launch file and its kernel") {
  const Outcome shown = heddle({"examples", "vecadd"});
  CHECK(shown.exit_code == 0);
  check_says(shown.out, contents_of(kTraces + "vecadd.yaml"));
  check_says(shown.out, contents_of(kTraces + "vecadd.sass"));
  check_says(shown.out, contents_of(kTraces + "vecadd.cu"));
  check_refused({"examples", "vecad"}, "there is no example 'vecad'; did you mean 'vecadd'?");
  check_refused({"examples", "nothing_of_the_kind"}, "heddle examples lists them");
  check_refused({"examples", "vecadd", "saxpy"}, "one example at a time");
  check_refused({"examples", "--copy", "/tmp"}, "--copy needs the name");
}

TEST_CASE("An example can be copied, changed and run, and no copy replaces a file") {
  const launch::ScratchFolder folder;
  REQUIRE(in_folder(folder, "$heddle examples saxpy --copy .") == 0);
  CHECK(out_of(folder) == "./saxpy.yaml\n./saxpy.sass\n./saxpy.cu\n");
  CHECK(contents_of(folder.path("saxpy.yaml")) == contents_of(kTraces + "saxpy.yaml"));
  CHECK(contents_of(folder.path("saxpy.sass")) == contents_of(kTraces + "saxpy.sass"));
  CHECK(contents_of(folder.path("saxpy.cu")) == contents_of(kTraces + "saxpy.cu"));
  REQUIRE(in_folder(folder, "$heddle examples hgemm --copy .") == 0);
  CHECK(out_of(folder) == "./hgemm.yaml\n./hgemm.sass\n./hgemm.cu\n./tensor_cores.cuh\n");
  folder.write("saxpy.sass", "mine");
  fs::remove(folder.path("saxpy.yaml"));
  CHECK(in_folder(folder, "$heddle examples saxpy --copy .") == 2);
  check_says(err_of(folder), "saxpy.sass: error: this file exists already");
  CHECK(contents_of(folder.path("saxpy.sass")) == "mine");
  CHECK_FALSE(fs::exists(folder.path("saxpy.yaml")));
  CHECK(in_folder(folder, "$heddle examples saxpy --copy nowhere") == 2);
}

TEST_CASE("Where a launch file is taken, an example's name is one: the same run") {
  using nlohmann::json;
  const json by_name = run_report({"saxpy", "--gpu", "tiny", "--param", "n=2048"});
  const json by_path = run_report({"traces/saxpy.yaml", "--gpu", "tiny", "--param", "n=2048"});
  CHECK(by_name["cycles"] == by_path["cycles"]);
  CHECK(by_name["ledgers"] == by_path["ledgers"]);
  const Outcome occupancy = heddle({"occupancy", "saxpy", "--gpu", "tiny"});
  CHECK(occupancy.exit_code == 0);
  CHECK(without_made_by(occupancy.out) ==
        without_made_by(heddle({"occupancy", "traces/saxpy.yaml", "--gpu", "tiny"}).out));
  CHECK(heddle({"run", "saxpy", "vecadd", "--gpu", "tiny"}).exit_code == 0);
  CHECK(heddle({"bench", "saxpy", "--gpu", "tiny", "--repetitions", "1", "--threads", "1"}).exit_code == 0);
}

TEST_CASE("A file in the current folder comes before an example of its name") {
  const launch::ScratchFolder folder;
  folder.write("saxpy.yaml", kOwn);
  CHECK(in_folder(folder, "$heddle run saxpy --gpu tiny --format csv") == 0);
  check_says(out_of(folder), "scale");
  folder.write("vecadd", kOwn);
  CHECK(in_folder(folder, "$heddle run vecadd --gpu tiny --format csv") == 0);
  check_says(out_of(folder), "scale");
  fs::create_directories(folder.path("latency"));  // a folder is no launch file
  CHECK(in_folder(folder, "$heddle run latency --gpu tiny --format csv") == 0);
}

TEST_CASE("A name that is neither a file nor an example is refused, with the nearest example") {
  check_refused({"run", "vecad"},
                "there is no file 'vecad', and no example of this name; did you mean 'vecadd'?");
  check_refused({"run", "vecadd", "nothing_of_the_kind"}, "heddle examples lists them");
  check_refused({"occupancy", "saxpi"}, "did you mean 'saxpy'?");
  check_refused({"bench", "saxpi"}, "did you mean 'saxpy'?");
  check_refused({"run", "vecadd.yml"}, "no such file");
  check_refused({"run", "traces/vecad.yaml"}, "no such file");
}

TEST_CASE("A launch file can come on standard input: what it names lies in the current folder") {
  const launch::ScratchFolder folder;
  folder.write("own.yaml", kOwn);
  REQUIRE(in_folder(folder, "$heddle run own.yaml --gpu tiny --format json") == 0);
  const auto by_path = nlohmann::json::parse(out_of(folder));
  REQUIRE(in_folder(folder, "cat own.yaml | $heddle run - --gpu tiny --format json") == 0);
  const auto by_pipe = nlohmann::json::parse(out_of(folder));
  CHECK(by_pipe["cycles"] == by_path["cycles"]);
  CHECK(in_folder(folder, "$heddle run - own.yaml --gpu tiny <own.yaml") == 0);
  CHECK(in_folder(folder, "$heddle run - --gpu tiny --sweep block=32,64 <own.yaml") == 0);
  CHECK(lines_of(out_of(folder)).size() >= 3);
  CHECK(in_folder(folder, "$heddle occupancy - --gpu tiny <own.yaml") == 0);
  CHECK(in_folder(folder, "echo 'grid: x' | $heddle run - --gpu tiny") == 2);
  check_says(err_of(folder), "<stdin>:1");
  CHECK(in_folder(folder, "$heddle run - --gpu tiny </dev/null") == 2);
  check_says(err_of(folder), "<stdin>");
  CHECK(in_folder(folder, "$heddle run - - --gpu tiny <own.yaml") == 2);
  check_says(err_of(folder), "standard input can be read once");
}

TEST_CASE("A kernel can come on standard input") {
  const launch::ScratchFolder folder;
  REQUIRE(in_folder(folder, "$heddle asm scale.sass") == 0);
  const std::string by_path = without_made_by(out_of(folder));
  REQUIRE(in_folder(folder, "$heddle asm - <scale.sass") == 0);
  CHECK(without_made_by(out_of(folder)) == by_path);
  CHECK(in_folder(folder, "echo '.kernel k' | $heddle asm -") == 2);
  check_says(err_of(folder), "<stdin>:1");
  CHECK(in_folder(folder, "head -c 100000000 /dev/zero | $heddle asm -") == 2);
  check_says(err_of(folder), "<stdin>: error: larger than");
}

}  // namespace heddle::command
