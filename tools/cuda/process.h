// Runs another program without a shell.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

/// How another program ended, and what it wrote.
struct FinishedProgram {
  int exit_code = 0;   ///< 128 + the signal if one ended it.
  std::string output;  ///< Standard output.
  std::string errors;  ///< Standard error.
};

/// Runs the program with these arguments, of which the first is its path or its name in $PATH. It reads
/// nothing. Throws InputError if it cannot be started.
FinishedProgram run_program(const std::vector<std::string>& arguments);

/// The path of a program that stands in a folder of $PATH, or the text itself if it has a slash and can be
/// run. Empty if there is none.
std::string find_program(const std::string& name);

}  // namespace heddle::cuda
