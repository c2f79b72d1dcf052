// Reads files that the user names.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace heddle {

/// Whether a pipe, such as a shell's <(...), is accepted. A pipe can be read only once and from its start.
enum class Pipes : std::uint8_t { Refused, Read };

/// Opens a file for reading. Directories and devices are refused. Throws InputError.
std::ifstream open_file(const std::string& path, Pipes pipes = Pipes::Refused);

/// Reads a whole file. Throws InputError, also if the file has more than `most_bytes`.
std::string read_file(const std::string& path, Pipes pipes = Pipes::Refused,
                      std::uint64_t most_bytes = std::uint64_t{64} << 20);

/// Removes the byte order mark that programs on Windows put before UTF-8 text. Throws InputError for UTF-16
/// text.
std::string_view without_byte_order_mark(std::string_view text, const std::string& file);

}  // namespace heddle
