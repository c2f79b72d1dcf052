// The least and the greatest of 16-bit floats in global memory, element by element: comparing loops.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

bool is_narrow(Modifier type) {
  return type == Modifier::F16 || type == Modifier::Bf16 || type == Modifier::F16x2 ||
         type == Modifier::Bf16x2;
}

/// The order and the scope, which each access of the loop has.
std::string order_of(const Instruction& i) {
  std::string text;
  for (const Modifier one : {Modifier::Relaxed, Modifier::Acquire, Modifier::Release, Modifier::AcqRel,
                             Modifier::Cta, Modifier::Cluster, Modifier::Gpu, Modifier::Sys}) {
    if (i.has(one)) text += fmt::format(".{}", ptx::info(one).word);
  }
  return text;
}

}  // namespace

std::optional<Expansion> expand_atomic(const Instruction& i) {
  const Modifier type = i.type();
  const bool is_min = i.has(Modifier::Min);
  if ((!is_min && !i.has(Modifier::Max)) || !is_narrow(type)) return std::nullopt;
  const bool returns = i.opcode == ptx::Opcode::Atom;
  const std::size_t place = returns ? 1 : 0;
  if (i.operands.size() < place + 2) return std::nullopt;
  const ptx::Operand& data = i.operands[place + 1];
  const std::size_t count = data.kind == Kind::Vector ? data.elements.size() : 1;
  const bool is_pair_of_vectors = returns && i.operands[0].kind == Kind::Vector;
  if (is_pair_of_vectors && i.operands[0].elements.size() != count) return std::nullopt;
  const unsigned bits = bits_of(type);
  const auto word = fmt::format("b{}", bits);
  ExpansionWriter w;
  const bool is_shared =
      i.has(Modifier::Shared) || i.has(Modifier::SharedCta) || i.has(Modifier::SharedCluster);
  const auto offset = w.address("%at", i.operands[place]);
  if (!offset) return std::nullopt;
  const char* space = is_shared ? ".shared" : i.has(Modifier::Global) ? ".global" : "";
  w.add(".reg .{} %old, %new, %seen;\n.reg .pred %again;", word);
  const auto element = [&](const ptx::Operand& operand, std::size_t k) -> const ptx::Operand& {
    return operand.kind == Kind::Vector ? operand.elements[k] : operand;
  };
  for (std::size_t k = 0; k < count; ++k) {
    const auto value = fmt::format("%x{}", k);
    w.argument(word, value, element(data, k));
    const auto at = *offset + static_cast<std::int64_t>(k * bits / 8);
    w.add(R"(ld.volatile{0}.{1} %old, [%at+{2}];
AGAIN{3}:
{4}.{5} %new, %old, {6};
atom{7}{0}.cas.{1} %seen, [%at+{2}], %old, %new;
setp.ne.b{8} %again, %seen, %old;
mov.{1} %old, %seen;
@%again bra AGAIN{3};)",
          space, word, at, k, is_min ? "min" : "max", ptx::info(type).word, value, order_of(i), bits);
    if (!returns) continue;
    w.result(word, fmt::format("%d{}", k), element(i.operands[0], k));
    w.add("mov.{} %d{}, %old;", word, k);
  }
  return w.finish();
}

}  // namespace heddle::lower
