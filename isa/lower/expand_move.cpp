// Moves of 128 bits and of vectors, loads and stores of 32 bytes, addresses in clusters, which have one block
// each.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

/// All modifiers, but for one that another one stands for.
std::string modifiers_of(const Instruction& i, Modifier from, std::string_view to) {
  std::string text;
  for (const Modifier one : i.modifiers) {
    text += '.';
    text += one == from ? to : ptx::info(one).word;
  }
  return text;
}

/// mov.b128 of two pairs of words, as split_wide_registers() leaves it.
std::optional<Expansion> expand_wide_mov(const Instruction& i) {
  if (i.operands[0].elements.size() != 2 || i.operands[1].elements.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b64", "%d0", i.operands[0].elements[0]);
  w.result("b64", "%d1", i.operands[0].elements[1]);
  w.argument("b64", "%a0", i.operands[1].elements[0]);
  w.argument("b64", "%a1", i.operands[1].elements[1]);
  w.add("mov.b64 %d0, %a0;\nmov.b64 %d1, %a1;");
  return w.finish();
}

/// How many bytes a vector has; 0 of what is none.
std::size_t vector_bytes(const Instruction& i, const ptx::Operand& data) {
  return data.kind == Kind::Vector ? bits_of(i.type()) / 8 * data.elements.size() : 0;
}

struct WideAccess {
  Modifier vector;   ///< .v8 or .v4,
  const char* half;  ///< and that of the halves.
  std::string type;  ///< The elements' registers.
  std::int64_t offset = 0;
};

std::optional<WideAccess> wide_access(ExpansionWriter& w, const Instruction& i, const ptx::Operand& data,
                                      const ptx::Operand& address) {
  if (vector_bytes(i, data) != 32) return std::nullopt;
  const auto offset = w.address("%at", address);
  if (!offset) return std::nullopt;
  const bool has_eight = data.elements.size() == 8;
  return WideAccess{has_eight ? Modifier::V8 : Modifier::V4, has_eight ? "v4" : "v2",
                    fmt::format("b{}", bits_of(i.type())), *offset};
}

std::string half_of(std::size_t count, std::size_t half) {
  std::string list;
  for (std::size_t k = half * count / 2; k < (half + 1) * count / 2; ++k)
    list += fmt::format("{}%e{}", list.empty() ? "{" : ", ", k);
  return list + "}";
}

}  // namespace

std::optional<Expansion> expand_mov(const Instruction& i) {
  if (i.operands.size() != 2 || i.operands[0].kind != Kind::Vector) return std::nullopt;
  if (i.type() == Modifier::B128) return expand_wide_mov(i);
  if (i.operands[1].kind != Kind::SpecialRegister) return std::nullopt;
  ExpansionWriter w;
  for (std::size_t k = 0; k < i.operands[0].elements.size(); ++k) {
    const std::string to = fmt::format("%d{}", k);
    const std::string from = fmt::format("%a{}", k);
    ptx::Operand element = i.operands[1];
    element.element = static_cast<std::uint8_t>(k);
    w.result("b32", to, i.operands[0].elements[k]);
    w.argument("b32", from, element);
    w.add("mov.b32 {}, {};", to, from);
  }
  return w.finish();
}

/// ld.v8.b32 and ld.v4.b64: memory instructions have 16 bytes.
std::optional<Expansion> expand_wide_load(const Instruction& i) {
  if (i.operands.size() < 2) return std::nullopt;
  const ptx::Operand& data = i.operands[0];
  ExpansionWriter w;
  const auto access = wide_access(w, i, data, i.operands[1]);
  if (!access) return std::nullopt;
  for (std::size_t k = 0; k < data.elements.size(); ++k)
    w.result(access->type, fmt::format("%e{}", k), data.elements[k]);
  const std::string modifiers = modifiers_of(i, access->vector, access->half);
  for (std::size_t half = 0; half < 2; ++half) {
    w.add("ld{} {}, [%at+{}];", modifiers, half_of(data.elements.size(), half),
          access->offset + 16 * static_cast<std::int64_t>(half));
  }
  return w.finish();
}

std::optional<Expansion> expand_wide_store(const Instruction& i) {
  if (i.operands.size() < 2) return std::nullopt;
  const ptx::Operand& data = i.operands[1];
  ExpansionWriter w;
  const auto access = wide_access(w, i, data, i.operands[0]);
  if (!access) return std::nullopt;
  for (std::size_t k = 0; k < data.elements.size(); ++k)
    w.argument(access->type, fmt::format("%e{}", k), data.elements[k]);
  const std::string modifiers = modifiers_of(i, access->vector, access->half);
  for (std::size_t half = 0; half < 2; ++half) {
    w.add("st{} [%at+{}], {};", modifiers, access->offset + 16 * static_cast<std::int64_t>(half),
          half_of(data.elements.size(), half));
  }
  return w.finish();
}

/// The same place in another block of the cluster, of which there is one: this one.
std::optional<Expansion> expand_mapa(const Instruction& i) {
  if (i.operands.size() != 3) return std::nullopt;
  const auto type = fmt::format("b{}", bits_of(i.type()));
  const bool is_variable = i.operands[1].kind == Kind::Symbol;
  ExpansionWriter w;
  w.result(type, "%d", i.operands[0]);
  w.argument(type, "%a", i.operands[1]);
  // Of a variable it is a shared address; a generic one is one of a window.
  const bool wants_generic = !i.has(Modifier::SharedCluster) && type == "b64" && is_variable;
  if (wants_generic) {
    w.add("cvta.shared.u64 %d, %a;");
  } else {
    w.add("mov.{} %d, %a;", type);
  }
  return w.finish();
}

std::optional<Expansion> expand_getctarank(const Instruction& i) {
  if (i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.add("mov.b32 %d, 0;");
  return w.finish();
}

/// st.bulk: zeros, as many bytes as a multiple of 8 says.
std::optional<Expansion> expand_fill(const Instruction& i) {
  if (i.operands.size() != 3 || i.operands[2].kind != Kind::Integer || i.operands[2].bits != 0)
    return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[0]);
  if (!offset) return std::nullopt;
  w.argument("b64", "%bytes", i.operands[1]);
  w.add(R"(.reg .b32 %to, %end;
.reg .pred %p;
add.u32 %to, %at, {};
cvt.u32.u64 %end, %bytes;
add.u32 %end, %end, %to;
NEXT:
setp.ge.u32 %p, %to, %end;
@%p bra DONE;
st.shared.b64 [%to], 0;
add.u32 %to, %to, 8;
bra NEXT;
DONE:)",
        *offset);
  return w.finish();
}

}  // namespace heddle::lower
