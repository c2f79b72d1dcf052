// What the host says of itself and of this process.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// "AMD EPYC 7763 64-Core Processor", or "unknown processor".
std::string processor_name();

/// The words of the command line that started this process.
std::vector<std::string> own_command_line();

}  // namespace heddle
