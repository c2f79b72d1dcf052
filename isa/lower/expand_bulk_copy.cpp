// Bulk copies and what tells an mbarrier of its bytes. The thread that asks for a copy makes it, and goes on
// when it is done; so the groups of copies to global memory are done when they are committed.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"
#include "isa/lower/mbarrier.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

/// Where a copy goes, by its first modifier that is a space.
bool goes_to_global(const Instruction& i) {
  for (const Modifier one : i.modifiers) {
    if (one == Modifier::Global) return true;
    if (one == Modifier::SharedCluster || one == Modifier::SharedCta) return false;
  }
  return false;
}

/// The bits of the addresses: 64 of global memory.
struct Ends {
  unsigned to = 32;
  unsigned from = 32;

  [[nodiscard]] bool to_global() const { return to == 64; }
  [[nodiscard]] bool from_global() const { return from == 64; }
};

/// A loop over %n bytes: one step of a number of bytes, from %from to %to.
void loop(ExpansionWriter& w, const Ends& ends, std::string_view name, unsigned bytes,
          std::string_view step) {
  w.add(R"({0}:
setp.lt.u32 %few, %n, {1};
@%few bra {0}_DONE;
{2}
add.u{3} %from, %from, {1};
add.u{4} %to, %to, {1};
sub.u32 %n, %n, {1};
bra {0};
{0}_DONE:)",
        name, bytes, step, ends.from, ends.to);
}

void copy(ExpansionWriter& w, const Ends& ends) {
  const bool from_global = ends.from_global();
  std::string four;
  std::string one;
  for (unsigned k = 0; k < 4; ++k) {
    std::string step;
    if (from_global) {
      step = fmt::format("cp.async.cg.shared.global [%to+{0}], [%from+{0}], 16;\n", 16 * k);
    } else {
      step = fmt::format("ld.shared.v2.b64 {{%x{0}, %y{0}}}, [%from+{1}];\n", k, 16 * k);
    }
    four += step;
    if (k == 0) one = step;
  }
  for (unsigned k = 0; k < 4 && !from_global; ++k) {
    const std::string step = fmt::format("st.{0}.v2.b64 [%to+{2}], {{%x{1}, %y{1}}};\n",
                                         ends.to_global() ? "global" : "shared", k, 16 * k);
    four += step;
    if (k == 0) one += step;
  }
  if (!from_global) w.add(".reg .b64 %x<4>, %y<4>;");
  loop(w, ends, "FOUR", 64, four);
  loop(w, ends, "ONE", 16, one);
  if (from_global) w.add("cp.async.wait_all;");
}

/// Element by element.
void reduce(ExpansionWriter& w, const Instruction& i, const Ends& ends) {
  std::string operation;
  for (const Modifier one : {Modifier::And, Modifier::Or, Modifier::Xor, Modifier::Add, Modifier::Inc,
                             Modifier::Dec, Modifier::Min, Modifier::Max}) {
    if (i.has(one)) operation = ptx::info(one).word;
  }
  const Modifier type = i.type();
  const unsigned bits = bits_of(type);
  std::string_view word = ptx::info(type).word;
  if (type == Modifier::S64 && operation == "add") word = "u64";
  const char* noftz = bits == 16 ? ".noftz" : "";
  const bool is_vector = bits == 16 && operation != "add";
  w.add(".reg .b{} %x;", bits);
  const std::string data = is_vector ? "{%x}" : "%x";
  loop(w, ends, "ONE", bits / 8,
       fmt::format("ld.shared.b{} %x, [%from];\nred.{}.{}{}{}.{} [%to], {};", bits,
                   ends.to_global() ? "global" : "shared", operation, noftz, is_vector ? ".v2" : "", word,
                   data));
}

/// Arguments: [to], [from], bytes, and of copies to shared memory [mbarrier].
std::optional<Expansion> expand_copy(const Instruction& i, bool reduces) {
  const bool to_global = goes_to_global(i);
  const bool from_global = !to_global && i.has(Modifier::Global);
  if (i.operands.size() < (to_global ? 3U : 4U) || i.has(Modifier::CpMask) || i.has(Modifier::IgnoreOob))
    return std::nullopt;
  ExpansionWriter w;
  const auto to = to_global ? w.address("%to0", i.operands[0]) : w.shared_address("%to0", i.operands[0]);
  const auto from =
      from_global ? w.address("%from0", i.operands[1]) : w.shared_address("%from0", i.operands[1]);
  w.argument("b32", "%bytes", i.operands[2]);
  const auto barrier = to_global ? std::optional<std::int64_t>(0) : w.shared_address("%at", i.operands[3]);
  if (!to || !from || !barrier) return std::nullopt;
  const Ends ends{to_global ? 64U : 32U, from_global ? 64U : 32U};
  w.add(".reg .b32 %n;\n.reg .b{} %to;\n.reg .b{} %from;\n.reg .pred %few;\nmov.b32 %n, %bytes;", ends.to,
        ends.from);
  w.add("add.u{} %to, %to0, {};\nadd.u{} %from, %from0, {};", ends.to, *to, ends.from, *from);
  if (reduces) {
    reduce(w, i, ends);
  } else {
    copy(w, ends);
  }
  if (!to_global) w.add("mbarrier.complete_tx.shared.b64 [%at+{}], %bytes;", *barrier);
  return w.finish();
}

}  // namespace

std::optional<Expansion> expand_bulk_copy(const Instruction& i) { return expand_copy(i, false); }

std::optional<Expansion> expand_bulk_reduction(const Instruction& i) { return expand_copy(i, true); }

/// st.async and red.async: to shared memory, and an mbarrier hears of the bytes.
std::optional<Expansion> expand_async_store(const Instruction& i) {
  if (i.operands.size() != 3) return std::nullopt;
  const bool is_store = i.opcode == ptx::Opcode::StAsync;
  const ptx::Operand& data = i.operands[1];
  const std::size_t count = data.kind == Kind::Vector ? data.elements.size() : 1;
  const unsigned bits = bits_of(i.type());
  ExpansionWriter w;
  const auto to = w.shared_address("%to", i.operands[0]);
  const auto barrier = w.shared_address("%at", i.operands[2]);
  if (!to || !barrier || (bits != 32 && bits != 64)) return std::nullopt;
  std::string list;
  for (std::size_t k = 0; k < count; ++k) {
    w.argument(fmt::format("b{}", bits), fmt::format("%x{}", k),
               data.kind == Kind::Vector ? data.elements[k] : data);
    list += fmt::format("{}%x{}", k == 0 ? "" : ", ", k);
  }
  if (is_store && count > 1) {
    w.add("st.shared.v{}.b{} [%to+{}], {{{}}};", count, bits, *to, list);
  } else if (is_store) {
    w.add("st.shared.b{} [%to+{}], %x0;", bits, *to);
  } else {
    std::string_view operation;
    for (const Modifier one : {Modifier::And, Modifier::Or, Modifier::Xor, Modifier::Add, Modifier::Inc,
                               Modifier::Dec, Modifier::Min, Modifier::Max}) {
      if (i.has(one)) operation = ptx::info(one).word;
    }
    if (operation.empty()) return std::nullopt;
    const bool is_sum_of_64 = operation == "add" && bits == 64;
    w.add("red.shared.{}.{} [%to+{}], %x0;", operation, is_sum_of_64 ? "u64" : ptx::info(i.type()).word, *to);
  }
  w.add("mbarrier.complete_tx.shared.b64 [%at+{}], {};", *barrier, count * bits / 8);
  return w.finish();
}

}  // namespace heddle::lower
