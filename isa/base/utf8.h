// UTF-8 for files whose readers refuse anything else. Names in kernels and file systems may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// The text, with a question mark for each byte that is in no UTF-8 character.
std::string as_utf8(std::string_view text);

}  // namespace heddle
