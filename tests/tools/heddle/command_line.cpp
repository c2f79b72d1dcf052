#include "tests/tools/heddle/command_line.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

[[noreturn]] void become_command(const std::vector<std::string>& arguments,
                                 const Surroundings& surroundings) {
  setenv("HEDDLE_CONFIGS", HEDDLE_SOURCE_DIR "/configs", 1);
  unsetenv("NO_COLOR");
  unsetenv("COLUMNS");
  setenv("TERM", "xterm", 1);
  for (const auto& [name, value] : surroundings.variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv = {const_cast<char*>("heddle")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (chdir(HEDDLE_SOURCE_DIR) == 0) execv(HEDDLE_COMMAND, argv.data());
  _exit(127);
}

int open_or_throw(const char* path, int flags) {
  const int descriptor = open(path, flags | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::runtime_error(path);
  return descriptor;
}

/// Both ends of a terminal.
std::pair<int, int> open_terminal(unsigned short columns) {
  const int own = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (own < 0 || grantpt(own) != 0 || unlockpt(own) != 0) throw std::runtime_error("no terminal");
  const winsize size{0, columns, 0, 0};
  if (ioctl(own, TIOCSWINSZ, &size) != 0) throw std::runtime_error("no terminal of this size");
  return {own, open_or_throw(ptsname(own), O_RDWR | O_NOCTTY)};
}

/// Until the other end is closed.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; (got = read(descriptor, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  close(descriptor);
  return text;
}

int exit_code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

Outcome heddle(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  const launch::ScratchFolder folder;
  const std::string out_path = folder.path("out");
  const std::string err_path = folder.path("err");
  int own = -1;
  int out = -1;
  if (surroundings.terminal) {
    std::tie(own, out) = open_terminal(surroundings.columns);
  } else {
    out = open_or_throw(out_path.c_str(), O_WRONLY | O_CREAT);
  }
  const int err = open_or_throw(err_path.c_str(), O_WRONLY | O_CREAT);
  const pid_t child = fork();
  if (child == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    become_command(arguments, surroundings);
  }
  close(out);
  close(err);
  Outcome outcome;
  if (surroundings.terminal) outcome.out = read_all(own);
  outcome.exit_code = exit_code_of(child);
  if (!surroundings.terminal) outcome.out = contents_of(out_path);
  outcome.err = contents_of(err_path);
  return outcome;
}

namespace {

std::string text_of_report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"run", "--format", "json"});
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return outcome.out;
}

}  // namespace

nlohmann::json run_report(std::vector<std::string> arguments) {
  return nlohmann::json::parse(text_of_report(std::move(arguments)));
}

nlohmann::json without_provenance(nlohmann::json report) {
  if (report.is_object()) report.erase("provenance");
  if (!report.is_structured()) return report;
  for (auto& inner : report) inner = without_provenance(std::move(inner));
  return report;
}

void check_refused(const std::vector<std::string>& arguments, std::string_view message) {
  const Outcome outcome = heddle(arguments);
  INFO(arguments.back());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  launch::check_says(outcome.err, message);
}

std::string json_report(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--gpu", "tiny"});
  return text_of_report(std::move(arguments));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

}  // namespace heddle::command
