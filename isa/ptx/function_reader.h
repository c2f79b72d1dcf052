// Parses kernels, functions and their prototypes.
#pragma once

#include "isa/ptx/mistakes.h"
#include "isa/ptx/module.h"
#include "isa/ptx/names.h"
#include "isa/ptx/token_reader.h"
#include "isa/ptx/variable_reader.h"

namespace heddle::ptx {

/// Reads functions into a module.
class FunctionReader {
 public:
  /// All must outlive this object.
  FunctionReader(TokenReader& tokens, Names& names, Module& module, Mistakes& mistakes)
      : tokens_(tokens), names_(names), module_(module), mistakes_(mistakes) {}

  /// Reads a function from .entry or .func on. Throws Mistake if its head is wrong; mistakes of its body are
  /// collected.
  void read(Linkage linkage);

 private:
  /// What stands before a function's body: linkage, name, results, parameters, directives.
  struct Head {
    Function function;
    Token name;
    std::vector<Token> returns;
    std::vector<Token> parameters;
  };

  Head read_head(Linkage linkage);
  std::uint32_t declare(Head& head, bool has_body);
  void read_body(const Head& head, Function& function);
  void declare_parameters(std::vector<Variable>& variables, const std::vector<Token>& names,
                          SymbolRef::Kind kind, Function& function);

  TokenReader& tokens_;
  Names& names_;
  Module& module_;
  Mistakes& mistakes_;
};

}  // namespace heddle::ptx
