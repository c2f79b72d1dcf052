// Launch files have sizes at which they show on a large GPU what they are for. Tests run most of them at
// smaller ones.
#pragma once

#include <string_view>

#include "isa/base/override.h"

namespace heddle::examples {

/// {"n=65536"} of "vecadd"; empty for those that are tested as they are.
Overrides tested_size(std::string_view example);

}  // namespace heddle::examples
