#include "isa/lower/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/lower/library_text.h"

namespace heddle::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;

constexpr std::string_view kRoundings[] = {"rn", "rz", "rm", "rp"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// What is added before bits are cut off, for each rounding: half of the last bit that is kept, or all below
/// it.
std::string_view rounding_text(std::string_view rounding) {
  if (rounding == "rn") return kAddHalf;
  if (rounding == "rp") return kAddUpwards;
  return rounding == "rm" ? kAddDownwards : "";
}

std::string text_for(std::string_view body, std::string_view rounding, bool flushes) {
  const bool is_directed = rounding != "rn";
  std::string text = replaced(std::string(body), "$SLOWLY", kDivideDoublesSlowly);
  text = replaced(text, "$ADD_BEFORE_CUT", rounding_text(rounding));
  text = replaced(text, "$REFINE_AGAIN_QUOTIENT", is_directed ? kRefineQuotient : "");
  text = replaced(text, "$REFINE_AGAIN_ROOT32",
                  is_directed ? replaced(std::string(kRefineRoot), "$BITS", "32") : "");
  text = replaced(text, "$REFINE_AGAIN_ROOT64",
                  is_directed ? replaced(std::string(kRefineRoot), "$BITS", "64") : "");
  text = replaced(text, "$FLUSH_TWO", flushes ? kFlushTwo : "");
  text = replaced(text, "$FLUSH_ONE", flushes ? kFlushOne : "");
  text = replaced(text, "$FTZ", flushes ? ".ftz" : "");
  text = replaced(text, "$SUFFIX", flushes ? "_ftz" : "");
  return replaced(text, "$R", rounding);
}

/// Quotients and remainders of 64-bit integers. By zero all bits of either are ones.
std::string integer_text(std::string_view body, bool is_remainder) {
  std::string text = replaced(std::string(body), "$DIVIDE", kDivideWords);
  text = replaced(text, "$SIGNS",
                  is_remainder ? "mov.b64 %signs, %from_n;" : "xor.b64 %signs, %from_n, %from_m;");
  text = replaced(text, "$NAME", is_remainder ? "rem" : "div");
  return replaced(text, "$RESULT", is_remainder ? "%r" : "%d");
}

std::string whole_text() {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
  for (const std::string_view rounding : kRoundings) {
    for (const std::string_view body : {kDivideFloats, kFloatReciprocal, kFloatRoot}) {
      for (const bool flushes : {false, true}) text += text_for(body, rounding, flushes);
    }
    for (const std::string_view body : {kDivideDoubles, kDoubleReciprocal, kDoubleRoot})
      text += text_for(body, rounding, false);
  }
  for (const std::string_view body : {kUnsignedQuotient, kSignedQuotient}) {
    for (const bool is_remainder : {false, true}) text += integer_text(body, is_remainder);
  }
  text += kDoubleInverseRoot;
  return text;
}

/// Names as functions of the library have them; those of instructions are views of these.
std::optional<std::string_view> named(const std::string& name) {
  const auto& functions = library().functions;
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const auto& each) { return each.name == name; });
  if (found == functions.end()) return std::nullopt;
  return std::string_view(found->name);
}

std::string_view rounding_of(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::Rn)) return "rn";
  if (instruction.has(Modifier::Rz)) return "rz";
  if (instruction.has(Modifier::Rm)) return "rm";
  return instruction.has(Modifier::Rp) ? "rp" : "";
}

bool is_wide_integer(Modifier type) { return type == Modifier::U64 || type == Modifier::S64; }

}  // namespace

std::optional<std::string_view> library_function(const ptx::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const bool divides = opcode == Opcode::Div || opcode == Opcode::Rem;
  const Modifier type = instruction.type();
  if (divides && is_wide_integer(type)) {
    return named(fmt::format("{}_{}", opcode == Opcode::Div ? "div" : "rem", ptx::info(type).word));
  }
  const bool is_wide = type == Modifier::F64;
  if (opcode == Opcode::Rsqrt && is_wide && !instruction.has(Modifier::Ftz)) return named("rsqrt_f64");
  if (opcode != Opcode::Div && opcode != Opcode::Rcp && opcode != Opcode::Sqrt) return std::nullopt;
  const std::string_view rounding = rounding_of(instruction);
  if (rounding.empty() || (!is_wide && type != Modifier::F32)) return std::nullopt;
  const std::string_view name = opcode == Opcode::Div ? "div" : opcode == Opcode::Rcp ? "rcp" : "sqrt";
  return named(fmt::format("{}_{}{}_{}", name, rounding, instruction.has(Modifier::Ftz) ? "_ftz" : "",
                           ptx::info(type).word));
}

const ptx::Module& library() {
  static const ptx::Module module = ptx::read_module(whole_text(), "library.ptx");
  return module;
}

}  // namespace heddle::lower
