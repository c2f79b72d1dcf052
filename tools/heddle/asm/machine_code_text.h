// Listings of machine code, as nvdisasm prints them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::command {

/// The listing of a .cubin, or of one kernel of it. Messages call it `file`. Throws InputError if an
/// instruction's encoding is not known: none is left out.
std::string machine_code_as_text(std::string_view bytes, const std::string& file,
                                 const std::optional<std::string>& entry);

}  // namespace heddle::command
