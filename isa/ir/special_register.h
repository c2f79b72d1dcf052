// The vocabulary of special registers, made from special_registers.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::ir {

/// What S2R and CS2R read: SR_TID.X, SR_CTAID.X, SR_LANEID ...
enum class SpecialRegister : std::uint8_t {
#define SPECIAL_REGISTER(name, text, summary) name,
#include "isa/ir/special_registers.def"
#undef SPECIAL_REGISTER
  kCount
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(SpecialRegister::kCount)>
    kSpecialRegisterNames = {{
#define SPECIAL_REGISTER(name, text, summary) text,
#include "isa/ir/special_registers.def"
#undef SPECIAL_REGISTER
    }};

}  // namespace heddle::ir
