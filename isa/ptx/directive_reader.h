// Parses directives that are kept as they are, and those that nobody knows.
#pragma once

#include <string>
#include <vector>

#include "isa/ptx/module.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Reads the directives between a function's parameters and its body: .maxntid 256, 1, 1 and the like.
std::vector<Directive> read_function_directives(TokenReader& tokens);

/// Reads .attribute(.managed, .unified(1, 2)); the word itself has been taken.
void read_attributes(TokenReader& tokens, std::vector<Directive>& attributes);

/// Reads .pragma "a", "b"; the word itself has been taken.
Directive read_pragma(TokenReader& tokens, const Token& word);

/// Passes over a directive and says so. It comes next.
void pass_over(TokenReader& tokens, std::vector<Note>& notes);

}  // namespace heddle::ptx
