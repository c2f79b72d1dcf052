#include "tools/cuda/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "isa/base/diagnostic.h"

extern char** environ;

namespace heddle::cuda {

namespace {

[[noreturn]] void fail(const std::string& program, int error) {
  throw InputError({program, 0, 0}, fmt::format("the program cannot be run: {}", std::strerror(error)));
}

/// Both ends are closed in programs that are started.
class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail(program, errno);
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reading() const { return ends_[0]; }
  [[nodiscard]] int writing() const { return ends_[1]; }
  void close_writing() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

/// What the program finds open.
class FileActions {
 public:
  FileActions(const Pipe& output, const Pipe& errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors.writing(), STDERR_FILENO);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
};

pid_t start(const std::vector<std::string>& arguments, const Pipe& output, const Pipe& errors) {
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const FileActions actions(output, errors);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, words[0], actions.get(), nullptr, words.data(), environ))
    fail(arguments[0], error);
  return child;
}

/// Appends what can be read now. False at the end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 65536> piece = {};
  const ssize_t length = ::read(descriptor, piece.data(), piece.size());
  if (length > 0) text.append(piece.data(), static_cast<std::size_t>(length));
  return length > 0 || (length < 0 && errno == EINTR);
}

/// Reads both until the program has closed them.
void read_both(const Pipe& output, const Pipe& errors, FinishedProgram& finished) {
  std::array<pollfd, 2> waits = {pollfd{output.reading(), POLLIN, 0}, pollfd{errors.reading(), POLLIN, 0}};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0 && !read_some(waits[0].fd, finished.output)) waits[0].fd = -1;
    if (waits[1].revents != 0 && !read_some(waits[1].fd, finished.errors)) waits[1].fd = -1;
    for (pollfd& wait : waits) wait.revents = 0;
  }
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool can_run(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

}  // namespace

FinishedProgram run_program(const std::vector<std::string>& arguments) {
  Pipe output(arguments[0]);
  Pipe errors(arguments[0]);
  const pid_t child = start(arguments, output, errors);
  output.close_writing();
  errors.close_writing();
  FinishedProgram finished;
  read_both(output, errors, finished);
  finished.exit_code = exit_code_of(child);
  return finished;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return can_run(name) ? name : std::string();
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (can_run(file)) return file;
    begin = end + 1;
  }
  return {};
}

}  // namespace heddle::cuda
