#include "sim/trace/io/nameless_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/write_all.h"

namespace heddle::trace {

namespace {

std::string temporary_folder() {
  namespace fs = std::filesystem;
  try {
    return fs::temp_directory_path().string();
  } catch (const fs::filesystem_error& error) {
    throw InputError(
        {error.path1().string(), 0, 0},
        fmt::format("TMPDIR, TMP, TEMP or TEMPDIR says that temporary files go there, but they cannot: {}",
                    error.code().message()));
  }
}

}  // namespace

NamelessFile::~NamelessFile() {
  if (file_ >= 0) close(file_);
}

void NamelessFile::open() {
  if (file_ >= 0) return;
  if (folder_.empty()) folder_ = temporary_folder();
  std::string name = folder_ + "/.heddle-XXXXXX";
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) fail("written");
  unlink(name.c_str());
}

std::uint64_t NamelessFile::append(std::string_view bytes) {
  open();
  const std::uint64_t begin = end_;
  if (!write_all_at(file_, end_, bytes)) fail("written");
  end_ += bytes.size();
  return begin;
}

void NamelessFile::read(std::uint64_t offset, char* to, std::size_t size) const {
  while (size != 0) {
    const ssize_t got = pread(file_, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read");
    offset += static_cast<std::uint64_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

void NamelessFile::forget() {
  end_ = 0;
  if (file_ >= 0 && ftruncate(file_, 0) != 0) fail("emptied");
}

void NamelessFile::fail(std::string_view what) const {
  throw InputError({folder_, 0, 0},
                   fmt::format("no temporary file can be {} there: {}", what, std::strerror(errno)));
}

}  // namespace heddle::trace
