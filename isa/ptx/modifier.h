// The vocabulary of words behind an instruction's name, types and state spaces among them. From
// modifiers.def.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::ptx {

/// What the values of a type are.
enum class TypeKind : std::uint8_t {
  None,  ///< the word is no type
  Bits,
  Unsigned,
  Signed,
  Float,
  Predicate,
  Packed,  ///< several values in one register: .f16x2, .e4m3x2
  Opaque,  ///< a reference to a texture, sampler or surface
};

/// Every word of the table. A word that the table does not have is Unknown.
enum class Modifier : std::uint16_t {
#define MODIFIER(name, word) name,
#define TYPE(name, word, bits, kind) name,
#include "isa/ptx/modifiers.def"
#undef MODIFIER
#undef TYPE
  Shape,    ///< .m16n8k16, .m8n8: the numbers are in Instruction::shape
  Unknown,  ///< the word is in Instruction::unknown_words
  kCount
};

/// A row of modifiers.def.
struct ModifierInfo {
  std::string_view word;  ///< Without the dot.
  /// A type's bits of one value (of both, where two are packed); 0 if the word is no type.
  std::uint16_t bits;
  TypeKind kind;
};

const ModifierInfo& info(Modifier modifier);

inline bool is_type(Modifier modifier) { return info(modifier).kind != TypeKind::None; }

/// The modifier of a word without its dot; Unknown if the table has none. Shapes are not looked for.
Modifier find_modifier(std::string_view word);

/// The dimensions of a matrix instruction's tile, as in .m16n8k16. k is 0 for .m8n8.
struct MatrixShape {
  std::uint16_t m = 0;
  std::uint16_t n = 0;
  std::uint16_t k = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// The modifiers of one instruction in the order of the text.
class ModifierList {
 public:
  static constexpr std::size_t kMost = 22;

  void add(Modifier modifier) {
    assert(count_ < kMost);
    list_[count_++] = modifier;
  }
  [[nodiscard]] bool is_full() const { return count_ == kMost; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Modifier operator[](std::size_t i) const { return list_[i]; }
  [[nodiscard]] const Modifier* begin() const { return list_.data(); }
  [[nodiscard]] const Modifier* end() const { return list_.data() + count_; }

  [[nodiscard]] bool has(Modifier modifier) const {
    for (const Modifier each : *this) {
      if (each == modifier) return true;
    }
    return false;
  }

  /// The n-th type among them, from 0: cvt.rn.f32.s32 has F32 and S32. Unknown if there are fewer.
  [[nodiscard]] Modifier type(std::size_t n = 0) const;

 private:
  std::array<Modifier, kMost> list_{};
  std::uint8_t count_ = 0;
};

}  // namespace heddle::ptx
