// The SHA-256 of files and texts.
#pragma once

#include <string>

namespace heddle::command {

/// The SHA-256 of a file in hexadecimal digits, as sha256sum prints it. Reads the file piece by piece. Throws
/// InputError if it cannot be read.
std::string sha256_of_file(const std::string& path);

/// The SHA-256 of a text.
std::string sha256_of_text(const std::string& text);

}  // namespace heddle::command
