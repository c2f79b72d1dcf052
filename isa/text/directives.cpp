#include "isa/text/directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "isa/text/address_operand.h"
#include "isa/text/immediate_reader.h"
#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

// More than any GPU has; a launch checks against the GPU's own limit.
constexpr std::uint64_t kMostSharedBytes = 1 << 20;

// The local memory of all resident threads is simulated: a guard of this program's memory.
constexpr std::uint64_t kMostLocalBytes = 1 << 16;

struct Range {
  std::uint64_t least;
  std::uint64_t greatest;
};

std::uint32_t read_integer(StatementReader& reader, std::string_view what, Range range) {
  const Token token = reader.expect(Token::Kind::Number, what);
  const auto value = parse_integer(token.text);
  if (!value || *value < range.least || *value > range.greatest) {
    fail(token, fmt::format("{} is {} to {}, not {}", what, range.least, range.greatest, quoted(token.text)));
  }
  return static_cast<std::uint32_t>(*value);
}

bool is_launch_constant(std::string_view name) {
  return std::any_of(std::begin(ir::kLaunchConstants), std::end(ir::kLaunchConstants),
                     [name](const ir::NamedConstant& constant) { return constant.name == name; });
}

Token read_new_name(StatementReader& reader, const std::map<std::string_view, std::size_t>& taken,
                    std::string_view what) {
  const Token name = reader.expect(Token::Kind::Word, fmt::format("the name of a {}", what));
  if (taken.contains(name.text)) {
    fail(name, fmt::format("{} {} is already declared", what, quoted(name.text)));
  }
  return name;
}

void read_param(StatementReader& reader, KernelDraft& draft) {
  const Token name = read_new_name(reader, draft.params, "parameter");
  if (is_launch_constant(name.text)) {
    fail(name,
         fmt::format("{} is what the launch defines, so no parameter can be called so", quoted(name.text)));
  }
  const Token type_name = reader.expect(Token::Kind::Word, "a type: u32, s32, f32, u64 or ptr");
  const auto type = parse_param_type(type_name.text);
  if (!type) fail_expected("a type: u32, s32, f32, u64 or ptr", type_name);
  const auto& params = draft.kernel.params;
  const std::uint64_t end =
      params.empty() ? draft.kernel.param_base : params.back().offset + size_of(params.back().type);
  const std::uint64_t offset = round_up(end, size_of(*type));
  if (offset + size_of(*type) > ir::kConstantBankBytes) {
    fail(name, fmt::format("parameter {} does not fit the constant bank of {} bytes", quoted(name.text),
                           ir::kConstantBankBytes));
  }
  draft.params.insert({name.text, params.size()});
  draft.kernel.has_open_params = false;
  draft.kernel.params.push_back({std::string(name.text), *type, static_cast<std::uint32_t>(offset)});
}

void read_param_base(StatementReader& reader, KernelDraft& draft) {
  const Token number = reader.expect(Token::Kind::Number, "an offset in the constant bank");
  const auto base = parse_integer(number.text);
  const auto begins_there = [&base](const ir::LaunchBankLayout& layout) { return layout.params == base; };
  if (!base || std::none_of(std::begin(ir::kLaunchBankLayouts), std::end(ir::kLaunchBankLayouts), begins_there)) {
    fail(number, fmt::format("parameters begin at {:#x} (compute capability 7.0 to 8.9), {:#x} (9.0) or {:#x} (10.0 and "
                             "later), not at {}",
                             ir::kParamOffset, ir::kParamOffset90, ir::kParamOffset100, quoted(number.text)));
  }
  if (!draft.kernel.params.empty()) fail(number, "where parameters begin is said before the first of them");
  draft.kernel.param_base = static_cast<std::uint32_t>(*base);
  draft.has_param_base = true;
}

std::uint32_t read_alignment(StatementReader& reader) {
  if (reader.is_over()) return kDefaultSharedAlignment;
  const Token word = reader.take();
  if (word.text != "align") fail_expected("'align' or the end of the line", word);
  const Token place = reader.peek();
  const std::uint32_t alignment = read_integer(reader, "an alignment", {1, kMostSharedAlignment});
  if (!std::has_single_bit(alignment)) {
    fail(place, fmt::format("an alignment is a power of two, not {}", alignment));
  }
  return alignment;
}

void read_shared(StatementReader& reader, KernelDraft& draft) {
  const Token name = read_new_name(reader, draft.shared_symbols, "shared symbol");
  if (is_address_register(name.text)) {
    fail(name, fmt::format("{} is a register, so no shared symbol can be called so", quoted(name.text)));
  }
  const std::uint32_t bytes = read_integer(reader, "a size in bytes", {1, kMostSharedBytes});
  const std::uint64_t offset = round_up(draft.kernel.static_shared_bytes, read_alignment(reader));
  if (offset + bytes > kMostSharedBytes) {
    fail(name, fmt::format("the static shared memory ends behind byte {}", kMostSharedBytes));
  }
  draft.shared_symbols.insert({name.text, draft.kernel.shared_symbols.size()});
  draft.kernel.shared_symbols.push_back({std::string(name.text), static_cast<std::uint32_t>(offset), bytes});
  draft.kernel.static_shared_bytes = static_cast<std::uint32_t>(offset + bytes);
}

void read_local(StatementReader& reader, KernelDraft& draft) {
  draft.kernel.local_bytes = read_integer(reader, "a size in bytes", {1, kMostLocalBytes});
}

void read_registers(StatementReader& reader, KernelDraft& draft) {
  draft.registers_place = reader.peek();
  draft.registers_asked = read_integer(reader, "a number of registers", {1, ir::kMaxRegister + 1});
}

void read_banked(StatementReader&, KernelDraft& draft) { draft.kernel.banked = true; }

// Numbers are read as sources of rows of these kinds are.
std::uint32_t read_element(StatementReader& reader, ir::ParamType type) {
  const bool negative = reader.accept('-');
  if (!negative) reader.accept('+');
  if (!number_follows(reader)) fail_expected("a number", reader.peek());
  const ir::Opcode like = type == ir::ParamType::F32 ? ir::Opcode::Fadd : ir::Opcode::Iadd3;
  return static_cast<std::uint32_t>(read_number(reader, ir::info(like), negative, 1).value);
}

ir::ParamType read_element_type(StatementReader& reader) {
  constexpr std::string_view kTypes = "a type: u32, s32 or f32";
  const Token name = reader.expect(Token::Kind::Word, kTypes);
  const auto type = parse_param_type(name.text);
  if (!type || ir::size_of(*type) != 4) fail_expected(kTypes, name);
  return *type;
}

void read_const(StatementReader& reader, KernelDraft& draft) {
  const Token name = read_new_name(reader, draft.constant_symbols, "constant");
  if (parse_register(name.text)) {
    fail(name, fmt::format("{} is a register, so no constant can be called so", quoted(name.text)));
  }
  std::vector<std::uint32_t>& data = draft.kernel.constant_data;
  const auto begin = static_cast<std::uint32_t>(round_up(4 * data.size(), ir::kConstantSymbolAlignment));
  // Known from here on: a mistake below is not to be one wherever the name stands, too.
  draft.constant_symbols.insert({name.text, draft.kernel.constant_symbols.size()});
  ir::ConstantSymbol& symbol = draft.kernel.constant_symbols.emplace_back();
  symbol.name = name.text;
  symbol.offset = begin;
  data.resize(begin / 4 + 1);
  symbol.type = read_element_type(reader);
  data.back() = read_element(reader, symbol.type);
  while (reader.accept(',')) data.push_back(read_element(reader, symbol.type));
  symbol.count = static_cast<std::uint32_t>(data.size() - begin / 4);
  if (4 * data.size() > ir::kConstantBankBytes) {
    fail(name, fmt::format("constant {} does not fit the constant bank of {} bytes", quoted(name.text),
                           ir::kConstantBankBytes));
  }
}

struct Directive {
  std::string_view name;
  void (*read)(StatementReader&, KernelDraft&);
};

constexpr std::array kDirectives = {
    Directive{".param", read_param},   Directive{".param_base", read_param_base},
    Directive{".shared", read_shared}, Directive{".const", read_const},
    Directive{".local", read_local},   Directive{".registers", read_registers},
    Directive{".banked", read_banked},
};

}  // namespace

void read_directive(const Token& directive, StatementReader& reader, KernelDraft& draft) {
  const auto* known = std::find_if(kDirectives.begin(), kDirectives.end(),
                                   [&](const Directive& each) { return each.name == directive.text; });
  if (known == kDirectives.end()) {
    fail(directive,
         fmt::format("{} is no directive; directives are .kernel, .param, .param_base, .shared, .const, "
                     ".local, .registers and .banked",
                     quoted(directive.text)));
  }
  known->read(reader, draft);
}

}  // namespace heddle::text
