// The PTX in an image of device code.
#pragma once

#include <string>

namespace heddle::cudart {

/// Images are PTX text, as heddle cuda embeds it. Throws Failure if it is anything else.
std::string ptx_of(const void* image);

}  // namespace heddle::cudart
