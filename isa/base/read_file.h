// Files that the user names.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace heddle {

/// Whether a pipe, such as a shell's <(...), is as good as a file: who reads it once, from its start, can.
enum class Pipes : std::uint8_t { Refused, Read };

/// Open for reading. Directories and devices are refused. Throws InputError.
std::ifstream open_file(const std::string& path, Pipes pipes = Pipes::Refused);

/// All of a file. Throws InputError, also where it has more bytes than that.
std::string read_file(const std::string& path, Pipes pipes = Pipes::Refused,
                      std::uint64_t most_bytes = std::uint64_t{64} << 20);

}  // namespace heddle
