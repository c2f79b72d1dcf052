#include "tools/cuda/runtime/device_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "isa/ir/printed_output.h"
#include "isa/ir/system_variables.h"

namespace heddle::cudart {

namespace {

/// What the device calls an address, the host does, too.
std::string text_at(std::uint64_t address) { return reinterpret_cast<const char*>(address); }

}  // namespace

bool DeviceOutput::print() {
  ir::PrintedOutput output;
  for (const std::span<std::byte> variable : variables_) output += ir::take_printed(variable, text_at);
  if (!output.text.empty()) {
    std::fputs(output.text.c_str(), stdout);
    std::fflush(stdout);
  }
  std::fputs(output.assertions.c_str(), stderr);
  if (output.lost != 0)
    std::fputs(
        fmt::format("heddle: {} calls of printf in kernels are lost: {} bytes of output are kept until "
                    "the host waits\n",
                    output.lost, ir::kOutputBytes)
            .c_str(),
        stderr);
  return !output.assertions.empty();
}

}  // namespace heddle::cudart
