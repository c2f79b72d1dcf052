// Names of registers, types and the like in kernel text. Parser and printer both use them, so they always
// agree.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/ir/kernel.h"

namespace heddle::text {

std::optional<std::uint8_t> parse_register(std::string_view text);   ///< R0 to R254, RZ
std::optional<std::uint8_t> parse_predicate(std::string_view text);
std::optional<std::uint8_t> parse_uniform_predicate(std::string_view text);

/// UR0 to UR62, URZ
std::optional<std::uint8_t> parse_uniform(std::string_view text);
std::string uniform_name(ir::RegisterIndex index);
inline constexpr std::string_view kUniformTrueName = "UPT";
inline constexpr std::string_view kGroupScoreboardName = "gsb0";  ///< For warpgroup products.
inline constexpr std::string_view kDescriptorsName = "gdesc";
inline constexpr std::string_view kHintName = "desc";

/// What may stand behind a matrix descriptor, in this order.
struct DescriptorSign {
  std::uint64_t bit;
  std::string_view name;
};
inline constexpr std::array<DescriptorSign, 4> kDescriptorSigns = {{{ir::kNegatedA, ".negA"},
                                                                    {ir::kNegatedB, ".negB"},
                                                                    {ir::kTransposedA, ".tnspA"},
                                                                    {ir::kTransposedB, ".tnspB"}}};
std::string descriptor_signs(std::uint64_t bits);

/// The suffix of a scaled register in a shared-memory address. It scales by this many bytes.
struct AddressScale {
  std::uint8_t bytes;
  std::string_view suffix;
};
inline constexpr std::array<AddressScale, 4> kAddressScales = {
    {{1, ""}, {4, ".X4"}, {8, ".X8"}, {16, ".X16"}}};
std::string_view scale_suffix(std::uint8_t bytes);

/// The sign of negated operands. In the high words of sums, the bits are inverted instead.
constexpr char negation_sign(const ir::OpcodeInfo& row) { return row.number_type == ir::NumberType::Inverse ? '~' : '-'; }

/// Suffixes of registers in a global-memory address: of a register pair, and of one register beside a uniform
/// pair.
inline constexpr std::string_view kPairSuffix = ".64";
inline constexpr std::string_view kNarrowSuffix = ".U32";

/// Names of all predicates together.
inline constexpr std::string_view kAllPredicatesName = "PR";
inline constexpr std::string_view kAllUniformPredicatesName = "UPR";

/// Suffixes of registers of which only a part is read, in the order of ir::RegisterPart.
inline constexpr std::array<std::string_view, 7> kRegisterParts = {"", ".H0_H0", ".H1_H1", ".H1", ".B1", ".B2", ".B3"};
std::optional<ir::RegisterPart> parse_register_part(std::string_view text);
std::string_view register_part_text(ir::RegisterPart part);

inline constexpr std::string_view kReuse = ".reuse";  ///< Suffix of a register that is read.
std::string register_name(ir::RegisterIndex index);
std::string predicate_name(ir::RegisterIndex index);
std::optional<std::uint8_t> parse_convergence_barrier(std::string_view text);  ///< B0 to B15
std::string convergence_barrier_name(ir::RegisterIndex index);

std::optional<std::uint8_t> parse_special_register(std::string_view text);

/// In the order of ir::ParamType.
inline constexpr std::array<std::string_view, 5> kParamTypeNames = {"u32", "s32", "f32", "u64", "ptr"};
std::optional<ir::ParamType> parse_param_type(std::string_view text);
std::string_view param_type_name(ir::ParamType type);

/// Names of floating-point values without digits, and their bits.
inline constexpr std::string_view kInfinityName = "INF";
inline constexpr std::string_view kQuietNanName = "QNAN";
inline constexpr std::uint32_t kInfinityBits = 0x7f800000;
inline constexpr std::uint32_t kQuietNanBits = 0x7fffffff;
inline constexpr std::uint64_t kDoubleInfinityBits = 0x7ff0000000000000;
inline constexpr std::uint64_t kDoubleNanBits = 0x7ff8000000000000;

/// Alignment of a shared symbol without a declared one; the widest access is 16 bytes.
inline constexpr std::uint32_t kDefaultSharedAlignment = 16;
inline constexpr std::uint32_t kMostSharedAlignment = 1024;

inline constexpr std::size_t kMostCandidates = 1000;

/// The candidate that is most similar to the word, ignoring case; empty if there are no candidates. Only the
/// first kMostCandidates are compared.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean 'FFMA'?" if a candidate is similar to the word; else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace heddle::text
