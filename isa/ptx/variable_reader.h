// Parses declarations of variables, registers and parameters.
#pragma once

#include <optional>
#include <vector>

#include "isa/ptx/names.h"
#include "isa/ptx/token_reader.h"
#include "isa/ptx/variable.h"

namespace heddle::ptx {

/// What the words of a declaration say of all its variables.
struct DeclarationHead {
  Token first;
  Variable like;
};

/// Whether the word is .extern, .visible, .weak or .common.
bool is_linkage(const Token& word);

/// Reads words of linkage; None if there are none. Throws Mistake.
Linkage read_linkage(TokenReader& tokens);

/// Whether a declaration of a variable begins with the word, its linkage left out.
bool begins_variable(const Token& word);

/// Reads the words in front of the name: .global .align 4 .v2 .f32. Throws Mistake.
DeclarationHead read_declaration_head(TokenReader& tokens, Linkage linkage);

/// Reads a variable's name with its dimensions. Throws Mistake.
Token read_declarator(TokenReader& tokens, Variable& variable);

/// Reads the count of `%r<100>` behind the name; nothing if there is none. Throws Mistake.
std::optional<std::uint64_t> read_register_count(TokenReader& tokens);

/// Parameters, and their names in the text.
struct ParameterList {
  std::vector<Variable> variables;
  std::vector<Token> names;
};

/// Reads a list of parameters in parentheses, which must come next. Throws Mistake.
ParameterList read_parameters(TokenReader& tokens);

}  // namespace heddle::ptx
