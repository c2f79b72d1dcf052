// Operands of PTX instructions. Names are resolved: registers, variables, functions and labels are indices.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "isa/ptx/place.h"
#include "isa/ptx/special_register.h"

namespace heddle::ptx {

/// What a name stands for.
struct SymbolRef {
  /// The list that `index` counts in.
  enum class Kind : std::uint8_t {
    None,
    ModuleVariable,  ///< Module::variables
    Parameter,       ///< Function::parameters
    Return,          ///< Function::returns
    LocalVariable,   ///< Function::variables
    Function,        ///< Module::functions
  };

  Kind kind = Kind::None;
  std::uint32_t index = kNone;
  friend bool operator==(const SymbolRef&, const SymbolRef&) = default;
};

/// Parts of a register that a video instruction takes or writes: .b0, .h1, .b3210.
struct Selector {
  char unit = 0;  ///< 'b' or 'h'; 0 where there is no selector.
  std::uint8_t count = 0;
  std::array<std::uint8_t, 4> parts{};  ///< In the order of the text.
};

/// One operand.
struct Operand {
  /// What an operand is, and which fields hold it.
  enum class Kind : std::uint8_t {
    Register,         ///< reg; element, selector and negated may say more
    Sum,              ///< reg + offset(), outside of brackets: its value and a number, which ptxas takes, too
    SpecialRegister,  ///< special, number, element
    Integer,          ///< bits, is_negative
    Float,            ///< bits, is_single
    Symbol,           ///< symbol + offset(): an address, or a call's argument, function, or value of .param
    Address,  ///< [reg or symbol or neither, + offset()]; elements: what follows behind commas in brackets
    Element,  ///< a[reg + n]: symbol, reg, offset() = n times `stride` bytes. a[n] alone is a Symbol.
    Vector,   ///< {a, b}: elements
    Pair,     ///< p|q: elements, two of them
    Sink,     ///< _
    Label,    ///< index: of the instruction in Function::body (its size for the end)
    BranchTable,  ///< index: in Function::branch_tables
    CallTable,    ///< index: in Function::call_tables
    Prototype,    ///< index: in Function::prototypes
    List,         ///< (a, b): elements; only in call
  };

  static constexpr std::uint8_t kWhole = 0xff;

  Kind kind = Kind::Sink;
  bool negated = false;  ///< !p of a predicate, -a of a video instruction's register. Never set for numbers.
  bool is_negative = false;  ///< The integer is negative: bits are its two's complement.
  /// The float is written 0f...: bits are its 32 bits. Otherwise they are those of a double.
  bool is_single = false;
  std::uint8_t element = kWhole;  ///< .x .y .z .w or .r .g .b .a of a vector: 0 to 3.
  SpecialRegister special{};
  std::uint8_t number = 0;  ///< The special register's number: 5 for %envreg5.
  SymbolRef symbol;
  std::uint32_t reg = kNone;    ///< In Function::registers.
  std::uint32_t index = kNone;  ///< What Kind says.
  std::uint32_t stride = 0;     ///< Bytes of an element.
  std::uint64_t bits = 0;       ///< An integer's, a float's, or an offset's.
  Selector selector;
  Place place;
  std::vector<Operand> elements;

  [[nodiscard]] std::int64_t offset() const { return static_cast<std::int64_t>(bits); }

  /// The value of Kind::Float.
  [[nodiscard]] double float_value() const {
    return is_single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                     : std::bit_cast<double>(bits);
  }
};

}  // namespace heddle::ptx
