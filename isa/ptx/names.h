// What the names of a module stand for, scope by scope: registers, variables, parameters and functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/lexer.h"

namespace heddle::ptx {

/// Names are views of the module's text. The outermost scope is the module's.
class Names {
 public:
  void enter() { scopes_.push_back(undo_.size()); }
  void leave();

  // These throw Mistake if the scope has the name already.
  void declare(const Token& name, SymbolRef symbol);
  void declare_register(const Token& name, std::uint32_t index);
  /// `%r<100>`: the registers %r0 to %r99, which become those of a function when they are used.
  void declare_registers(const Token& name, std::uint64_t count, const Register& like);

  /// The variable, parameter or function of that name.
  [[nodiscard]] std::optional<SymbolRef> symbol(std::string_view name) const;
  /// The register of that name. One of a range is added to the function when it is first asked for.
  std::optional<std::uint32_t> find_register(std::string_view name, Function& function);

  /// "'%r9' is not declared; %r<5> are %r0 to %r4"
  [[nodiscard]] std::string undeclared(std::string_view name) const;

 private:
  /// The registers that `%r<100>` declares.
  struct Range {
    std::uint64_t count = 0;
    Register like;
    std::size_t depth = 0;
    std::uint32_t outer = kNone;  // the next one of that base around this one that has more registers
    std::size_t hidden = 0;       // how many there are around it
    std::unordered_map<std::uint64_t, std::uint32_t> used;
  };
  /// What a name stands for in the innermost scope that has it.
  struct Binding {
    SymbolRef symbol;
    std::uint32_t reg = kNone;    // a register
    std::uint32_t range = kNone;  // or a range of them
    std::size_t depth = 0;        // how deep its scope lies
  };
  using Map = std::unordered_map<std::string_view, Binding>;
  /// What a name stood for before the current scope declared it, to be restored when the scope ends.
  struct Undo {
    Map* map;
    std::string_view name;
    std::optional<Binding> before;
  };
  /// A name such as %r9 as a number in a range.
  struct Numbered {
    std::uint32_t range = kNone;
    std::uint64_t number = 0;
    bool is_declared = false;  // the range has it
  };

  void bind(Map& map, const Token& name, Binding binding);
  [[nodiscard]] Numbered in_range(std::string_view name) const;

  Map names_;
  Map bases_;  // the part of a name before its number, for ranges
  std::vector<Range> ranges_;
  std::vector<Undo> undo_;
  std::vector<std::size_t> scopes_;
};

/// A scope that ends with this object.
class NameScope {
 public:
  explicit NameScope(Names& names) : names_(names) { names_.enter(); }
  ~NameScope() { names_.leave(); }
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

 private:
  Names& names_;
};

}  // namespace heddle::ptx
