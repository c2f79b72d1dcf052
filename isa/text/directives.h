// Parses the directives of a kernel: .param, .param_base, .shared, .const, .local, .registers, .banked.
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads the rest of a directive after its name. Throws Mistake, also if the name is unknown.
void read_directive(const Token& directive, StatementReader& reader, KernelDraft& draft);

}  // namespace heddle::text
