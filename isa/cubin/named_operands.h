// Operands whose text needs more than a field of bits: addresses, constants, targets of jumps, special
// registers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::cubin {

class Reading;

/// A constant whose bank and place are in bits 38 to 58: c[0x0][0x160].
std::string constant_text(Reading& reading);

/// The operand of that name in a pattern. Nothing if its bits have no meaning that is known.
std::optional<std::string> named_operand(std::string_view name, Reading& reading);

}  // namespace heddle::cubin
