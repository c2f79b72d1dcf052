#include "tools/checkpoint/open_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "isa/base/diagnostic.h"

namespace heddle::checkpoint {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError({path, 0, 0}, what);
}

}  // namespace

OpenFiles open_files(const std::string& path) {
  OpenFiles open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string name = entry.path().filename().string();
    OpenFile file;
    std::from_chars(name.data(), name.data() + name.size(), file.descriptor);
    struct stat status {};
    if (file.descriptor <= STDERR_FILENO || ::fstat(file.descriptor, &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    std::error_code none;
    const std::string target = std::filesystem::read_symlink(entry.path(), none).string();
    if (status.st_nlink == 0 || target.size() >= file.path.size())
      fail(path, "no checkpoint can be made while a file without a name is being written");
    if (open.count == OpenFiles::kMost) fail(path, "no checkpoint can be made of so many open files");
    std::memcpy(file.path.data(), target.c_str(), target.size() + 1);
    file.flags = ::fcntl(file.descriptor, F_GETFL) & ~(O_CREAT | O_TRUNC | O_EXCL);
    file.position = ::lseek(file.descriptor, 0, SEEK_CUR);
    open.files[open.count++] = file;
  }
  return open;
}

int reopen(const OpenFiles& files, int kept, const std::string& path) {
  int most = STDERR_FILENO;
  for (std::size_t i = 0; i < files.count; ++i) most = std::max(most, files.files[i].descriptor);
  const int image = ::fcntl(kept, F_DUPFD_CLOEXEC, most + 1);
  if (image < 0) fail(path, std::strerror(errno));
  ::close(kept);
  for (std::size_t i = 0; i < files.count; ++i) {
    const OpenFile& file = files.files[i];
    const int now = ::open(file.path.data(), file.flags | O_CLOEXEC);
    if (now < 0)
      fail(path, fmt::format("{}, which was read when the checkpoint was made: {}", file.path.data(),
                             std::strerror(errno)));
    if (now != file.descriptor) {
      ::dup3(now, file.descriptor, O_CLOEXEC);
      ::close(now);
    }
    ::lseek(file.descriptor, file.position, SEEK_SET);
  }
  return image;
}

}  // namespace heddle::checkpoint
