#include "isa/base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "isa/base/write_all.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

InputError unwritable(const std::string& path, std::string_view reason) {
  return {{path, 0, 0}, fmt::format("the file cannot be written: {}", reason)};
}

InputError unwritable(const std::string& path) { return unwritable(path, std::strerror(errno)); }

/// The file to write, with symbolic links resolved, so that the links stay. The file need not exist.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  fs::path target = path;
  if (fs::is_symlink(target, ignored)) target = target.parent_path() / fs::read_symlink(target, ignored);
  target = fs::weakly_canonical(target, ignored);
  return target.empty() ? path : target.string();
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

constexpr int kReadableByUmask = 0666;

/// Finds a name beside the target for which `take` succeeds. Empty if there is none; errno has the reason.
/// Files with such names that other processes left are not touched.
template <typename Take>
std::string free_name(const std::string& target, Take take) {
  constexpr int kMostTries = 1000;
  for (int i = 0; i < kMostTries; ++i) {
    std::string name = fmt::format("{}.{}.{}.tmp", target, getpid(), i);
    if (take(name)) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path), target_(target_of(path)) {
  require_writable(path);
  open_in(folder_of(target_).string());
}

NewFile::NewFile(const std::string& path, const std::string& until_then)
    : path_(path), target_(target_of(path)) {
  const fs::path folder = folder_of(target_);
  std::error_code ignored;
  const bool is_there = fs::is_directory(folder, ignored);
  if (is_there) require_writable(path);
  open_in(is_there ? folder.string() : until_then);
}

void NewFile::open_in(const std::string& folder) {
  if (!open_nameless(folder)) open_named(folder);
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

void NewFile::open_named(const std::string& folder) {
  const auto take = [this](const std::string& name) {
    descriptor_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByUmask);
    return descriptor_ >= 0;
  };
  name_ = free_name((folder / fs::path(target_).filename()).string(), take);
  if (name_.empty()) throw unwritable(path_);
  temporary_ = name_;
}

/// Fails on file systems without unnamed files, and without /proc, which is needed to name them later.
bool NewFile::open_nameless(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kReadableByUmask);
  if (descriptor < 0) return false;
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  if (access(link.c_str(), F_OK) != 0) {
    close(descriptor);
    return false;
  }
  descriptor_ = descriptor;
  temporary_ = link;
  return true;
}

/// A link cannot replace a file, but renaming can. So the file first gets a temporary name.
void NewFile::give_name() {
  name_ = free_name(target_, [this](const std::string& name) {
    return linkat(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  });
  if (name_.empty()) throw unwritable(path_);
}

void NewFile::write(std::span<const std::byte> bytes) {
  if (!write_all(descriptor_, bytes)) throw unwritable(path_);
}

void NewFile::keep() {
  // Some file systems report a full disk only when the data are written back.
  if (fsync(descriptor_) != 0) throw unwritable(path_);
  if (name_.empty()) give_name();
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 || std::rename(name_.c_str(), target_.c_str()) != 0) throw unwritable(path_);
  name_.clear();
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
