#include "isa/lower/expansion_writer.h"

namespace heddle::lower {

namespace {

void append(std::string& list, std::string_view type, std::string_view name) {
  list += fmt::format("{}.reg .{} {}", list.empty() ? "" : ", ", type, name);
}

}  // namespace

void ExpansionWriter::result(std::string_view type, std::string_view name, const ptx::Operand& operand) {
  append(returns_, type, name);
  expansion_.results.push_back(whole(operand));
}

void ExpansionWriter::argument(std::string_view type, std::string_view name, const ptx::Operand& operand) {
  append(parameters_, type, name);
  expansion_.arguments.push_back(operand);
}

std::optional<std::int64_t> ExpansionWriter::address(std::string_view name, const ptx::Operand& operand) {
  return address_of("b64", name, operand);
}

std::optional<std::int64_t> ExpansionWriter::shared_address(std::string_view name,
                                                            const ptx::Operand& operand) {
  return address_of("b32", name, operand);
}

/// A variable's offset is a part of the argument, so that other places in it have the same function.
std::optional<std::int64_t> ExpansionWriter::address_of(std::string_view type, std::string_view name,
                                                        const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind != Kind::Address || operand.stride != 0 || operand.element != ptx::Operand::kWhole)
    return std::nullopt;
  ptx::Operand base;
  base.place = operand.place;
  const bool is_variable = operand.symbol.kind != ptx::SymbolRef::Kind::None;
  if (is_variable && operand.reg != ptx::kNone) return std::nullopt;
  if (operand.reg != ptx::kNone) {
    base.kind = Kind::Register;
    base.reg = operand.reg;
  } else {
    base.kind = is_variable ? Kind::Symbol : Kind::Integer;
    base.symbol = operand.symbol;
    base.bits = operand.bits;
  }
  argument(type, name, base);
  return base.kind == Kind::Register ? operand.offset() : 0;
}

Expansion ExpansionWriter::finish() {
  const std::string returns = returns_.empty() ? "" : fmt::format("({}) ", returns_);
  expansion_.text =
      fmt::format(".version 8.0\n.target sm_80\n.address_size 64\n.func {}expansion({}) {{\n{}ret;\n}}\n",
                  returns, parameters_, body_);
  return std::move(expansion_);
}

std::optional<std::vector<ptx::Operand>> take_object(ExpansionWriter& writer, const ptx::Operand& operand) {
  if (operand.reg == ptx::kNone || operand.elements.size() != 1) return std::nullopt;
  ptx::Operand object = operand;
  object.elements.clear();
  if (writer.address("%object", object) != 0) return std::nullopt;
  const ptx::Operand& list = operand.elements.front();
  return list.kind == ptx::Operand::Kind::Vector ? list.elements : std::vector{list};
}

ptx::Operand whole(const ptx::Operand& operand) {
  ptx::Operand made = operand;
  made.selector = {};
  return made;
}

}  // namespace heddle::lower
