// A PTX file as it is written: what it declares and its instructions. Nothing is lowered or checked for
// meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/place.h"
#include "isa/ptx/variable.h"

namespace heddle::ptx {

/// .file: a source file that .loc names by its number.
struct SourceFile {
  std::uint32_t number = 0;
  std::string path;
};

/// .alias: another name for a function.
struct Alias {
  std::string name;
  std::string target;
  Place place;
};

/// Something that was passed over because it does not change what the code does.
struct Note {
  std::string text;
  Place place;
};

/// A PTX file.
struct Module {
  std::string file;  ///< Its name, for messages.
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::vector<std::string> targets;  ///< "sm_80", "texmode_independent", "debug"
  std::uint32_t address_size = 64;   ///< 32 or 64
  std::vector<SourceFile> files;
  std::vector<Variable> variables;
  /// In the order of their first declarations. A prototype and its definition are one.
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::vector<Directive> pragmas;  ///< .pragma outside of functions
  std::vector<Note> notes;
  std::shared_ptr<const std::string> text;  ///< What was read; Instruction::mnemonic is a view of it.
};

/// Reads PTX text. `file` is its name for messages. Throws InputError with all mistakes that were found.
/// An instruction or modifier that nobody knows is no mistake: it becomes Opcode::Unknown, Modifier::Unknown.
Module read_module(std::string text, const std::string& file);

/// The line of a module's text that a place names, for messages; empty if it is very long.
std::string source_line(const Module& module, Place place);

}  // namespace heddle::ptx
