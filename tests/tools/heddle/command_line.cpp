#include "tests/tools/heddle/command_line.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"

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

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status); }

}  // namespace

StartedCommand::StartedCommand(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  const auto file = [this](const char* name) {
    return open_or_throw(folder_.path(name).c_str(), O_WRONLY | O_CREAT);
  };
  int end = -1;
  if (surroundings.terminal || surroundings.error_terminal) std::tie(terminal_, end) = open_terminal(surroundings.columns);
  const int out = surroundings.terminal ? end : file("out");
  const int err = surroundings.error_terminal ? end : file("err");
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("no process");  // signals to it would go to all
  if (child_ == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    become_command(arguments, surroundings);
  }
  close(out);
  if (err != out) close(err);
}

StartedCommand::~StartedCommand() {
  if (terminal_ >= 0) close(terminal_);
  if (ended_) return;
  kill(child_, SIGKILL);
  waitpid(child_, &status_, 0);
}

void StartedCommand::signal(int number) const { kill(child_, number); }

bool StartedCommand::has_ended() {
  if (!ended_) ended_ = waitpid(child_, &status_, WNOHANG) == child_;
  return ended_;
}

std::string StartedCommand::error_so_far() const { return contents_of(folder_.path("err")); }

Outcome StartedCommand::outcome() {
  Outcome outcome;
  const std::string shown = terminal_ >= 0 ? read_all(std::exchange(terminal_, -1)) : std::string();
  if (!ended_) waitpid(child_, &status_, 0);
  ended_ = true;
  outcome.exit_code = exit_code_of(status_);
  const bool has_out = std::filesystem::exists(folder_.path("out"));
  outcome.out = has_out ? contents_of(folder_.path("out")) : shown;
  outcome.err = std::filesystem::exists(folder_.path("err")) ? contents_of(folder_.path("err")) : shown;
  return outcome;
}

Outcome heddle(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return StartedCommand(arguments, surroundings).outcome();
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
