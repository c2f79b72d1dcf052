#include "isa/text/disassemble.h"

#include <fmt/format.h>

#include <bit>
#include <random>

#include "isa/base/diagnostic.h"
#include "isa/ir/modifier_rules.h"
#include "isa/ir/operand_rules.h"
#include "isa/ir/texture_operands.h"
#include "isa/text/assemble.h"
#include "isa/text/names.h"
#include "tests/support/catch.h"

namespace heddle::text {
namespace {

using ir::Operand;
using ir::OperandRole;

/// Builds kernels from the table: any instruction that the language can express.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : random_(seed) {}

  ir::Kernel make() {
    add_names();
    const unsigned size = 2 + below(30);
    for (unsigned pc = 0; pc + 1 < size; ++pc) kernel_.instructions.push_back(instruction(size));
    kernel_.instructions.push_back({ir::Opcode::Exit, {}, {}, {}, 0, {}});
    kernel_.registers = 255;
    for (Pc pc = 0; pc < size; ++pc) {
      if (below(3) == 0) kernel_.labels.push_back({fmt::format("L{}", pc), pc});
      if (below(9) == 0) kernel_.labels.push_back({fmt::format(".L_{}", (pc + 1) % size), pc});
    }
    return kernel_;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance() { return below(2) == 0; }

  void add_names() {
    kernel_.name = "_Z6randomPf";
    if (chance()) kernel_.param_base = ir::kParamOffset90;
    std::uint32_t offset = kernel_.param_base;
    for (unsigned i = 0; i < below(8); ++i) {
      const auto type = static_cast<ir::ParamType>(below(5));
      offset = static_cast<std::uint32_t>(round_up(offset, size_of(type)));
      kernel_.params.push_back({fmt::format("p{}", i), type, offset});
      offset += size_of(type);
    }
    for (unsigned i = 0; i < below(4); ++i) {
      const std::uint32_t bytes = 1 + below(100);
      const auto at =
          static_cast<std::uint32_t>(round_up(kernel_.static_shared_bytes, std::uint64_t{1} << below(8)));
      kernel_.shared_symbols.push_back({fmt::format("s{}", i), at, bytes});
      kernel_.static_shared_bytes = at + bytes;
    }
    for (unsigned i = 0; i < below(4); ++i) {
      const auto type = static_cast<ir::ParamType>(below(3));  // u32, s32 or f32
      std::vector<std::uint32_t>& data = kernel_.constant_data;
      data.resize(round_up(data.size(), 4));
      const auto count = 1 + below(5);
      const auto place = static_cast<std::uint32_t>(4 * data.size());
      kernel_.constant_symbols.push_back({fmt::format("c{}", i), type, place, count});
      for (unsigned word = 0; word < count; ++word) data.push_back(bits());
    }
    if (chance()) kernel_.local_bytes = 1 + below(1000);
    kernel_.banked = chance();
  }

  std::uint8_t registers(unsigned width) {
    if (below(6) == 0) return ir::kRegisterZero;
    return static_cast<std::uint8_t>(width * below(255 / width));
  }

  Operand constant(unsigned bytes) {
    Operand made{Operand::Kind::Constant, 0, false, false,
                 std::uint64_t{bytes} * below(kernel_.param_base / bytes)};
    for (const ir::Param& param : kernel_.params) {
      if (size_of(param.type) == bytes && chance()) made.value = param.offset;
    }
    if (bytes == 4 && below(4) == 0) made.value = 4 * below(6);
    const auto data_bytes = static_cast<std::uint32_t>(4 * kernel_.constant_data.size());
    if (data_bytes >= bytes && below(4) == 0) {
      made.bank = ir::kDataBank;
      made.value = std::uint64_t{bytes} * below(data_bytes / bytes);
    }
    return made;
  }

  Operand maybe_indexed(Operand constant, bool by_uniform) {
    if (!chance()) return constant;
    constant.kind = Operand::Kind::IndexedConstant;
    constant.index = by_uniform ? ir::kRegisterZero : static_cast<std::uint8_t>(below(255));
    if (by_uniform) constant.uniform = static_cast<std::uint8_t>(below(63));
    constant.value = below(1000);
    return constant;
  }

  std::uint32_t bits() {
    constexpr std::uint32_t kSpecial[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fffffff,
                                          0xffffffff, 0x3f800000, 1,          0x7fc00000, 0x4b800000};
    return chance() ? kSpecial[below(std::size(kSpecial))] : static_cast<std::uint32_t>(random_());
  }

  std::uint64_t double_bits() {
    constexpr std::uint64_t kSpecial[] = {0x7ff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 1,
                                          0x3ff0000000000000, 0x7fffffffffffffff};
    const std::uint64_t value = chance() ? kSpecial[below(std::size(kSpecial))] : random_();
    return value ^ (chance() ? std::uint64_t{1} << 63 : 0);
  }

  Operand number_source(const ir::Instruction& instruction, OperandRole role, unsigned place) {
    const ir::NumberType type = ir::info(instruction.opcode).number_type;
    const unsigned width = ir::operand_width(instruction, role);
    Operand made;
    made.value = width == 2 ? double_bits() : bits();
    const bool takes_number = role == OperandRole::Src || role == OperandRole::SrcWide;
    const std::uint32_t kind = takes_number ? below(3) : role == OperandRole::SrcPair ? below(2) : 0;
    const bool takes_uniform = role != OperandRole::SrcReg;
    if (kind == 0) made = {Operand::Kind::Register, registers(width), false, false, 0};
    const bool is_single = role == OperandRole::Src || role == OperandRole::SrcReg;
    if (kind == 0 && is_single) made.reuse = kernel_.banked && chance();
    if (kind == 0 && takes_uniform && below(4) == 0) made = uniforms(width);
    if (kind == 1) made = constant(4 * width);
    const bool is_float = type >= ir::NumberType::Float;
    const bool adds = type == ir::NumberType::Sum || type == ir::NumberType::Inverse;
    const bool is_addend = type == ir::NumberType::Addend && role == OperandRole::SrcPair;
    const bool may_be_negative = ir::may_be_negated(ir::info(instruction.opcode), place);
    if (kind != 2 && (is_float || adds || is_addend) && may_be_negative) made.negated = chance();
    if (kind != 2 && is_float) made.absolute = chance();
    const auto part = static_cast<ir::RegisterPart>(below(kRegisterParts.size()));
    const bool is_narrow = part > ir::RegisterPart::HighTwice;  // of registers only
    if (kind == 0 || (kind == 1 && !is_narrow)) {
      if (part != ir::RegisterPart::All && ir::allows_part(instruction, role, part)) made.part = part;
    }
    return made;
  }

  Operand address(unsigned width) {
    return {Operand::Kind::Address, registers(width), false, false,
            chance() ? 0 : static_cast<std::uint64_t>(static_cast<std::int32_t>(random_()))};
  }

  Operand uniform() {
    return {Operand::Kind::Uniform, static_cast<std::uint8_t>(below(64)), false, false, 0};
  }

  Operand uniforms(unsigned width) {
    if (width == 1) return uniform();
    return {Operand::Kind::Uniform, static_cast<std::uint8_t>(width * below(63 / width)), false, false, 0};
  }

  std::uint8_t predicate() { return chance() ? ir::kPredicateTrue : static_cast<std::uint8_t>(below(7)); }

  std::uint8_t uniform_predicate() { return static_cast<std::uint8_t>(ir::kFirstUniformPredicate + predicate()); }

    Operand operand(const ir::Instruction& instruction, unsigned place, unsigned size) {
    const OperandRole role = ir::info(instruction.opcode).operands[place];
    const unsigned width = ir::operand_width(instruction, role);
    switch (role) {
      case OperandRole::SrcReg:
      case OperandRole::Src:
      case OperandRole::SrcPair:
      case OperandRole::SrcWide:
        return number_source(instruction, role, place);
      case OperandRole::DstPred:
      case OperandRole::OptDstPred:
        if (ir::writes_true_only(instruction.opcode)) return {Operand::Kind::Predicate, ir::kPredicateTrue};
        return {Operand::Kind::Predicate, predicate()};
      case OperandRole::SrcPred:
      case OperandRole::OptSrcPred:
        return {Operand::Kind::Predicate, below(4) == 0 ? uniform_predicate() : predicate(), chance()};
      case OperandRole::DstUniformPred:
        if (ir::writes_true_only(instruction.opcode)) return {Operand::Kind::Predicate, ir::kUniformPredicateTrue};
        [[fallthrough]];
      case OperandRole::OptDstUniformPred:
      case OperandRole::SrcUniformPred:
      case OperandRole::OptSrcUniformPred:
        return {Operand::Kind::Predicate, uniform_predicate(), !ir::is_written_predicate(role) && chance()};
      case OperandRole::AllUniformPreds:
        return {Operand::Kind::Predicate, ir::kUniformPredicateTrue};
      case OperandRole::AllPreds:
        return {Operand::Kind::Predicate, ir::kPredicateTrue, false, false, 0};
      case OperandRole::ConstData:
        return maybe_indexed(constant(ir::data_bytes(instruction)),
                             ir::runs_once(ir::info(instruction.opcode)) || chance());
      case OperandRole::GlobalAddress:
      case OperandRole::LocalAddress:
        return address(width);
      case OperandRole::SharedAddress: {
        Operand made = address(width);
        made.scale = kAddressScales[below(kAddressScales.size())].bytes;
        made.uniform = static_cast<std::uint8_t>(below(64));
        return made;
      }
      case OperandRole::Immediate:
        return {Operand::Kind::Immediate, 0, false, false,
                below(std::min(*ir::number_limit(ir::info(instruction.opcode), role), 15U) + 1)};
      case OperandRole::Target:
        return {Operand::Kind::Target, 0, false, false, below(size)};
      case OperandRole::ConvergenceBarrier:
        return {Operand::Kind::ConvergenceBarrier, static_cast<std::uint8_t>(below(16)), false, false, 0};
      case OperandRole::BarrierId:
      case OperandRole::OptThreads:
        if (chance()) return {Operand::Kind::Register, registers(1), false, false, 0};
        return {Operand::Kind::Immediate, 0, false, false,
                role == OperandRole::BarrierId ? below(16) : 32 * below(33)};
      case OperandRole::OptLaneMask: {
        if (chance()) return *ir::omitted_operand(ir::info(instruction.opcode), 0);
        Operand made = uniform();
        made.negated = chance();
        return made;
      }
      case OperandRole::OptCondition:
        if (chance()) return {};
        return {Operand::Kind::Predicate, static_cast<std::uint8_t>(below(8)), chance(), false, 0};
      case OperandRole::Scoreboard:
        return {Operand::Kind::Scoreboard, 0, false, false, 0};
      case OperandRole::DstUniform:
        if (instruction.opcode == ir::Opcode::SyncsExch) return {Operand::Kind::Uniform, ir::kUniformZero};
        return uniform();
      case OperandRole::OptDstUniform:
        return uniform();
      case OperandRole::DstUniformPair:
      case OperandRole::UniformPlace:
      case OperandRole::UniformPairPlace:
        return uniforms(width);
      case OperandRole::SrcUniformPair: {
        Operand made = uniforms(width);
        made.negated = ir::info(instruction.opcode).number_type != ir::NumberType::Integer && chance();
        return made;
      }
      case OperandRole::DstAny:
        return chance() ? uniform() : Operand{Operand::Kind::Register, registers(1)};
      case OperandRole::DstUniformData:
        return {Operand::Kind::Uniform, static_cast<std::uint8_t>(width * below(63 / width)), false, false,
                0};
      case OperandRole::SrcUniform:
      case OperandRole::SrcUniformWide: {
        const ir::NumberType type = ir::info(instruction.opcode).number_type;
        const bool adds = type == ir::NumberType::Sum || type == ir::NumberType::Inverse;
        if (chance()) return {Operand::Kind::Immediate, 0, false, false, width == 2 ? double_bits() : bits()};
        Operand made = uniforms(width);
        made.negated = (adds || type == ir::NumberType::Float) && chance();
        made.absolute = type == ir::NumberType::Float && chance();
        return made;
      }
      case OperandRole::DstSums:
        return {Operand::Kind::Register, static_cast<std::uint8_t>(4 * below((255 - width) / 4 + 1)), false,
                false, 0};
      case OperandRole::SrcSums:
        if (chance()) return {Operand::Kind::Register, ir::kRegisterZero, false, false, 0};
        return instruction.operands[0];
      case OperandRole::OptMatrixA:
        if (chance()) return {};
        return {Operand::Kind::Register, registers(width), false, false, 0};
      case OperandRole::Descriptors: {
        const auto first = static_cast<std::uint8_t>(width * below(63 / width));
        return {Operand::Kind::Descriptors, first, false, false, signs(instruction, width == 4)};
      }
      case OperandRole::OptMorePlace:
        if (width == 0) return {Operand::Kind::Register, ir::kRegisterZero};
        return {Operand::Kind::Register, registers(std::bit_ceil(width))};
      case OperandRole::SrcPlace:
      case OperandRole::SurfacePlace:
        return {Operand::Kind::Register, registers(std::bit_ceil(width))};
      case OperandRole::DstMoreTexels:
        return {Operand::Kind::Register, width == 0 ? std::uint8_t{ir::kRegisterZero} : registers(width)};
      case OperandRole::UniformTile:
        return {Operand::Kind::Uniform, static_cast<std::uint8_t>(below(64 - width))};
      case OperandRole::OptHint:
        return chance() ? Operand{Operand::Kind::Uniform, ir::kUniformZero} : uniforms(width);
      case OperandRole::OptHandle:
        if (ir::is_bindless(instruction)) return {Operand::Kind::Uniform, ir::kUniformZero};
        if (chance()) return {Operand::Kind::Uniform, below(63)};
        return {};
      case OperandRole::OptHandleWord:
        return {Operand::Kind::Immediate, 0, false, false, ir::is_bindless(instruction) ? 0 : below(256)};
      case OperandRole::TextureShape:
        return shape_;
      case OperandRole::OptChannels:
        return channels_;
      case OperandRole::OptAdds:
        return {Operand::Kind::Predicate, uniform_predicate(), chance()};
      case OperandRole::OptGroup:
        if (chance()) return {};
        [[fallthrough]];
      case OperandRole::GroupScoreboard:
        return {Operand::Kind::GroupScoreboard, 0, false, false, 0};
      case OperandRole::Special:
        return {Operand::Kind::Special, static_cast<std::uint8_t>(below(7)), false, false, 0};
      default:
        return {Operand::Kind::Register, registers(width), false, false, 0};
    }
  }

  ir::Modifiers modifiers(const ir::OpcodeInfo& row) {
    ir::Modifiers made;
    for (unsigned i = 0; i < row.modifier_count; ++i) {
      std::vector<ir::Modifier> choices;
      for (std::size_t m = 0; m < ir::kModifierTable.size(); ++m) {
        const auto modifier = static_cast<ir::Modifier>(m);
        if (ir::info(modifier).group != row.modifiers[i]) continue;
        if (ir::info(modifier).token.empty() && row.modifier_required[i]) continue;
        if (!ir::info(modifier).token.empty() && !ir::accepts(row, modifier)) continue;
        choices.push_back(modifier);
      }
      made.set(choices[below(static_cast<std::uint32_t>(choices.size()))]);
    }
    return made;
  }

  /// What may stand behind the descriptors of a product.
  std::uint64_t signs(const ir::Instruction& instruction, bool has_a) {
    const bool has_halves =
        instruction.opcode == ir::Opcode::Hgmma && !instruction.modifiers.has(ir::Modifier::ProductTypeTf32);
    const bool has_floats = instruction.opcode == ir::Opcode::Hgmma || instruction.opcode == ir::Opcode::Qgmma;
    std::uint64_t allowed = has_halves ? ir::kTransposedA | ir::kTransposedB : 0;
    if (has_floats) allowed |= ir::kNegatedA | ir::kNegatedB;
    if (!has_a) allowed &= ~(ir::kTransposedA | ir::kNegatedA);
    return below(16) & allowed;
  }

  static bool is_a_product(const ir::Modifiers& modifiers) {
    const ir::Modifier shape = modifiers.get(ir::ModifierGroup::ProductShape);
    const bool is_tf32 = modifiers.has(ir::Modifier::ProductTypeTf32);
    if (is_tf32 != (shape >= ir::Modifier::ProductShapeTf32N8)) return false;
    return !modifiers.has(ir::Modifier::ProductSumsF16) || modifiers.has(ir::Modifier::ProductTypeHalf);
  }

  static bool is_high_word_of_pair(const ir::Modifiers& modifiers) {
    return modifiers.has(ir::Modifier::HighWordEx) &&
           modifiers.get(ir::ModifierGroup::IntType) >= ir::Modifier::IntTypeS64;
  }

  /// Its shape and channels, by which its registers are counted.
  void choose_texture(ir::Instruction& made) {
    do {
      shape_ = {Operand::Kind::TextureShape, below(static_cast<std::uint32_t>(ir::kTextureShapes.size()))};
      if (made.opcode == ir::Opcode::Tld4) shape_.index = static_cast<std::uint8_t>(ir::TextureShape::D2);
      channels_ = {Operand::Kind::Immediate, 0, false, false, 1 + below(15)};
      made.operands[6] = shape_;
      made.operands[7] = channels_;
    } while (has_too_many_words(made));
  }

  /// What fits no registers, or of which is not known where the handle is.
  static bool has_too_many_words(const ir::Instruction& made) {
    const ir::TextureWords words = ir::texture_words(made);
    const bool is_scalar = made.modifiers.has(ir::Modifier::TextureScalarScalar);
    return words.first > 4 || words.more > 4 ||
           (is_scalar && ir::is_bindless(made) && words.handle > words.first);
  }

  ir::Instruction instruction(unsigned size) {
    ir::Instruction made;
    do {
      made.opcode = static_cast<ir::Opcode>(below(ir::kOpcodes));
    } while (!ir::is_executable(ir::info(made.opcode)));
    const ir::OpcodeInfo& row = ir::info(made.opcode);
    if (chance()) made.guard = {below(8), chance()};
    if (ir::runs_once(row) || below(8) == 0) made.guard = {uniform_predicate(), chance()};
    if (made.guard.always()) made.guard = {};
    const bool is_atomic = row.action == ir::Action::Atomic;
    do {
      made.modifiers = modifiers(row);
    } while ((is_atomic && !ir::is_atomic_form(made.modifiers)) || is_high_word_of_pair(made.modifiers) ||
             (row.action == ir::Action::Copy && !ir::is_copy_form(made.modifiers)) ||
             (made.opcode == ir::Opcode::Hgmma && !is_a_product(made.modifiers)));
    if (row.action == ir::Action::FetchTexture) choose_texture(made);
    for (unsigned i = 0; i < row.operand_count; ++i) made.operands[i] = operand(made, i, size);
    const bool compares = made.opcode == ir::Opcode::Isetp || made.opcode == ir::Opcode::Uisetp;
    if (compares && !made.modifiers.has(ir::Modifier::HighWordEx)) {
      made.operands[5] = *ir::omitted_operand(row, 5);
    }
    if (made.opcode == ir::Opcode::ImnmxS64 || made.opcode == ir::Opcode::ImnmxU64)
      made.operands[6] = {Operand::Kind::Predicate, ir::kPredicateTrue, true};
    if (made.opcode == ir::Opcode::Vabsdiff4) made.operands[3] = {Operand::Kind::Register, ir::kRegisterZero};
    return made;
  }

  Operand shape_;
  Operand channels_;
  std::mt19937_64 random_;
  ir::Kernel kernel_;
};

void check_same(const ir::Kernel& one, const ir::Kernel& other) {
  CHECK(one.name == other.name);
  CHECK(one.registers == other.registers);
  CHECK(one.static_shared_bytes == other.static_shared_bytes);
  CHECK(one.local_bytes == other.local_bytes);
  CHECK(one.banked == other.banked);
  REQUIRE(one.instructions.size() == other.instructions.size());
  for (std::size_t pc = 0; pc < one.instructions.size(); ++pc) {
    INFO("instruction " << pc);
    CHECK(one.instructions[pc].opcode == other.instructions[pc].opcode);
    CHECK(one.instructions[pc].guard == other.instructions[pc].guard);
    CHECK(one.instructions[pc].modifiers == other.instructions[pc].modifiers);
    CHECK(one.instructions[pc].operands == other.instructions[pc].operands);
  }
  CHECK(one.param_base == other.param_base);
  CHECK(one.constant_data == other.constant_data);
  REQUIRE(one.constant_symbols.size() == other.constant_symbols.size());
  for (std::size_t i = 0; i < one.constant_symbols.size(); ++i) {
    CHECK(one.constant_symbols[i].name == other.constant_symbols[i].name);
    CHECK(one.constant_symbols[i].type == other.constant_symbols[i].type);
    CHECK(one.constant_symbols[i].offset == other.constant_symbols[i].offset);
    CHECK(one.constant_symbols[i].count == other.constant_symbols[i].count);
  }
  REQUIRE(one.params.size() == other.params.size());
  for (std::size_t i = 0; i < one.params.size(); ++i) {
    CHECK(one.params[i].name == other.params[i].name);
    CHECK(one.params[i].type == other.params[i].type);
    CHECK(one.params[i].offset == other.params[i].offset);
  }
  REQUIRE(one.shared_symbols.size() == other.shared_symbols.size());
  for (std::size_t i = 0; i < one.shared_symbols.size(); ++i) {
    CHECK(one.shared_symbols[i].name == other.shared_symbols[i].name);
    CHECK(one.shared_symbols[i].offset == other.shared_symbols[i].offset);
    CHECK(one.shared_symbols[i].bytes == other.shared_symbols[i].bytes);
  }
}

/// Labels may be added for places that had none, but none is lost.
void check_keeps_labels(const ir::Kernel& before, const ir::Kernel& after) {
  for (const ir::Label& label : before.labels) {
    const auto same = [&](const ir::Label& each) { return each.name == label.name && each.pc == label.pc; };
    CHECK(std::any_of(after.labels.begin(), after.labels.end(), same));
  }
}

/// Two labels of one name would be no kernel.
bool has_duplicate_labels(const ir::Kernel& kernel) {
  std::vector<std::string> names;
  for (const ir::Label& label : kernel.labels) names.push_back(label.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

TEST_CASE("any kernel that the table allows comes back from its text as it was") {
  unsigned checked = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const ir::Kernel kernel = RandomKernel(seed).make();
    if (has_duplicate_labels(kernel)) continue;
    const std::string text = disassemble(kernel);
    CAPTURE(seed, text);
    const auto again = assemble(text, "again.sass");
    REQUIRE(again.size() == 1);
    check_same(kernel, again[0]);
    check_keeps_labels(kernel, again[0]);
    CHECK(disassemble(again[0]) == text);
    ++checked;
  }
  CHECK(checked > 400);
}

std::string again(const std::string& line) {
  const auto kernels =
      assemble(".kernel k\n.param a ptr\n.param n u32\n.const data u32 1, 2, 3, 4, 5, 6, 7, 8, 9\n" + line +
                   "\nEXIT\n",
               "");
  return disassemble(kernels[0], 0);
}

TEST_CASE("instructions are written as NVIDIA's disassemblers write them") {
  for (const char* line : {"@!P0 FADD R4, -|R1|, 0.5",
                           "ISETP.GE.U32.AND P0, PT, R0, c[n], PT",
                           "IMAD.WIDE R2, R0, 0x4, c[a]",
                           "LDG.E.128 R4, [R2.64+0x10]",
                           "STG.E [R2.64-0x8], RZ",
                           "LDG.E R4, [R2.64+UR4+0x10]",
                           "LDG.E R4, [R3.U32+UR6]",
                           "LDG.E R4, [R3.U32+URZ+0x8]",
                           "STG.E [UR4.64-0x8], R1",
                           "LDG.E.64 R4, [RZ.U32+UR4]",
                           "LDS.64 R4, [R2+0x10]",
                           "LDS R4, [UR4+0x10]",
                           "LDS R4, [R2.X4+UR4]",
                           "STS [R2.X16-0x10], R3",
                           "STS [R2+UR4], R3",
                           "STS [RZ+0x20], R1",
                           "LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT",
                           "SHF.R.U32.HI R1, RZ, 0x1f, R0",
                           "IADD3 R0, R0, -0x1, RZ",
                           "LOP3.LUT R0, R1, 0xffff0000, RZ, 0xc0, !PT",
                           "FSETP.NEU.AND P0, PT, R1, +INF, !P3",
                           "MUFU.RSQ R0, |R1|",
                           "SHFL.DOWN PT, R3, R2, 0x10, 0x1f",
                           "BAR.SYNC.DEFER_BLOCKING 0x0",
                           "MOV R1, c[0x0][0x28]",
                           "S2R R0, SR_TID.X",
                           "NOP",
                           "IADD3 R0, P0, R1, -R2, RZ",
                           "IADD3 R0, PT, P1, R1, R2, RZ",
                           "IADD3.X R3, R4, ~R5, RZ, P0",
                           "IADD3.X R3, R4, R5, RZ, !PT, P1",
                           "LEA.HI.X R3, P1, R0, R5, R1, 0x2, P0",
                           "LOP3.LUT P0, RZ, R3, 0x1, RZ, 0xc0, !PT",
                           "PLOP3.LUT P0, PT, P0, !P1, PT, 0x80, 0x8",
                           "VOTE.ANY R0, PT, P0",
                           "VOTE.ALL P0, !P1",
                           "MATCH.ALL PT, R4, R3",
                           "REDUX.MIN.S32 R4, R3",
                           "FFMA.FTZ.RP.SAT R0, R1, R2, -R3",
                           "F2I.FTZ.U32.TRUNC.NTZ R3, R2",
                           "I2F.U32.RP R0, R5",
                           "IMAD.MOV.U32 R2, RZ, RZ, RZ",
                           "DFMA R4, R2, -0.1, |R6|",
                           "DADD R4, -R2, c[a]",
                           "MOV R0, 0x3f000000",
                           "HFMA2.MMA R5, -RZ, RZ, 1.875, -0",
                           "HADD2 R0, R1, 0x7c000000",
                           "HMUL2.BF16_V2 R0, -|R1|, 3.140625, -0.5",
                           "F2FP.BF16.F32.PACK_AB R0, R1, 2",
                           "MUFU.RCP64H R3, R5",
                           "HMMA.16816.F32 R4, R8, R2, RZ",
                           "HMMA.16816.F32.BF16 R4, R8, R2, R4",
                           "HMMA.1688.F16 R4, R8, R2, R4",
                           "ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P1",
                           "IMAD.X R3, RZ, RZ, ~R4, P0",
                           "P2R R0, PR, RZ, 0x7f",
                           "R2P PR, R0, 0x7e",
                           "PRMT.RC16 R0, R1, R2, RZ",
                           "DADD.RM R0, R2, -R4",
                           "HFMA2.FTZ.SAT R0, R1.H0_H0, -|R2|.H1_H1, c[0x0][0x160].H0_H0",
                           "I2I.U8.S32.SAT R0, R1",
                           "FSET.BF.GT.FTZ.AND R5, |R4|, -R5, !P0",
                           "FCHK P1, R6, -R7",
                           "HSETP2.BF16_V2.NEU.AND P0, PT, R6.H0_H0, 1, 1, PT",
                           "HADD2.F32 R0, -RZ, R1.H0_H0",
                           "FFMA R0, R1.reuse, -R2.reuse, R3",
                           "HFMA2 R0, R1.H0_H0.reuse, |R2.reuse|, R3",
                           "HSETP2.GEU.AND P0, P1, R2, R3.H1_H1, PT",
                           "LDSM.16.M88 R4, [R2]",
                           "FADD R0, R1, -c[0x3][0x20]",
                           "LDC.U8 R0, c[0x3][R4+0x7]",
                           "LDC.64 R2, c[0x0][R0]",
                           "LDSM.16.MT88.4 R4, [R2+0x100]",
                           "S2R R0, SR_LTMASK",
                           "PRMT R5, R4, 0x7610, R5",
                           "BAR.SYNC 0x1, 0x40",
                           "BAR.SYNC.DEFER_BLOCKING R4, 0x80",
                           "BAR.ARV R3, R5",
                           "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0",
                           "BAR.RED.AND.DEFER_BLOCKING 0x2, 0x60, !P1",
                           "IADD.64 R4, -R4, R8",
                           "IADD.64 R4, R4, -0x80000000",
                           "IADD.64 RZ, P0, R4, -R8",
                           "IADD.64.X R6, R6, ~R10, P0",
                           "VIMNMX.U16x2 R0, R2, R3, PT",
                           "VIMNMX3.S16x2 R0, R2, R3, R4, !PT",
                           "IADD.64 R4, R4.reuse, UR6",
                           "MOV.64 R4, 0xfff8000000000000",
                           "MOV.64 R4, RZ",
                           "SEL.64 R4, R6, 0xffffffffffffffff, P0",
                           "ISETP.GE.U64.AND P0, PT, R4, R6, PT",
                           "ISETP.NE.S64.AND P0, PT, R4, UR6, PT",
                           "UISETP.GE.S64.AND UP0, UPT, UR4, 0x1, UPT",
                           "IMNMX.U64 PT, PT, R2, R2, UR6, !PT, !PT",
                           "UMOV.64 UR4, 0x3fe62e42fefa39ef",
                           "UIADD3.64 UR4, UPT, UPT, UR4, -0x1, URZ",
                           "USEL.64 UR4, UR6, 0x8, !UP0",
                           "I2F.U8 R0, R4.B3",
                           "I2F.S8 R0, R4.B1.reuse",
                           "I2F.S16 R0, R4.H1",
                           "UI2F.U32.RP UR4, UR6",
                           "UI2FP.F32.S32 UR4, UR6",
                           "UFADD UR4, -UR6, 1",
                           "FMNMX3.FTZ R0, R1, |R2|, -R3, !PT",
                           "VIMNMX3 R0, R1, R2, R3, PT",
                           "IDP.2A.HI.S16.U8 R0, R1, R2, R3",
                           "HSET2.BF.EQ.AND R0, R1.H0_H0, 1, 2, PT",
                           "I2F.BF16 R0, R1",
                           "BAR.RED.OR R3, UP1",
                           "BAR.RED.OR R3, !UPT",
                           "B2R.RESULT R0",
                           "B2R.RESULT RZ, P0",
                           "CS2R R2, SR_CLOCKLO",
                           "CS2R.32 R2, SR_CLOCKLO",
                           "CS2R R4, SRZ",
                           "NANOSLEEP 0x64",
                           "NANOSLEEP R0",
                           "MEMBAR.SC.GPU",
                           "MEMBAR.ALL.CTA",
                           "ERRBAR",
                           "CCTL.IVALL",
                           "LDGSTS.E.BYPASS.LTC128B.128 [R3+0x10], [R4.64-0x20]",
                           "LDGSTS.E.64 [R3], [R4.64]",
                           "LDGDEPBAR",
                           "DEPBAR.LE SB0, 0x1",
                           "BREAK B0",
                           "BREAK P0, B0",
                           "@P1 BREAK !P0, B15",
                           "RET.REL.NODEC R20 0x0",
                           "RET"}) {
    CHECK(again(line) == line);
  }
}

TEST_CASE("a default that can be written is left out unless the opcode asks for it") {
  CHECK(again("ISETP.GE.S32.AND P0, PT, R0, 0x1, PT") == "ISETP.GE.AND P0, PT, R0, 0x1, PT");
  CHECK(again("F2I.S32.RN R0, R1") == "F2I R0, R1");
}

TEST_CASE("a jump to a place without label gets one that no other place has") {
  ir::Kernel kernel = assemble(".kernel k\n.L_1: NOP\nNOP\nx: BRA x\n", "")[0];
  kernel.labels.pop_back();
  kernel.instructions[2].operands[1].value = 1;
  CHECK(disassemble(kernel) == ".kernel k\n.L_1:\n    NOP\n.L_1_:\n    NOP\n    BRA .L_1_\n");
}

TEST_CASE("several kernels go through text one by one") {
  const std::string text =
      ".kernel one\n.param a ptr\n    LDC.64 R2, c[a]\n    EXIT\n"
      ".kernel two\n.shared tile 20\n.shared tail 4 align 4\n.registers 32\ntop:\n    BRA top\n";
  std::string out;
  for (const ir::Kernel& kernel : assemble(text, "")) out += disassemble(kernel);
  CHECK(out == text);
}

std::vector<std::string> random_texts() {
  std::vector<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ir::Kernel kernel = RandomKernel(seed).make();
    if (!has_duplicate_labels(kernel)) texts.push_back(disassemble(kernel));
  }
  return texts;
}

TEST_CASE("damaged texts are either kernels or refused with messages") {
  const std::vector<std::string> texts = random_texts();
  std::mt19937_64 random(20240607);
  unsigned refused = 0;
  unsigned accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = texts[random() % texts.size()];
    if (round % 4 == 0) text.erase(random() % text.size(), random() % 100);
    for (std::uint64_t i = random() % 4; i > 0; --i)
      text[random() % text.size()] = static_cast<char>(random());
    CAPTURE(round, text);
    try {
      for (const ir::Kernel& kernel : assemble(text, "damaged.sass")) {
        check_same(kernel, assemble(disassemble(kernel), "")[0]);
      }
      ++accepted;
    } catch (const InputError& error) {
      ++refused;
      CHECK_FALSE(error.list().empty());
    }
  }
  CHECK(refused > 500);
  CHECK(accepted > 100);
}

}  // namespace
}  // namespace heddle::text
