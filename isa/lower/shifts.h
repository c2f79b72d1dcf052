// Shifts of 64 bits. Amounts beyond the width shift all bits out, as PTX has it.
#pragma once

#include "isa/lower/builder.h"

namespace heddle::lower {

void shift_left(Builder& builder, const Words& to, const Words& value, const Operand& amount);
void shift_right(Builder& builder, const Words& to, const Words& value, const Operand& amount,
                 bool is_signed);

}  // namespace heddle::lower
