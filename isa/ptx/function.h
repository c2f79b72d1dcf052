// Functions of PTX: kernels, functions that are called, and prototypes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/instruction.h"
#include "isa/ptx/place.h"
#include "isa/ptx/variable.h"

namespace heddle::ptx {

/// A register. What is declared as %r<100> appears here only as far as it is used.
struct Register {
  std::string name;
  Modifier type = Modifier::Unknown;
  std::uint8_t vector_width = 1;
};

/// A label of the body.
struct Label {
  std::string name;
  std::uint32_t index = 0;  ///< The instruction in Function::body that follows; its size at the end.
  Place place;
};

/// .branchtargets: the instructions that brx.idx chooses from.
struct BranchTable {
  std::string name;
  std::vector<std::uint32_t> targets;  ///< Indices into Function::body.
  Place place;
};

/// .calltargets: the functions that an indirect call chooses from.
struct CallTable {
  std::string name;
  std::vector<std::uint32_t> targets;  ///< Indices into Module::functions.
  Place place;
};

/// .callprototype: what an indirect call's function looks like.
struct Prototype {
  std::string name;
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
  std::vector<Directive> directives;
  Place place;
};

/// .pragma inside of a body.
struct Pragma {
  std::string text;         ///< "nounroll"
  std::uint32_t index = 0;  ///< The instruction that follows.
  Place place;
};

/// A kernel (.entry) or a function (.func). Registers and variables of nested blocks have been made different
/// ones, so that two may have the same name.
struct Function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  Linkage linkage = Linkage::None;
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
  /// .maxntid, .reqntid, .minnctapersm, .noreturn, .pragma before the body ...
  std::vector<Directive> directives;
  Place place;

  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< Declared in the body: .local, .shared, .param ...
  std::vector<Instruction> body;
  std::vector<Label> labels;
  std::vector<BranchTable> branch_tables;
  std::vector<CallTable> call_tables;
  std::vector<Prototype> prototypes;
  std::vector<Pragma> pragmas;
  std::vector<SourceLine> source_lines;
  Place end;  ///< The closing brace of the body.
};

}  // namespace heddle::ptx
