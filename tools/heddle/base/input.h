// What the command reads whole: a file, or standard input where "-" is given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

inline constexpr std::string_view kStandardInput = "-";

/// A file, or standard input for "-". Throws InputError, also where it is larger than read_file takes.
std::string read_input(const std::string& path);
/// Standard input if "-" is one of these paths, nothing if not. Throws InputError.
std::string standard_input_of(const std::vector<std::string>& paths);
/// As messages name it: "<stdin>" for "-".
std::string input_name(const std::string& path);

}  // namespace heddle::command
