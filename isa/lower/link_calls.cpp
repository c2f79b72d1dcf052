#include "isa/lower/link_calls.h"

#include <map>

#include "isa/lower/append_function.h"
#include "isa/lower/inline_calls.h"
#include "isa/lower/pass_arguments.h"
#include "isa/lower/ptx_statements.h"
#include "isa/lower/splice.h"

namespace heddle::lower {

namespace {

using ptx::Opcode;

void end_by_exit(ptx::Function& kernel) {
  for (ptx::Instruction& instruction : kernel.body) {
    if (instruction.opcode == Opcode::Ret) instruction.opcode = Opcode::Exit;
  }
}

/// What follows is not fallen into.
void close(ptx::Function& kernel) {
  ptx::Instruction like;
  like.place = kernel.end;
  kernel.body.push_back(Statements(like).make(Opcode::Exit, {}, {}));
}

ptx::Function called_form(const ptx::Function& function, Inliner& inliner) {
  CalledFrame frame = begin_called(function);
  splice(frame.function, frame.call, inliner.flattened(function));
  end_called(frame, function);
  return std::move(frame.function);
}

}  // namespace

ptx::Function link_calls(const ptx::Module& module, const ptx::Function& entry, const Target& target,
                         Refusals& refusals) {
  const CallGraph graph(module, entry);
  Inliner inliner(module, graph, target, refusals);
  ptx::Function whole = inliner.flattened(entry);
  end_by_exit(whole);
  const std::vector<std::uint32_t> linked = graph.linked();
  if (linked.empty()) return whole;
  close(whole);
  std::map<std::uint32_t, std::uint32_t> starts;
  for (const std::uint32_t function : linked)
    starts[function] = append_function(whole, called_form(module.functions[function], inliner));
  unify_passed(whole);
  for (ptx::Instruction& instruction : whole.body) {
    if (instruction.opcode == Opcode::Call)
      instruction.operands.assign(1, label_operand(starts.at(instruction.operands[0].symbol.index)));
  }
  return whole;
}

ptx::Function link_function(const ptx::Module& module, const ptx::Function& function, const Target& target,
                            Refusals& refusals) {
  const CallGraph graph(module, function);
  Inliner inliner(module, graph, target, refusals);
  if (!graph.linked().empty()) {
    refusals.add(function.place, "indirect and recursive calls are not supported in a function by itself");
    return {};
  }
  return called_form(function, inliner);
}

}  // namespace heddle::lower
