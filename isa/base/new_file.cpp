#include "isa/base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace heddle {

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

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

constexpr int kReadableByUmask = 0666;

}  // namespace

NewFile::NewFile(const std::string& path)
    : path_(path),
      target_(target_of(path)),
      name_(fmt::format("{}.{}.tmp", target_, getpid())),
      temporary_(name_) {
  require_writable(path);
  if (open_nameless()) return;
  descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByUmask);
  if (descriptor_ < 0) throw unwritable(path_);
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (has_name_) unlink(name_.c_str());
}

/// Not all file systems have such files, and without /proc they cannot be named later.
bool NewFile::open_nameless() {
  const int descriptor = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kReadableByUmask);
  if (descriptor < 0) return false;
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  if (access(link.c_str(), F_OK) != 0) {
    close(descriptor);
    return false;
  }
  descriptor_ = descriptor;
  temporary_ = link;
  has_name_ = false;
  return true;
}

/// A link cannot take another file's place, but a file with a name can.
void NewFile::give_name() const {
  if (linkat(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) != 0)
    throw unwritable(path_);
}

void NewFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw unwritable(path_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void NewFile::keep() {
  // Some file systems report a full disk only when the data are written back.
  if (fsync(descriptor_) != 0) throw unwritable(path_);
  if (!std::exchange(has_name_, true)) give_name();
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 || std::rename(name_.c_str(), target_.c_str()) != 0) throw unwritable(path_);
  has_name_ = false;
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const fs::path target = target_of(path);
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) {
    throw unwritable(path, "it is there already, and no regular file");
  }
  if (access(folder_of(target).c_str(), W_OK | X_OK) != 0) throw unwritable(path);
}

}  // namespace heddle
