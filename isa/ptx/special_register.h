// The predefined, read-only registers of PTX, from special_registers.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/ptx/modifier.h"

namespace heddle::ptx {

/// The rows of special_registers.def.
enum class SpecialRegister : std::uint8_t {
#define SPECIAL_REGISTER(name, word, type, width) name,
#include "isa/ptx/special_registers.def"
#undef SPECIAL_REGISTER
  kCount
};

/// One row of that table.
struct SpecialRegisterInfo {
  std::string_view word;  ///< With its %, without a number: "%tid", "%envreg".
  Modifier type;
  std::uint8_t width;  ///< 4 for a vector such as %tid, otherwise 1.
};

const SpecialRegisterInfo& info(SpecialRegister special);

/// A special register, and its number where there are several: %envreg5, %pm3.
struct SpecialRegisterName {
  SpecialRegister special;
  std::uint8_t number = 0;
};

/// Nothing if the word is no special register.
std::optional<SpecialRegisterName> find_special_register(std::string_view word);

}  // namespace heddle::ptx
