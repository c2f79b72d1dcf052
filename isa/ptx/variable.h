// Variables of PTX: of a module, of a function's body, and parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/modifier.h"
#include "isa/ptx/operand.h"
#include "isa/ptx/place.h"

namespace heddle::ptx {

/// The state spaces of PTX; Generic: an address that may be of any of them.
enum class StateSpace : std::uint8_t { Generic, Reg, Global, Const, Shared, Local, Param, Tex };

/// How a name is seen from other modules: .extern, .visible, .weak, .common.
enum class Linkage : std::uint8_t { None, Extern, Visible, Weak, Common };

/// A directive that is kept as it is: its name without the dot, and what follows.
struct Directive {
  std::string name;                    ///< "maxntid", "managed", "unified"
  std::vector<std::uint64_t> numbers;  ///< 256, 1, 1
  std::vector<std::string> texts;      ///< Quoted strings and words.
  Place place;
};

/// One element of an initialiser.
struct InitialValue {
  /// What the element is: a number, or the address of a symbol.
  enum class Kind : std::uint8_t { Integer, Float, Symbol };

  Kind kind = Kind::Integer;
  bool is_single = false;   ///< The float has 32 bits. Otherwise bits are those of a double.
  bool is_generic = false;  ///< generic(symbol): its generic address.
  std::uint64_t bits = 0;   ///< The number, or the bytes that are added to the symbol's address.
  /// 0xff00(symbol): these bits of the address, moved down to bit 0.
  std::uint64_t mask = ~std::uint64_t{0};
  SymbolRef symbol;         ///< A variable of the module or a function.
  std::uint64_t index = 0;  ///< Position in the variable in elements; gaps are zero.
  Place place;
};

/// What .ptr says about the parameter of a kernel.
struct PointerAttribute {
  bool is_pointer = false;
  StateSpace space = StateSpace::Generic;  ///< Generic if none is written.
  std::uint64_t alignment = 0;             ///< The alignment of what it points to; 0 if not written.
};

/// A variable or a parameter.
struct Variable {
  std::string name;
  StateSpace space = StateSpace::Generic;
  Linkage linkage = Linkage::None;
  Modifier type = Modifier::Unknown;  ///< The type of one element.
  std::uint8_t vector_width = 1;
  std::uint64_t alignment = 0;  ///< In bytes, as declared or the natural one.
  bool is_array = false;
  bool is_open = false;                   ///< The first dimension is []: its size comes from elsewhere.
  std::vector<std::uint64_t> dimensions;  ///< As written; the open one is 0.
  std::uint64_t elements = 1;             ///< The product of dimensions (vectors, where the type is one).
  PointerAttribute pointer;
  std::vector<Directive> attributes;  ///< .attribute(.managed), .attribute(.unified(1, 2))
  std::vector<InitialValue> initial;
  std::uint32_t reg = kNone;  ///< A parameter in space Reg: its register in Function::registers.
  Place place;

  /// Bytes of an element.
  [[nodiscard]] std::uint64_t element_bytes() const {
    return std::uint64_t{vector_width} * ((info(type).bits + 7U) / 8U);
  }
  /// Bytes of the whole; 0 where the size comes from elsewhere.
  [[nodiscard]] std::uint64_t bytes() const { return elements * element_bytes(); }
};

}  // namespace heddle::ptx
