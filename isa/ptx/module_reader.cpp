#include "isa/ptx/module_reader.h"

#include <fmt/format.h>

#include <limits>

#include "isa/base/quoted.h"
#include "isa/base/read_number.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/directive_reader.h"
#include "isa/ptx/initializer_reader.h"

namespace heddle::ptx {

namespace {

/// Images in fat binaries are filled up with zeros.
Module make_module(std::string text, const std::string& file) {
  while (text.ends_with('\0')) text.pop_back();
  Module module;
  module.file = file;
  module.text = std::make_shared<const std::string>(std::move(text));
  return module;
}

/// A variable may be declared as .extern beside its definition, and .weak and .common more than once.
bool may_repeat(Linkage linkage) {
  return linkage == Linkage::Extern || linkage == Linkage::Weak || linkage == Linkage::Common;
}

}  // namespace

ModuleReader::ModuleReader(std::string text, const std::string& file)
    : module_(make_module(std::move(text), file)),
      file_(file),
      tokens_(*module_.text),
      mistakes_(*module_.text, file_),
      functions_(tokens_, names_, module_, mistakes_) {}

Module ModuleReader::read() {
  if (!tokens_.peek().is_dot("version")) mistakes_.add(tokens_.peek(), "a PTX file begins with .version");
  while (!tokens_.is_at_end() && !mistakes_.is_full()) {
    const TokenReader before = tokens_;
    try {
      read_item();
    } catch (const Mistake& mistake) {
      mistakes_.add(mistake);
      tokens_ = before;
      skip_item();
    }
  }
  mistakes_.throw_if_any();
  name_inlined_functions();
  return std::move(module_);
}

/// Goes on behind an item with a mistake. Directives of the head end with their line, others at a semicolon.
void ModuleReader::skip_item() {
  const Token first = tokens_.peek();
  const bool is_line = first.is_dot("version") || first.is_dot("target") || first.is_dot("address_size") ||
                       first.is_dot("file");
  if (!is_line) return tokens_.skip_declaration();
  tokens_.take();
  tokens_.skip_line(first);
}

void ModuleReader::read_item() {
  const Token first = tokens_.peek();
  if (tokens_.accept(';')) return;
  if (first.is_symbol('@')) return pass_over(tokens_, module_.notes);  // @@DWARF of very old files
  if (!first.is(Token::Kind::DotWord))
    fail_expected("a directive such as .visible, .entry, .func or .global", first);
  read_directive(first);
}

void ModuleReader::read_directive(const Token& word) {
  if (read_head_directive(word)) return;
  const Linkage linkage = read_linkage(tokens_);
  const Token& next = tokens_.peek();
  if (next.is_dot("entry") || next.is_dot("func")) return functions_.read(linkage);
  if (begins_variable(next)) return read_variables(linkage);
  if (linkage != Linkage::None) fail_expected("'.entry', '.func' or a state space such as '.global'", next);
  pass_over(tokens_, module_.notes);
}

bool ModuleReader::read_head_directive(const Token& word) {
  if (tokens_.accept_dot("version")) {
    read_version();
  } else if (tokens_.accept_dot("target")) {
    read_target();
  } else if (tokens_.accept_dot("address_size")) {
    read_address_size();
  } else if (tokens_.accept_dot("file")) {
    read_file();
  } else if (tokens_.accept_dot("section")) {
    read_section();
  } else if (tokens_.accept_dot("alias")) {
    read_alias();
  } else if (tokens_.accept_dot("pragma")) {
    module_.pragmas.push_back(read_pragma(tokens_, word));
  } else {
    return false;
  }
  return true;
}

void ModuleReader::read_version() {
  const Token number = tokens_.expect(Token::Kind::Number, "a version such as 8.0");
  const std::size_t dot = number.text.find('.');
  const auto major = number_in<std::uint32_t>(number.text.substr(0, dot));
  const auto minor =
      dot == std::string_view::npos ? std::nullopt : number_in<std::uint32_t>(number.text.substr(dot + 1));
  if (!major || !minor) fail_expected("a version such as 8.0", number);
  module_.version_major = *major;
  module_.version_minor = *minor;
}

void ModuleReader::read_target() {
  do {
    module_.targets.emplace_back(tokens_.expect(Token::Kind::Word, "a target such as sm_80").text);
  } while (tokens_.accept(','));
}

void ModuleReader::read_address_size() {
  const Token number = tokens_.peek();
  const std::uint64_t size = read_count(tokens_, "an address size", 64);
  if (size != 32 && size != 64) fail(number, fmt::format("an address size is 32 or 64, found {}", size));
  module_.address_size = static_cast<std::uint32_t>(size);
}

/// 1 "path", perhaps with a time and a size.
void ModuleReader::read_file() {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  SourceFile file;
  file.number = static_cast<std::uint32_t>(
      read_count(tokens_, "the number of a file", std::numeric_limits<std::uint32_t>::max()));
  file.path = tokens_.expect(Token::Kind::String, "a path in quotes").inner();
  while (tokens_.accept(',')) read_count(tokens_, "a time or a size", kMost);
  module_.files.push_back(std::move(file));
}

void ModuleReader::read_section() {
  const Token name = tokens_.take();
  if (!name.is(Token::Kind::DotWord) && !name.is(Token::Kind::Word)) fail_expected("a section's name", name);
  const Token brace = tokens_.peek();
  if (!brace.is_symbol('{')) fail_expected("'{'", brace);
  if (name.is_dot("debug_str")) return strings_.read(tokens_);
  if (!tokens_.skip_block()) fail(brace, "a section that never ends: '{' without '}'");
}

void ModuleReader::read_alias() {
  Alias alias;
  const Token name = tokens_.expect(Token::Kind::Word, "a name");
  alias.name = name.text;
  alias.place = name.place;
  tokens_.expect(',');
  alias.target = tokens_.expect(Token::Kind::Word, "a function").text;
  tokens_.expect(';');
  module_.aliases.push_back(std::move(alias));
}

void ModuleReader::read_variables(Linkage linkage) {
  const DeclarationHead head = read_declaration_head(tokens_, linkage);
  if (head.like.space == StateSpace::Reg || head.like.space == StateSpace::Local) {
    fail(head.first, fmt::format("{} stands in functions only", quoted(head.first.text)));
  }
  do {
    Variable variable = head.like;
    const Token name = read_declarator(tokens_, variable);
    add(name, std::move(variable));
  } while (tokens_.accept(','));
  tokens_.expect(';', "',' or ';'");
}

/// Adds a variable and reads its initialiser, if it has one.
void ModuleReader::add(const Token& name, Variable variable) {
  const std::uint32_t index = declare(name, variable);
  if (index == module_.variables.size()) {
    module_.variables.push_back(std::move(variable));
  } else if (variable.linkage != Linkage::Extern) {
    module_.variables[index] = std::move(variable);
  }
  if (tokens_.accept('=')) read_initializer(tokens_, names_, module_.variables[index]);
}

/// The variable's index: that of a declaration before, or the next one.
std::uint32_t ModuleReader::declare(const Token& name, const Variable& variable) {
  const auto known = names_.symbol(name.text);
  if (known && known->kind == SymbolRef::Kind::ModuleVariable && known->index < module_.variables.size()) {
    if (may_repeat(variable.linkage) || may_repeat(module_.variables[known->index].linkage))
      return known->index;
  }
  const auto index = static_cast<std::uint32_t>(module_.variables.size());
  names_.declare(name, {SymbolRef::Kind::ModuleVariable, index});
  return index;
}

void ModuleReader::name_inlined_functions() {
  for (Function& function : module_.functions) {
    for (SourceLine& line : function.source_lines) {
      if (!line.function.empty()) line.function = strings_.text_at(line.function);
    }
  }
}

Module read_module(std::string text, const std::string& file) {
  return ModuleReader(std::move(text), file).read();
}

std::string source_line(const Module& module, Place place) {
  if (place.line == 0 || module.text == nullptr) return {};
  const std::string_view text = *module.text;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  return line_around(text, begin);
}

}  // namespace heddle::ptx
