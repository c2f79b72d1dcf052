// What reports of other commands than `heddle run` say of what made them, and whether that makes them again.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/file_hash.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/commands.h"

namespace heddle::command {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

struct Golden {
  std::string name;  ///< The file's name, whose ending says the form.
  Words arguments;
};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<Golden> goldens() {
  const Words flags = {
      "occupancy", "--gpu", "tiny", "--block", "256", "--regs", "40", "--set", "occupancy.max_blocks=16"};
  const Words launches = {"occupancy", "traces/vecadd.yaml", "traces/saxpy.yaml", "--gpu", "tiny"};
  const Words compiled = {"occupancy", "--ptxas", "tests/golden/inputs/ptxas.log", "--block", "128"};
  const Words table = {"occupancy", "--batch", "tests/golden/inputs/kernels.csv", "--gpu",
                       "tiny",      "--set",   "occupancy.max_blocks=16"};
  const Words suite = {"validate", "tests/golden/inputs/suite.yaml", "--set", "dram.latency=77"};
  const Words traces = {"trace", "info",  "traces/traced/kernelslist.g", "--gpu",
                        "tiny",  "--set", "occupancy.max_blocks=16"};
  return {
      {"occupancy.txt", flags},
      {"occupancy.json", with(flags, {"--format", "json"})},
      {"occupancy.csv", with(flags, {"--format", "csv"})},
      {"occupancy_launches.txt", launches},
      {"occupancy_launches.json", with(launches, {"--format", "json"})},
      {"occupancy_launches.csv", with(launches, {"--format", "csv"})},
      {"occupancy_ptxas.csv", with(compiled, {"--format", "csv"})},
      {"occupancy_table.csv", table},
      {"validate.txt", suite},
      {"validate.json", with(suite, {"--format", "json"})},
      {"validate.csv", with(suite, {"--format", "csv"})},
      {"trace_info.txt", traces},
      {"trace_info.json", with(traces, {"--format", "json"})},
      {"gpu.yaml", {"gpus", "tiny", "--set", "l1.latency=25"}},
      {"asm.sass", {"asm", "traces/vecadd.sass"}},
      {"asm.json", {"asm", "traces/vecadd.sass", "--format", "json"}},
  };
}

std::string out_of(const Words& arguments) {
  const Outcome outcome = heddle(arguments);
  INFO(fmt::format("{}", fmt::join(arguments, " ")) << '\n' << outcome.err);
  CHECK(outcome.exit_code == kDone);
  CHECK(outcome.err.empty());
  return outcome.out;
}

std::string golden_text(const std::string& name) {
  return contents_of(std::string(HEDDLE_SOURCE_DIR "/tests/golden/") + name);
}

bool is_repeatable(const Words& arguments) {
  const std::string text = fmt::format("{} ", fmt::join(arguments, " "));
  const auto commands = commands_with_again();
  return std::any_of(commands.begin(), commands.end(),
                     [&](std::string_view command) { return text.starts_with(fmt::format("{} ", command)); });
}

/// The command lines that the JSON or the rows of the CSV name.
std::vector<std::string> commands_of_rows(const std::string& csv) {
  const std::vector<std::string> lines = lines_of(csv);
  const std::vector<std::string> columns = cells_of(lines.at(0));
  const auto column = std::find(columns.begin(), columns.end(), "provenance.command") - columns.begin();
  std::vector<std::string> commands;
  for (std::size_t row = 1; row < lines.size(); ++row)
    commands.push_back(cells_of(lines[row]).at(static_cast<std::size_t>(column)));
  return commands;
}

/// Each "files" of what says "provenance", anywhere.
void collect_files(const json& value, std::vector<json>& files) {
  if (!value.is_structured()) return;
  if (value.is_object() && value.contains("provenance")) {
    for (const json& file : value["provenance"]["files"]) files.push_back(file);
  }
  for (const json& inner : value) collect_files(inner, files);
}

std::set<std::string> paths_of(const json& provenance) {
  std::set<std::string> paths;
  for (const json& file : provenance["files"]) paths.insert(file["path"].get<std::string>());
  return paths;
}

}  // namespace

TEST_CASE("Reports of other commands are the golden ones", "[golden]") {
  for (const Golden& golden : goldens()) test::check_golden(golden.name, out_of(golden.arguments));
}

TEST_CASE("Each golden report of other commands is made again by what it says of itself", "[golden]") {
  for (const Golden& golden : goldens()) {
    const std::string text = golden_text(golden.name);
    INFO(golden.name);
    if (golden.name.ends_with(".json")) {
      const json report = json::parse(text);
      CHECK(out_of(command_in(report.is_array() ? report[0] : report)) == text);
    } else if (golden.name.ends_with(".csv")) {
      const std::vector<std::string> commands = commands_of_rows(text);
      CHECK(!commands.empty());
      for (const std::string& command : commands) CHECK(out_of_shell(command) == text);
    } else {
      CHECK(out_of_shell(shown_command(text)) == text);
    }
  }
}

TEST_CASE("The option --again makes each golden JSON report again, of the commands that have it",
          "[golden]") {
  std::size_t repeated = 0;
  for (const Golden& golden : goldens()) {
    if (!golden.name.ends_with(".json") || !is_repeatable(golden.arguments)) continue;
    const auto end = golden.arguments[0] == "trace" ? 2 : 1;
    const Words command(golden.arguments.begin(), golden.arguments.begin() + end);
    CHECK(out_of(with(command, {"--again", "tests/golden/" + golden.name})) == golden_text(golden.name));
    ++repeated;
  }
  CHECK(repeated == 4);
}

TEST_CASE("Each command that says so has --again, and no other") {
  std::set<std::string> found;
  const auto look = [&found](const std::string& above, std::span<const Command> table,
                             const auto& self) -> void {
    for (const Command& command : table) {
      const std::string name = fmt::format("{}{}", above, command.name);
      const Syntax syntax = command.syntax();
      if (syntax.options.find_nothrow("again", false) != nullptr) found.insert(name);
      if (command.commands != nullptr) self(name + ' ', command.commands(), self);
    }
  };
  look("", commands(), look);
  const auto known = commands_with_again();
  CHECK(found == std::set<std::string>(known.begin(), known.end()));
}

TEST_CASE("Files in reports of other commands are hashed as sha256sum does it") {
  std::vector<json> files;
  for (const Golden& golden : goldens()) {
    if (golden.name.ends_with(".json")) collect_files(json::parse(golden_text(golden.name)), files);
  }
  CHECK(files.size() > 20);
  for (const json& file : files) {
    INFO(file.dump());
    CHECK(file["sha256"] ==
          sha256_of_file(std::string(HEDDLE_SOURCE_DIR "/") + file["path"].get<std::string>()));
  }
}

TEST_CASE("A case of validate names what is changed for it, what its runs were given, and what they read") {
  const json report = json::parse(golden_text("validate.json"));
  CHECK(report["provenance"]["gpu_changes"] == json({{"dram.latency", "77"}}));
  const std::set<std::string> files = {"tests/golden/inputs/suite.yaml", "traces/vecadd.yaml",
                                       "traces/vecadd.sass", "configs/tiny.yaml", "configs/base.yaml"};
  CHECK(paths_of(report["provenance"]) == files);
  const json& cases = report["groups"][0]["cases"];
  CHECK(cases[0]["provenance"]["gpu_changes"] == json({{"dram.latency", "77"}}));
  CHECK(cases[1]["provenance"]["gpu_changes"] == json({{"dram.latency", "77"}, {"l1.latency", "25"}}));
  for (const json& one : cases) {
    CHECK(one["provenance"]["parameters"] == json({{"n", "few 1000, many 2000"}}));
    CHECK(paths_of(one["provenance"]) == files);
  }
}

TEST_CASE("A report of validate in each form, and its plot, name their command") {
  const launch::ScratchFolder folder;
  const Words suite = {"validate", "tests/golden/inputs/suite.yaml"};
  const std::string version = json::parse(golden_text("validate.json"))["provenance"]["version"];
  const std::string markdown = out_of(with(suite, {"--format", "markdown"}));
  const std::string command = "heddle validate tests/golden/inputs/suite.yaml";
  CHECK(markdown.ends_with(fmt::format("\nMade by heddle {}: `{} --format markdown`\n", version, command)));
  out_of(with(suite, {"--plot", folder.path("plot.svg"), "--output", folder.path("out"), "--threads", "1"}));
  CHECK(contents_of(folder.path("plot.svg"))
            .find(fmt::format("<desc>Made by heddle {}: {}</desc>", version, command)) != std::string::npos);
  CHECK(shown_command(contents_of(folder.path("out"))) == command);
}

TEST_CASE("Curves of occupancy name in each row what made them") {
  const Words curves = {"occupancy", "--cc", "8.6", "--block", "256", "--curves", "--format", "csv"};
  const std::string csv = out_of(curves);
  const std::vector<std::string> commands = commands_of_rows(csv);
  CHECK(commands.size() > 100);
  CHECK(std::set<std::string>(commands.begin(), commands.end()) ==
        std::set<std::string>{fmt::format("heddle {}", fmt::join(curves, " "))});
}

TEST_CASE("bench says what made its figures, and measures the same again") {
  const launch::ScratchFolder folder;
  const Words quick = {"bench",
                       "vecadd",
                       "traces/traced/kernelslist.g",
                       "--gpu",
                       "tiny",
                       "--set",
                       "l1.latency=25",
                       "--repetitions",
                       "1",
                       "--threads",
                       "1"};
  const std::string file = folder.path("bench.json");
  const std::string text = out_of(with(quick, {"--save", file}));
  const json saved = json::parse(contents_of(file));
  CHECK(command_in(saved) == quick);
  CHECK(shown_command(text) == fmt::format("heddle {}", fmt::join(quick, " ")));
  CHECK(saved["provenance"]["gpu_changes"] == json({{"l1.latency", "25"}}));
  CHECK(paths_of(saved["rows"][0]["provenance"]) ==
        std::set<std::string>{"traces/vecadd.yaml", "traces/vecadd.sass", "configs/tiny.yaml", "configs/base.yaml"});
  CHECK(saved["rows"][0]["provenance"]["parameters"]["n"] == "1081344");
  CHECK(paths_of(saved["rows"][1]["provenance"]) == std::set<std::string>{"traces/traced/kernelslist.g",
                                                                          "traces/traced/kernel-1.traceg",
                                                                          "configs/tiny.yaml", "configs/base.yaml"});
  const json again = json::parse(out_of({"bench", "--again", file, "--format", "json"}));
  CHECK(again["provenance"]["files"] == saved["provenance"]["files"]);
  CHECK(again["rows"].size() == saved["rows"].size());
  const Words against = with(quick, {"--against", file, "--format", "csv"});
  for (const std::string& command : commands_of_rows(out_of(against)))
    CHECK(command == fmt::format("heddle {}", fmt::join(against, " ")));
}

TEST_CASE("A report of another command is not repeated by run, which says what repeats it") {
  check_refused({"run", "--again", "tests/golden/occupancy.json"},
                "is a report of 'heddle occupancy'; this repeats it: heddle occupancy --again "
                "tests/golden/occupancy.json");
  check_refused({"run", "--again", "tests/golden/trace_info.json"},
                "is a report of 'heddle trace info'; this repeats it: heddle trace info --again "
                "tests/golden/trace_info.json");
  check_refused({"occupancy", "--again", "tests/golden/vecadd.json"}, "this repeats it: heddle run --again ");
  check_refused({"run", "--again", "tests/golden/asm.json"},
                "is a report of 'heddle asm'; this repeats it: heddle asm traces/vecadd.sass --format json");
}

TEST_CASE("No report is repeated whose files have changed, or were given on standard input") {
  const launch::ScratchFolder folder;
  const std::string log =
      folder.write("k.log", contents_of(HEDDLE_SOURCE_DIR "/tests/golden/inputs/ptxas.log"));
  const std::string report = folder.path("report.json");
  const Words asked = {"occupancy", "--block", "128", "--format", "json"};
  out_of(with(asked, {"--ptxas", log, "-o", report}));
  CHECK(out_of({"occupancy", "--again", report}) == contents_of(report));
  std::ofstream(log, std::ios::app) << "\n";
  check_refused({"occupancy", "--again", report}, "k.log: error: has changed since");
  out_of_shell(fmt::format("heddle {} --ptxas - -o '{}' < '{}'", fmt::join(asked, " "), report, log));
  check_refused({"occupancy", "--again", report}, "was made of standard input, which is gone");
}

TEST_CASE("A pipe that was read before it could be hashed is told to be one") {
  const launch::ScratchFolder folder;
  const std::string report = out_of_shell(fmt::format(
      "mkfifo '{0}'; (cat traces/traced/kernel-1.traceg > '{0}' &); heddle trace info '{0}' --format json",
      folder.path("pipe")));
  CHECK(json::parse(report)["provenance"]["files"] ==
        json({{{"path", folder.path("pipe")}, {"sha256", ""}}}));
  check_refused({"trace", "info", "--again", folder.write("report.json", report)}, "was a pipe when ");
}

}  // namespace heddle::command
