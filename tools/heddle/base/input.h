// Reads a whole input: a file, or standard input for "-".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

inline constexpr std::string_view kStandardInput = "-";

/// Reads a file, or standard input for "-". Throws InputError, also if it is larger than read_file allows.
std::string read_input(const std::string& path);
/// Standard input if "-" is one of these paths, else empty. Throws InputError.
std::string standard_input_of(const std::vector<std::string>& paths);
/// The name in messages: "<stdin>" for "-".
std::string input_name(const std::string& path);

}  // namespace heddle::command
