// Files that are read as a whole.
#pragma once

#include <string>

namespace heddle::validate {

/// Throws InputError for a file that cannot be read or is larger than 64 MiB.
std::string read_text_file(const std::string& path);

}  // namespace heddle::validate
