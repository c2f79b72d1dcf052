// The regular files that a process has open, beside its standard streams.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace heddle::checkpoint {

/// One of them.
struct OpenFile {
  int descriptor = -1;
  int flags = 0;  ///< Of open().
  long position = 0;
  std::array<char, 1024> path{};
};

/// All of them.
struct OpenFiles {
  static constexpr std::size_t kMost = 64;
  std::size_t count = 0;
  std::array<OpenFile, kMost> files{};
};

/// Those that are open now. Throws InputError, which names `path`, if one has no name any more, or there are
/// too many.
OpenFiles open_files(const std::string& path);

/// Opens them again under their descriptors, at their positions. `kept` moves to another descriptor, which is
/// returned. Throws InputError.
int reopen(const OpenFiles& files, int kept, const std::string& path);

}  // namespace heddle::checkpoint
