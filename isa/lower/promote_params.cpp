#include "isa/lower/promote_params.h"

#include <map>
#include <optional>
#include <vector>

#include "isa/lower/moved_labels.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

/// The parts of one variable by their offsets: how many bytes each has.
struct Parts {
  std::map<std::uint64_t, std::uint32_t> bytes;
  std::map<std::uint64_t, std::uint32_t> registers;
  bool is_split = true;

  void add(std::uint64_t offset, std::uint32_t size) {
    const auto [found, is_new] = bytes.emplace(offset, size);
    if (found->second != size) is_split = false;
  }
  void check() {
    std::uint64_t end = 0;
    for (const auto& [offset, size] : bytes) {
      if (offset < end) is_split = false;
      end = offset + size;
    }
  }
};

bool is_access(const Instruction& instruction) {
  return (instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::St) &&
         (instruction.has(Modifier::Param) || instruction.has(Modifier::ParamFunc));
}

struct Access {
  const Operand* address;
  const Operand* data;
};

Access access_of(const Instruction& instruction) {
  const bool is_load = instruction.opcode == Opcode::Ld;
  return {&instruction.operands[is_load ? 1 : 0], &instruction.operands[is_load ? 0 : 1]};
}

Modifier bits_type(std::uint32_t bytes) {
  return bytes <= 2 ? Modifier::B16 : bytes == 4 ? Modifier::B32 : Modifier::B64;
}

class Promotion {
 public:
  explicit Promotion(ptx::Function& function) : function_(function), parts_(function.variables.size()) {}

  void run() {
    for (const Instruction& instruction : function_.body) look_at(instruction);
    for (Parts& parts : parts_) parts.check();
    make_registers();
    rewrite();
    for (std::size_t i = 0; i < function_.variables.size(); ++i) {
      if (function_.variables[i].space == ptx::StateSpace::Param && !parts_[i].is_split)
        function_.variables[i].space = ptx::StateSpace::Local;
    }
  }

 private:
  [[nodiscard]] bool is_param(const SymbolRef& symbol) const {
    return symbol.kind == SymbolRef::Kind::LocalVariable &&
           function_.variables[symbol.index].space == ptx::StateSpace::Param;
  }

  void look_at(const Instruction& instruction) {
    if (!is_access(instruction)) {
      for (const Operand& operand : instruction.operands) take_whole(operand);
      return;
    }
    const auto [address, data] = access_of(instruction);
    if (!is_param(address->symbol)) return;
    Parts& parts = parts_[address->symbol.index];
    if (address->reg != ptx::kNone) {
      parts.is_split = false;
      return;
    }
    const std::uint32_t size = ptx::info(instruction.type()).bits / 8U;
    const std::size_t count = data->kind == Kind::Vector ? data->elements.size() : 1;
    for (std::size_t i = 0; i < count; ++i) parts.add(address->bits + i * size, size);
  }

  void take_whole(const Operand& operand) {
    if (is_param(operand.symbol)) parts_[operand.symbol.index].is_split = false;
    for (const Operand& element : operand.elements) take_whole(element);
  }

  void make_registers() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (function_.variables[i].space != ptx::StateSpace::Param || !parts_[i].is_split) continue;
      for (const auto& [offset, size] : parts_[i].bytes) {
        parts_[i].registers[offset] = static_cast<std::uint32_t>(function_.registers.size());
        function_.registers.push_back({function_.variables[i].name, bits_type(size)});
      }
    }
  }

  /// A load becomes a copy, or an extension of a narrow number; a store a copy.
  [[nodiscard]] Instruction copy(const Instruction& access, const Operand& data, std::uint32_t part,
                                 std::uint32_t size) const {
    const bool is_load = access.opcode == Opcode::Ld;
    Operand reg;
    reg.kind = Kind::Register;
    reg.reg = part;
    Instruction made = access;
    made.modifiers = {};
    made.operands = is_load ? std::vector<Operand>{data, reg} : std::vector<Operand>{reg, data};
    made.opcode = Opcode::Mov;
    const Modifier type = access.type();
    const bool is_number = data.kind == Kind::Integer || data.kind == Kind::Float;
    const unsigned bits =
        data.kind == Kind::Register ? ptx::info(function_.registers[data.reg].type).bits : 8 * size;
    const bool has_sign = ptx::info(type).kind == ptx::TypeKind::Signed;
    if (is_number || bits == ptx::info(bits_type(size)).bits) {
      if (size > 1 || !is_load) {
        made.modifiers.add(bits_type(size));
        return made;
      }
    }
    // Between registers of different sizes, and of bytes.
    made.opcode = Opcode::Cvt;
    const auto integer = [&](unsigned wanted) {
      if (wanted <= 8) return has_sign ? Modifier::S8 : Modifier::U8;
      if (wanted <= 16) return has_sign ? Modifier::S16 : Modifier::U16;
      if (wanted <= 32) return has_sign ? Modifier::S32 : Modifier::U32;
      return has_sign ? Modifier::S64 : Modifier::U64;
    };
    const unsigned part_bits = ptx::info(bits_type(size)).bits;
    made.modifiers.add(integer(is_load ? bits : part_bits));
    made.modifiers.add(integer(is_load ? 8 * size : bits));
    return made;
  }

  void rewrite() {
    std::vector<Instruction> body;
    Moved starts;
    for (Instruction& instruction : function_.body) {
      starts.push_back(static_cast<std::uint32_t>(body.size()));
      const bool is_own = is_access(instruction) && is_param(access_of(instruction).address->symbol);
      if (!is_own) {
        body.push_back(std::move(instruction));
        continue;
      }
      const auto [address, data] = access_of(instruction);
      const Parts& parts = parts_[address->symbol.index];
      if (!parts.is_split) {
        make_local(instruction);
        body.push_back(std::move(instruction));
        continue;
      }
      const std::uint32_t size = ptx::info(instruction.type()).bits / 8U;
      const std::size_t count = data->kind == Kind::Vector ? data->elements.size() : 1;
      for (std::size_t i = 0; i < count; ++i) {
        const Operand& one = data->kind == Kind::Vector ? data->elements[i] : *data;
        if (one.kind == Kind::Sink) continue;
        body.push_back(copy(instruction, one, parts.registers.at(address->bits + i * size), size));
      }
    }
    starts.push_back(static_cast<std::uint32_t>(body.size()));
    function_.body = std::move(body);
    move_labels(function_, starts);
  }

  static void make_local(Instruction& instruction) {
    ptx::ModifierList changed;
    for (const Modifier modifier : instruction.modifiers) {
      const bool is_space = modifier == Modifier::Param || modifier == Modifier::ParamFunc;
      changed.add(is_space ? Modifier::Local : modifier);
    }
    instruction.modifiers = changed;
  }

  ptx::Function& function_;
  std::vector<Parts> parts_;
};

}  // namespace

void promote_params(ptx::Function& function) { Promotion(function).run(); }

}  // namespace heddle::lower
