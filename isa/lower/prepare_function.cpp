#include "isa/lower/prepare_function.h"

#include "isa/lower/call_frames.h"
#include "isa/lower/dynamic_stack.h"
#include "isa/lower/link_calls.h"
#include "isa/lower/promote_params.h"
#include "isa/lower/unroll_loops.h"

namespace heddle::lower {

PreparedFunction prepare_function(const ptx::Module& module, const ptx::Function& entry, const Target& target,
                                  Refusals& refusals) {
  PreparedFunction made{link_calls(module, entry, target, refusals), std::nullopt};
  make_dynamic_stack(made.function, refusals);
  promote_params(made.function);
  unroll_loops(made.function);
  made.stack = make_call_frames(made.function, refusals);
  return made;
}

}  // namespace heddle::lower
