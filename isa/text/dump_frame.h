// What cuobjdump -sass and nvdisasm print around the instructions of a function: heads, rules, directives.
#pragma once

#include <optional>
#include <string_view>

#include "isa/text/statement_reader.h"

namespace heddle::text {

struct FrameLine {
  enum class Kind : std::uint8_t {
    PassedOver,  ///< Says nothing that a simulator needs.
    Machine,     ///< What compute capability the code is for.
    Function,    ///< A function begins.
    Section,     ///< A section of the object file begins; one of code holds a function.
    End,         ///< The function has ended.
  };

  Kind kind = Kind::PassedOver;
  Token name;               ///< Of a function or section.
  unsigned capability = 0;  ///< 90 of sm_90 and sm_90a.
  std::string_view text;    ///< The whole line.
};

/// Takes the line off, if it is one that frames functions. What an instruction or a directive of ours can
/// look like is none.
std::optional<FrameLine> take_frame_line(StatementReader& reader);

/// The name of the function whose code the section holds; empty if it holds none.
std::string_view function_of_section(std::string_view section);

}  // namespace heddle::text
