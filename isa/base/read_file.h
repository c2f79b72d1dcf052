// Files that the user names.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace heddle {

/// Open for reading. Pipes are good, too; directories and devices are not. Throws InputError.
std::ifstream open_file(const std::string& path);

/// All of a file. Throws InputError, also where it has more bytes than that.
std::string read_file(const std::string& path, std::uint64_t most_bytes = std::uint64_t{64} << 20);

}  // namespace heddle
