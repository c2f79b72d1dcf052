// Lines that cuobjdump -sass and nvdisasm print around the instructions of a function: heads, rules,
// directives.
#pragma once

#include <optional>
#include <string_view>

#include "isa/text/statement_reader.h"

namespace heddle::text {

/// One such line.
struct FrameLine {
  /// What the line means.
  enum class Kind : std::uint8_t {
    PassedOver,  ///< Nothing that a simulator needs.
    Machine,     ///< The compute capability of the code.
    Function,    ///< A function begins.
    Section,     ///< A section of the object file begins; one of code holds a function.
    End,         ///< The function ends.
  };

  Kind kind = Kind::PassedOver;
  Token name;               ///< Name of a function or section.
  unsigned capability = 0;  ///< 90 for sm_90 and sm_90a.
  std::string_view text;    ///< The whole line.
};

/// Takes the line if it is such a line. A line that could be an instruction or one of Heddle's directives is
/// never taken.
std::optional<FrameLine> take_frame_line(StatementReader& reader);

/// The name of the function in a code section; empty for other sections.
std::string_view function_of_section(std::string_view section);

}  // namespace heddle::text
