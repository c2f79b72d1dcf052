// heddle help, man pages and completion: all commands are in them, with all their options.
#include "tools/heddle/base/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/commands.h"

namespace heddle::command {

namespace {

using launch::check_says;
using Names = std::vector<std::string>;

void visit(std::span<const Command> table, const Names& above,
           const std::function<void(const Names&, const Command&)>& action) {
  for (const Command& command : table) {
    Names names = above;
    names.emplace_back(command.name);
    action(names, command);
    if (command.commands != nullptr) visit(command.commands(), names, action);
  }
}

/// Each command, and each command of a command: {"trace", "info"}.
void for_each_command(const std::function<void(const Names&, const Command&)>& action) {
  visit(commands(), {}, action);
}

Names with(Names names, std::string_view first, std::string_view last) {
  if (!first.empty()) names.insert(names.begin(), std::string(first));
  if (!last.empty()) names.emplace_back(last);
  return names;
}

int shell(const std::string& command) { return std::system(command.c_str()); }

bool has_program(const std::string& name) {
  return shell(fmt::format("command -v {} >/dev/null 2>&1", name)) == 0;
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// What bash completes, sorted. Each word as bash parts them: "--gpu", "=", "h1".
std::string completed(const launch::ScratchFolder& folder, const std::string& words) {
  const std::string script = folder.write("try.sh", fmt::format(R"(source '{}'
cd {}
COMP_WORDS=('{}' {})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_heddle '{}'
printf '%s\n' "${{COMPREPLY[@]}}" | LC_ALL=C sort | tr '\n' ' '
)",
                                                                folder.path("script"), folder.path("here"),
                                                                HEDDLE_COMMAND, words, HEDDLE_COMMAND));
  const std::string line = fmt::format("HEDDLE_CONFIGS={}/configs bash '{}' >'{}' 2>&1", HEDDLE_SOURCE_DIR,
                                       script, folder.path("completed"));
  CHECK(shell(line) == 0);
  std::string found = contents_of(folder.path("completed"));
  while (found.ends_with(' ')) found.pop_back();
  return found;
}

}  // namespace

TEST_CASE(
    "Each command's help is the same by --help and by heddle help, and has every option in 80 columns") {
  for_each_command([](const Names& names, const Command& command) {
    const Outcome help = heddle(with(names, "help", ""));
    INFO(help.out << help.err);
    CHECK(help.exit_code == 0);
    CHECK(help.err.empty());
    CHECK(heddle(with(names, "", "--help")).out == help.out);
    std::string title = "usage: heddle";
    for (const std::string& name : names) title += ' ' + name;
    CHECK(help.out.starts_with(title + ' '));
    for (const OptionRow& row : option_rows(command.syntax())) check_says(help.out, option_text(row));
    check_says(help.out, "\nexamples:\n  ");
    for (const std::string& line : lines_of(help.out)) CHECK(columns_of(line) <= kHelpColumns);
    for (const std::string& line : lines_of(std::string(command.syntax().examples)))
      CHECK(line.size() <= kHelpColumns);  // so that it can be copied
  });
}

TEST_CASE("The overview names each command, and heddle help prints it") {
  const Outcome overview = heddle({"--help"});
  CHECK(heddle({"help"}).out == overview.out);
  for (const Command& command : commands()) check_says(overview.out, fmt::format("\n  {} ", command.name));
  for (const std::string& line : lines_of(overview.out)) CHECK(columns_of(line) <= kHelpColumns);
  const Outcome trace = heddle({"help", "trace"});
  CHECK(heddle({"trace", "help"}).out == trace.out);
  check_says(trace.out, "\n  convert  writes a trace in another version, compression or container\n");
}

TEST_CASE("Help about what does not exist is refused, with the nearest command") {
  check_refused({"help", "rum"}, "there is no command 'rum'; did you mean 'run'?");
  check_refused({"help", "trace", "inf"}, "there is no command 'trace inf'; did you mean 'info'?");
  check_refused({"help", "run", "info"}, "there is no command 'run info'");
  check_refused({"help", "nothing", "--man"}, "there is no man page heddle-nothing");
  check_refused({"help", "--completion", "fish"}, "must be one of bash, zsh");
  check_refused({"help", "--words", "gpu"}, "did you mean 'gpus'?");
}

TEST_CASE("Long words stand alone in wrapped text, and no line begins or ends with a space") {
  CHECK(wrapped("", 10, 2).empty());
  CHECK(wrapped("one two\nthree", 80, 0) == "one two three");
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three");
  CHECK(wrapped("  a  0123456789  b ", 5, 0) == "a\n0123456789\nb");
}

TEST_CASE("Each command has a man page with every option, and man and mandoc have nothing to say of it") {
  const launch::ScratchFolder folder;
  REQUIRE(heddle({"help", "--install", folder.path("share")}).exit_code == 0);
  check_says(contents_of(folder.path("share/man/man1/heddle.1")), "\\fBheddle\\-trace\\fR(1)");
  for_each_command([&](const Names& names, const Command& command) {
    std::string name = "heddle";
    for (const std::string& each : names) name += '-' + each;
    const std::string path = folder.path(fmt::format("share/man/man1/{}.1", name));
    const std::string page = contents_of(path);
    INFO(path);
    REQUIRE(page.starts_with(".TH "));
    CHECK(heddle(with(names, "help", "--man")).out == page);
    for (const OptionRow& row : option_rows(command.syntax())) {
      std::string escaped;
      for (const char c : row.name) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      check_says(page, fmt::format("\\fB\\-\\-{}\\fR", escaped));
    }
    const std::string said = folder.path("said");
    if (has_program("mandoc")) {
      CHECK(shell(fmt::format("mandoc -T lint '{}' >'{}' 2>&1", path, said)) == 0);
      CHECK(contents_of(said).empty());
    }
    if (has_program("man") && has_program("groff")) {
      shell(fmt::format("LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z '{}' 2>'{}' >/dev/null", path,
                        said));
      CHECK(contents_of(said).empty());
    }
  });
}

TEST_CASE("The shells take the completion scripts") {
  const launch::ScratchFolder folder;
  for (const std::string shell_name : {"bash", "zsh"}) {
    const std::string script = folder.write("script", heddle({"help", "--completion", shell_name}).out);
    if (!has_program(shell_name)) continue;
    INFO(shell_name);
    CHECK(shell(fmt::format("{} -n '{}'", shell_name, script)) == 0);
  }
}

TEST_CASE("Bash completes commands, options, words, GPUs, examples, keys and files, each in its place") {
  const launch::ScratchFolder folder;
  folder.write("script", heddle({"help", "--completion", "bash"}).out);
  folder.write("here/launch_of_mine.yaml", "");
  folder.write("here/folder/file", "");
  for (const auto& [words, expected] : std::vector<std::pair<std::string, std::string>>{
           {"ru", "run"},
           {"trace ''", "check convert cut info"},
           {"help tr", "trace"},
           {"help trace co", "convert"},
           {"run --sched", "--scheduler"},
           {"run --format ''", "csv json text"},
           {"run --format = j", "json"},
           {"run --gpu h100-p", "h100-pcie"},
           {"run --gpu = h2", "h200"},
           {"gpus rtx", "rtx3080 rtx4090 rtx5090"},
           {"run --scheduler tw", "two_level"},
           {"run vecadd --set l1.lat", "l1.latency="},
           {"run vecadd --set l1.latency = 40 --divergence b", "barrier"},
           {"run --cold reduce_v", "reduce_v1 reduce_v2 reduce_v3"},
           {"run launch_of", "launch_of_mine.yaml"},
           {"run --param launch_of", ""},
           {"run --save c = launch_of", "launch_of_mine.yaml"},
           {"run -o la", "launch_of_mine.yaml"},
           {"run --record ''", "folder"},
           {"trace info --gpu tin", "tiny"},
           {"trace convert --as tracez", "tracez"},
           {"occupancy --ptxas launch", "launch_of_mine.yaml"},
           {"bench chase", "chase_512k"},
           {"examples sax", "saxpy"},
           {"help --completion ''", "bash zsh"},
           {"--ver", "--version"}}) {
    INFO(words);
    CHECK(completed(folder, words) == expected);
  }
}

}  // namespace heddle::command
