// Parses a PTX file outside of functions.
#pragma once

#include <string>

#include "isa/ptx/debug_strings.h"
#include "isa/ptx/function_reader.h"
#include "isa/ptx/mistakes.h"
#include "isa/ptx/module.h"
#include "isa/ptx/names.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Reads one file. Users call read_module() instead.
class ModuleReader {
 public:
  ModuleReader(std::string text, const std::string& file);

  /// The module. Throws InputError with all mistakes. May be called once.
  Module read();

 private:
  void read_item();
  void skip_item();
  void read_directive(const Token& word);
  bool read_head_directive(const Token& word);
  void read_version();
  void read_target();
  void read_address_size();
  void read_file();
  void read_section();
  void read_alias();
  void read_variables(Linkage linkage);
  void add(const Token& name, Variable variable);
  std::uint32_t declare(const Token& name, const Variable& variable);
  void name_inlined_functions();

  Module module_;
  std::string file_;
  TokenReader tokens_;
  Names names_;
  Mistakes mistakes_;
  DebugStrings strings_;
  FunctionReader functions_;
};

}  // namespace heddle::ptx
