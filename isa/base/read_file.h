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

/// What a program on Windows puts before a text in UTF-8 is left out. Throws InputError if it is UTF-16 that
/// it wrote.
std::string_view without_byte_order_mark(std::string_view text, const std::string& file);

}  // namespace heddle
