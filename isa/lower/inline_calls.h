// Replaces the calls of a PTX function by what they call.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "isa/lower/call_graph.h"
#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Inlines the functions that others call, those of the library (library.h) included, but not those that are
/// linked (call_graph.h): calls of these remain, as append_call (pass_arguments.h) makes them. Functions
/// without a body are refused.
class Inliner {
 public:
  /// All must outlive this.
  Inliner(const ptx::Module& module, const CallGraph& graph, const Target& target, Refusals& refusals)
      : module_(module), graph_(graph), target_(target), refusals_(refusals) {}

  /// The function with the bodies of all functions that it calls, which is kept.
  const ptx::Function& flattened(const ptx::Function& function) { return flattened(module_, function); }

 private:
  /// What a call leads to, and the module that it is in.
  struct Callee {
    const ptx::Module* module = nullptr;
    const ptx::Function* function = nullptr;
  };

  const ptx::Function& flattened(const ptx::Module& module, const ptx::Function& function);
  ptx::Function flatten(const ptx::Module& module, const ptx::Function& function);
  void append(ptx::Function& into, const ptx::Module& module, const ptx::Function& function,
              const ptx::Instruction& instruction);
  bool expand(ptx::Function& into, const ptx::Instruction& instruction);
  [[nodiscard]] Callee callee_of(const ptx::Module& module, const ptx::Instruction& instruction);
  [[nodiscard]] bool stays(const ptx::Module& module, const ptx::Instruction& call) const;

  const ptx::Module& module_;
  const CallGraph& graph_;
  const Target& target_;
  Refusals& refusals_;
  std::map<const ptx::Function*, ptx::Function> done_;
  std::map<std::string, std::unique_ptr<const ptx::Module>> expansions_;  // by their text (expansion.h)
};

}  // namespace heddle::lower
