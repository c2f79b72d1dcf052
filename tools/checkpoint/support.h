// Where images of processes can be made, and where they go on.
#pragma once

#include <string>

namespace heddle::checkpoint {

/// Why no images can be made in this program on this machine; empty if they can.
std::string why_not();

/// What must be the same where an image goes on: kernel and processor.
std::string machine_text();

}  // namespace heddle::checkpoint
