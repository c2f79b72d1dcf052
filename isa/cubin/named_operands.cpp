#include "isa/cubin/named_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "isa/cubin/numbers.h"
#include "isa/cubin/operands.h"
#include "isa/ir/kernel.h"

namespace heddle::cubin {

namespace {

constexpr BitRange kBase = {24, 8};     // the register of an address
constexpr BitRange kOffset = {40, 24};  // what is added to it, with a sign
constexpr BitRange kBank = {54, 5};
constexpr BitRange kConstant = {38, 16};  // the place in the bank, in bytes
constexpr std::uint64_t kNoRegister = 255;

using Text = std::optional<std::string>;

/// "R2+UR4+0x10": its parts with signs between them.
std::string sum_text(std::string base, const std::string& uniform, std::int64_t offset) {
  if (!uniform.empty()) base += base.empty() ? uniform : "+" + uniform;
  if (base.empty()) return signed_text(offset);
  return offset == 0 ? base : fmt::format("{}+{}", base, signed_text(offset));
}

std::int64_t offset_of(Reading& reading) { return as_signed(reading.take(kOffset), kOffset.count); }

/// Where an access to global memory has what its address is made of.
struct GlobalBits {
  unsigned uniform;     ///< A uniform register: a descriptor, or an address that is added.
  unsigned pair;        ///< The bit of an address in a register pair; else one register of 32 bits.
  unsigned descriptor;  ///< The bit of a descriptor.
};
constexpr GlobalBits kLoadBits = {32, 90, 76};
constexpr GlobalBits kStoreBits = {64, 90, 76};
constexpr GlobalBits kReduceBits = {64, 90, 71};
constexpr GlobalBits kAtomicBits = {64, 70, 71};
constexpr unsigned kFirstWithWideUniforms = 100;  // uniform registers have eight bits
constexpr GlobalBits kWideReduceBits = {64, 90, 81};
constexpr GlobalBits kWideAtomicBits = {64, 63, 76};

constexpr unsigned kHasUniform = 91;
constexpr unsigned kPrintsDescriptors = 90;  // compilers for older GPUs leave them out

Text global_address(const GlobalBits& bits, Reading& reading) {
  constexpr unsigned kIsWide = 72;
  constexpr unsigned kShowsDescriptor = 101;
  const std::uint64_t base = reading.take(kBase);
  const unsigned offset_bits = std::min(kOffset.count, bits.pair - kOffset.first);
  const std::int64_t offset = as_signed(reading.take({kOffset.first, offset_bits}), offset_bits);
  if (!reading.bit(kIsWide)) return std::nullopt;
  if (!reading.bit(kHasUniform)) {
    constexpr unsigned kFirstWithDescriptors = 80;
    if (reading.capability() >= kFirstWithDescriptors) return std::nullopt;
    reading.mark({64, 8});
    return fmt::format("[{}]", sum_text(register_text(base), "", offset));
  }
  const std::string uniform = uniform_at(bits.uniform, reading);
  const bool is_shown = reading.bit(kShowsDescriptor) || reading.capability() >= kPrintsDescriptors;
  const std::string text = register_text(base) + (reading.bit(bits.pair) ? ".64" : ".U32");
  if (reading.bit(bits.descriptor))
    return fmt::format("{}[{}]", is_shown ? fmt::format("desc[{}]", uniform) : "",
                       sum_text(text, "", offset));
  return fmt::format("[{}]", sum_text(base == kNoRegister ? "" : text, uniform, offset));
}

Text reduced_address(Reading& reading) {
  return global_address(reading.capability() >= kFirstWithWideUniforms ? kWideReduceBits : kReduceBits,
                        reading);
}

Text atomic_address(Reading& reading) {
  return global_address(reading.capability() >= kFirstWithWideUniforms ? kWideAtomicBits : kAtomicBits,
                        reading);
}

/// An mbarrier: a register and a uniform one, which is printed beside another though it is URZ.
std::string mbarrier_with(std::string_view scale, Reading& reading) {
  const std::uint64_t base = reading.take(kBase);
  const std::string uniform = uniform_at(64, reading);
  const std::string text =
      base == kNoRegister ? uniform : fmt::format("{}{}+{}", register_text(base), scale, uniform);
  return fmt::format("[{}]", sum_text(text, "", offset_of(reading)));
}

constexpr unsigned kHighUniform = 64;
constexpr unsigned kScale = 78;
constexpr unsigned kNoScale = 0;
constexpr std::array<std::string_view, 4> kScales = {"", ".X4", ".X8", ".X16"};

Text scaled_mbarrier(Reading& reading) { return mbarrier_with(kScales[reading.take({kScale, 2})], reading); }

/// Shared memory: a register that counts units of 1, 4, 8 or 16 bytes, a uniform one, a number.
Text shared_address(unsigned uniform_bit, unsigned scale_at, Reading& reading) {
  const std::uint64_t base = reading.take(kBase);
  const std::int64_t offset = offset_of(reading);
  const bool has_uniform = reading.bit(kHasUniform);
  const std::string uniform = has_uniform ? uniform_at(uniform_bit, reading) : "";
  if (!has_uniform && uniform_bit == kHighUniform) reading.mark({kHighUniform, 8});
  const std::string_view scale = scale_at == kNoScale ? "" : kScales[reading.take({scale_at, 2})];
  const bool has_base = base != kNoRegister || !scale.empty();
  std::string text = has_base ? register_text(base) + std::string(scale) : "";
  if (text.empty() && uniform.empty()) {
    return offset == 0 ? "[RZ]" : fmt::format("[{}]", signed_text(offset));
  }
  return fmt::format("[{}]", sum_text(text, uniform, offset));
}

/// ATOMG.CAS: its third register lies where others have a uniform one.
Text compared_address(Reading& reading) {
  constexpr unsigned kIsWide = 72;
  const std::string base = register_text(reading.take(kBase));
  if (!reading.bit(kIsWide)) return std::nullopt;
  return fmt::format("[{}]", sum_text(base, "", offset_of(reading)));
}

/// LDGSTS: "[R7+0x100], [R34.64]", where it writes in shared memory and what it reads in global memory.
Text copy_addresses(Reading& reading) {
  constexpr unsigned kHasDescriptor = 76;
  if (!reading.bit(kHasUniform) || !reading.bit(kHasDescriptor)) return std::nullopt;
  const std::string to =
      sum_text(register_text(reading.take({16, 8})), "", as_signed(reading.take({44, 20}), 20));
  const std::string from =
      sum_text(register_text(reading.take(kBase)) + ".64", "", as_signed(reading.take({32, 12}), 12));
  const std::string descriptor = uniform_at(64, reading);
  if (reading.capability() >= kFirstWithWideUniforms) reading.mark({83, 1});
  if (reading.capability() < kPrintsDescriptors) return fmt::format("[{}], [{}]", to, from);
  return fmt::format("[{}], desc[{}][{}]", to, descriptor, from);
}

/// c[0x3][R4+0x10]: a constant whose place a register says.
Text indexed_constant(Reading& reading) {
  const std::uint64_t index = reading.take(kBase);
  const std::uint64_t bank = reading.take(kBank);
  const std::int64_t offset = as_signed(reading.take(kConstant), kConstant.count);
  if (index == kNoRegister && offset == 0) return fmt::format("c[{:#x}][RZ]", bank);
  if (index == kNoRegister)
    return fmt::format("c[{:#x}][{:#x}]", bank,
                       static_cast<std::uint64_t>(offset) & low_bits(kConstant.count));
  return fmt::format("c[{:#x}][{}]", bank, sum_text(register_text(index), "", offset));
}

/// The same with a uniform register.
Text uniform_indexed_constant(Reading& reading) {
  const bool is_wide = reading.capability() >= kFirstWithWideUniforms;
  const BitRange place = is_wide ? BitRange{37, 17} : kConstant;
  const std::string index = uniform_at(kBase.first, reading);
  const std::uint64_t bank = reading.take(kBank);
  const std::uint64_t offset = reading.take(place);
  if (index == "URZ" && offset != 0) return fmt::format("c[{:#x}][{:#x}]", bank, offset);
  return fmt::format("c[{:#x}][{}]", bank, sum_text(index, "", as_signed(offset, place.count)));
}

/// How far a jump goes, in bytes. Since 9.0 the lowest bits of the distance, in units of 4 bytes, stand
/// apart.
std::int64_t distance_of(unsigned bits, Reading& reading) {
  constexpr unsigned kFirstSplit = 90;
  constexpr BitRange kLow = {16, 8};
  const std::uint64_t high = reading.take({34, bits});
  if (reading.capability() < kFirstSplit) return as_signed(high, bits) * 4;
  return as_signed(high << kLow.count | reading.take(kLow), bits + kLow.count) * 4;
}

/// Where a jump leads: its distance counts from the next instruction.
std::string target(std::int64_t distance, const Reading& reading) {
  const std::uint64_t next = reading.address() + ir::kInstructionBytes;
  return unsigned_text(next + static_cast<std::uint64_t>(distance));
}

/// BSSY: its distance has fewer bits, and its barrier lies where jumps have their lowest bits.
std::string near_target(Reading& reading) {
  constexpr BitRange kDistance = {34, 30};
  return target(as_signed(reading.take(kDistance), kDistance.count) * 4, reading);
}

constexpr unsigned kDistanceBits = 48;

/// BRXU UR4 -0x300.
std::string uniform_indirect_target(Reading& reading) {
  const std::string base = uniform_at(kBase.first, reading);
  return fmt::format("{} {}", base, signed_text(distance_of(kDistanceBits, reading)));
}

/// LEPC: its distance counts bytes.
std::string counted_target(Reading& reading) {
  constexpr BitRange kDistance = {24, 58};
  return target(as_signed(reading.take(kDistance), kDistance.count), reading);
}

/// BRX R6 -0x670: a distance that is added to a register.
std::string indirect_target(Reading& reading) {
  const std::string base = register_text(reading.take(kBase));
  return fmt::format("{} {}", base, signed_text(distance_of(kDistanceBits, reading)));
}

/// How an access is ordered, and for whom. Before 8.0 the two are told apart.
Text order_of_access(Reading& reading) {
  constexpr unsigned kFirstTogether = 80;
  constexpr std::array<std::string_view, 4> kOrders = {".CONSTANT", "", ".STRONG", ".MMIO"};
  constexpr std::array<std::string_view, 4> kScopes = {".CTA", ".SM", ".GPU", ".SYS"};
  constexpr std::array<std::string_view, 16> kTogether = {
      "",          ".CONSTANT.PRIVATE", ".CONSTANT.CTA",        ".CONSTANT.CTA.PRIVATE",
      ".CONSTANT", ".STRONG.SM",        ".STRONG.GPU.PRIVATE",  ".STRONG.GPU",
      ".MMIO.GPU", ".CONSTANT.SM",      ".STRONG.SYS",          ".CONSTANT.SM.PRIVATE",
      ".MMIO.SYS", ".CONSTANT.VC",      ".CONSTANT.VC.PRIVATE", ".CONSTANT.GPU"};
  if (reading.capability() >= kFirstTogether) return std::string(kTogether[reading.take({77, 4})]);
  const std::string_view scope = kScopes[reading.take({77, 2})];
  return std::string(kOrders[reading.take({79, 2})]) + std::string(scope);
}

/// How many columns a product of a warpgroup has.
Text columns(Reading& reading) {
  constexpr std::uint64_t kColumns = 8;
  return std::to_string((reading.take({53, 5}) + 1) * kColumns);
}

/// Those of a product of whole numbers or bits: 8, 16, 24, 32, and from there on in steps of 16.
Text whole_columns(std::uint64_t number) {
  constexpr std::uint64_t kSmall = 4;
  constexpr std::uint64_t kMost = 17;
  if (number > kMost) return std::nullopt;
  return std::to_string(number < kSmall ? 8 * (number + 1) : 16 * (number - 1));
}

Text bit_columns(Reading& reading) { return whole_columns(reading.take({53, 5})); }

/// The field counts by threes.
Text byte_columns(Reading& reading) {
  constexpr std::uint64_t kStep = 3;
  const std::uint64_t field = reading.take({53, 6});
  return field % kStep == 0 ? whole_columns(field / kStep) : std::nullopt;
}

/// ", UP0": whether a product of a warpgroup adds C; nothing for UPT. The predicates are numbered from the last one on.
Text adds(Reading& reading) {
  constexpr std::uint64_t kTrue = 7;
  constexpr unsigned kNegated = 90;
  const std::uint64_t index = kTrue - reading.take({87, 3});
  const bool is_negated = reading.bit(kNegated);
  if (index == kTrue && !is_negated) return std::string();
  return fmt::format(", {}{}", is_negated ? "!" : "", predicate_text(index, true));
}

/// ", desc[UR4]": how L2 is to keep what is copied; nothing where the copy does not say.
Text hint(Reading& reading) {
  constexpr unsigned kHasHint = 76;
  constexpr unsigned kRegister = 40;
  return reading.bit(kHasHint) ? fmt::format(", desc[{}]", uniform_at(kRegister, reading)) : std::string();
}

/// Which of the four channels of a texture are read; nothing for all.
Text channels(Reading& reading) {
  constexpr std::uint64_t kAll = 15;
  const std::uint64_t mask = reading.take({72, 4});
  return mask == kAll ? std::string() : fmt::format(", {}", unsigned_text(mask));
}

/// {2,1}: barriers that DEPBAR waits for.
std::string listed_scoreboards(Reading& reading) {
  constexpr unsigned kScoreboards = 6;
  const std::uint64_t mask = reading.take({32, kScoreboards});
  std::string list;
  for (unsigned i = kScoreboards; i-- > 0;)
    if ((mask >> i & 1) != 0) list += fmt::format("{}{}", list.empty() ? "" : ",", i);
  return list.empty() ? list : fmt::format(" {{{}}}", list);
}

/// DEPBAR.LE SB0, 0x0, {2,1}: those that it waits for besides.
Text scoreboards(Reading& reading) {
  const std::string list = listed_scoreboards(reading);
  return list.empty() ? list : "," + list;
}

/// tmem[UR4+0x10]: what is added to a place in tensor memory.
Text tensor_offset(Reading& reading) {
  constexpr unsigned kLowBits = 24;
  const std::uint64_t low = reading.take({40, kLowBits});
  const std::int64_t offset = as_signed(reading.take({72, 8}) << kLowBits | low, 32);
  return offset == 0 ? std::string() : fmt::format("+{}", signed_text(offset));
}

/// UTCHMMA: the descriptor of the product lies in the register behind that of a place in tensor memory.
Text product_descriptor(Reading& reading) { return fmt::format("UR{}", reading.take({40, 8}) + 1); }

/// What is added to a register.
Text added_offset(Reading& reading) {
  const std::int64_t offset = offset_of(reading);
  return offset == 0 ? std::string() : fmt::format("+{}", signed_text(offset));
}

/// The same in units of 32 bytes, with so many bits.
Text offset_of_32_bytes(unsigned bits, Reading& reading) {
  constexpr std::int64_t kUnit = 32;
  const std::int64_t offset = as_signed(reading.take({kOffset.first, bits}), bits) * kUnit;
  return offset == 0 ? std::string() : fmt::format("+{}", signed_text(offset));
}

/// What CCTL adds to its register.
Text added_distance(Reading& reading) {
  const std::int64_t distance = as_signed(reading.take({32, 32}), 32);
  return distance == 0 ? std::string() : fmt::format("+{}", signed_text(distance));
}

struct SpecialRegister {
  std::uint8_t code;
  std::string_view name;
};
constexpr auto kSpecialRegisters = std::to_array<SpecialRegister>({
#define SPECIAL_REGISTER_CODE(code, name) {code, name},
#include "isa/cubin/special_register_codes.def"
#undef SPECIAL_REGISTER_CODE
});

Text special_register(Reading& reading) {
  const std::uint64_t code = reading.take({72, 8});
  const auto* found = std::find_if(kSpecialRegisters.begin(), kSpecialRegisters.end(),
                                   [code](const SpecialRegister& each) { return each.code == code; });
  if (found == kSpecialRegisters.end()) return std::nullopt;
  return std::string(found->name);
}

/// The truth table of PLOP3, in two parts.
Text truth_table(Reading& reading) {
  return unsigned_text(reading.take({64, 3}) | reading.take({72, 5}) << 3);
}

/// IMAD and its names: .MOV adds to a product that is zero or the other factor's; .IADD multiplies by one;
/// .SHL by a power of two, and adds nothing.
Text product_form(Reading& reading) {
  constexpr unsigned kIsSigned = 73;
  constexpr unsigned kSecondNumber = 4;
  constexpr unsigned kSecondUniform = 6;
  constexpr unsigned kThirdUniform = 7;
  const Encoding& encoding = reading.encoding();
  const std::string sign = reading.bit(kIsSigned) ? "" : ".U32";
  const unsigned form = reading.form();
  const auto is_zero = [&](unsigned at) { return bits_of(encoding, {at, 8}) == kNoRegister; };
  const bool has_number = form == kSecondNumber;
  const std::uint64_t number = bits_of(encoding, {32, 32});
  if (form == kSecondUniform || form == kThirdUniform) return sign;
  const bool is_second_high = form == 2 || form == 3;
  const bool adds_nothing = !is_second_high && is_zero(64);
  const bool is_second_zero = has_number       ? number == 0
                              : is_second_high ? is_zero(64)
                                               : form == 1 && is_zero(32);
  if (is_zero(24) || is_second_zero || (has_number && number == 1 && adds_nothing)) return ".MOV" + sign;
  if (has_number && number == 1) return ".IADD" + sign;
  constexpr std::uint64_t kSign = 0x80000000;
  constexpr std::uint64_t kHalfWord = 0x10000;  // nvdisasm prints this factor as one
  if (has_number && std::has_single_bit(number) && number != kSign && number != kHalfWord && adds_nothing)
    return ".SHL" + sign;
  return sign;
}

}  // namespace

std::string constant_text(Reading& reading) {
  const std::uint64_t offset = reading.take(kConstant);
  if (reading.bit(kHasUniform)) return fmt::format("cx[{}][{:#x}]", uniform_at(32, reading), offset);
  return fmt::format("c[{:#x}][{:#x}]", reading.take(kBank), offset);
}

Text named_operand(std::string_view name, Reading& reading) {
  using Reader = Text (*)(Reading&);
  constexpr auto kNamed = std::to_array<std::pair<std::string_view, Reader>>({
      {"loaded", [](Reading& each) { return global_address(kLoadBits, each); }},
      {"stored", [](Reading& each) { return global_address(kStoreBits, each); }},
      {"reduced", reduced_address},
      {"atomic", atomic_address},
      {"mbarrier", [](Reading& each) { return Text(mbarrier_with("", each)); }},
      {"scaled mbarrier", scaled_mbarrier},
      {"compared", compared_address},
      {"shared, 32", [](Reading& each) { return shared_address(32, kScale, each); }},
      {"shared, 64", [](Reading& each) { return shared_address(64, kScale, each); }},
      {"shared, 64 unscaled", [](Reading& each) { return shared_address(64, kNoScale, each); }},
      {"shared, unscaled", [](Reading& each) { return shared_address(32, kNoScale, each); }},
      {"copy", copy_addresses},
      {"indexed constant", indexed_constant},
      {"uniform indexed constant", uniform_indexed_constant},
      {"constant", [](Reading& each) { return Text(constant_text(each)); }},
      {"absolute target", [](Reading& each) { return Text(signed_text(distance_of(kDistanceBits, each))); }},
      {"target", [](Reading& each) { return Text(target(distance_of(kDistanceBits, each), each)); }},
      {"counted target", [](Reading& each) { return Text(counted_target(each)); }},
      {"near target", [](Reading& each) { return Text(near_target(each)); }},
      {"uniform indirect target", [](Reading& each) { return Text(uniform_indirect_target(each)); }},
      {"indirect target", [](Reading& each) { return Text(indirect_target(each)); }},
      {"special", special_register},
      {"table", truth_table},
      {"product form", product_form},
      {"distance", added_distance},
      {"offset", added_offset},
      {"offset of 32 bytes, 17", [](Reading& each) { return offset_of_32_bytes(17, each); }},
      {"offset of 32 bytes, 19", [](Reading& each) { return offset_of_32_bytes(19, each); }},
      {"scoreboards", scoreboards},
      {"all scoreboards", [](Reading& each) { return Text(listed_scoreboards(each)); }},
      {"tensor offset", tensor_offset},
      {"descriptor", product_descriptor},
      {"channels", channels},
      {"columns", columns},
      {"byte columns", byte_columns},
      {"bit columns", bit_columns},
      {"adds", adds},
      {"hint", hint},
      {"order", order_of_access},
  });
  for (const auto& [known, text] : kNamed)
    if (known == name) return text(reading);
  throw std::logic_error(fmt::format("encodings.def: no operand is called '{}'", name));
}

}  // namespace heddle::cubin
