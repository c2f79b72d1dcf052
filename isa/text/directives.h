// The directives of a kernel: .param, .param_base, .shared, .const, .local, .registers, .banked.
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads what follows the directive's name. Throws Mistake, also for a name that is no directive.
void read_directive(const Token& directive, StatementReader& reader, KernelDraft& draft);

}  // namespace heddle::text
