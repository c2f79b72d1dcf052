// Where in the text an operand stands, for messages of the verifier.
#pragma once

#include "isa/ir/verify.h"
#include "isa/text/lexer.h"

namespace heddle::text {

/// The parts of an operand that messages can be about. Of what is no word of the text, a token has a place
/// but no text.
struct OperandPlace {
  Token operand;  ///< From the sign on; of an address, behind the bracket.
  Token value;
  Token uniform;

  [[nodiscard]] const Token& of(ir::Part part) const {
    if (part == ir::Part::Value) return value;
    return part == ir::Part::Uniform ? uniform : operand;
  }
};

}  // namespace heddle::text
