#include "tools/heddle/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "isa/base/diagnostic.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

InputError unwritable(const std::string& path, std::string_view reason) {
  return {{path, 0, 0}, fmt::format("the file cannot be written: {}", reason)};
}

InputError unwritable(const std::string& path) { return unwritable(path, std::strerror(errno)); }

/// The file that is to be there in the end: behind symbolic links, so that these stay.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  const fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

/// A new file beside the target, gone again unless it takes the target's place.
class NewFile {
 public:
  explicit NewFile(const std::string& path)
      : path_(path), target_(target_of(path)), temporary_(fmt::format("{}.{}.tmp", target_, getpid())) {
    constexpr int kReadableByUmask = 0666;
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByUmask);
    if (descriptor_ < 0) throw unwritable(path_);
  }
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!kept_) unlink(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw unwritable(path_);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void keep() {
    // Some file systems report a full disk only when the data are written back.
    if (fsync(descriptor_) != 0) throw unwritable(path_);
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0) throw unwritable(path_);
    kept_ = true;
  }

 private:
  std::string path_;
  std::string target_;
  std::string temporary_;
  int descriptor_ = -1;
  bool kept_ = false;
};

}  // namespace

void write_output(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw unwritable("standard output");
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void write_file(const std::string& path, std::string_view text) {
  require_writable(path);
  NewFile file(path);
  file.write(text);
  file.keep();
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const fs::path target = target_of(path);
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) {
    throw unwritable(path, "it is there already, and no regular file");
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw unwritable(path);
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool wants_colour(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return is_terminal(stream) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace heddle::command
