#include "isa/text/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/edit_distance.h"
#include "isa/ir/special_register.h"
#include "isa/text/lexer.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

/// "R12" with prefix 'R': 12. Leading zeros make other names, so that a register has one only.
std::optional<std::uint8_t> parse_numbered(std::string_view text, char prefix, unsigned greatest) {
  if (text.size() < 2 || text.size() > 4 || text[0] != prefix) return std::nullopt;
  if (text[1] == '0' && text.size() > 2) return std::nullopt;
  const auto number = parse_integer(text.substr(1));
  if (!number || *number > greatest) return std::nullopt;
  return static_cast<std::uint8_t>(*number);
}

template <std::size_t Size>
std::optional<std::size_t> find(const std::array<std::string_view, Size>& names, std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::optional<std::uint8_t> parse_register(std::string_view text) {
  return text == "RZ" ? ir::kRegisterZero : parse_numbered(text, 'R', ir::kMaxRegister);
}

std::optional<std::uint8_t> parse_uniform(std::string_view text) {
  if (text == "URZ") return ir::kUniformZero;
  return text.starts_with('U') ? parse_numbered(text.substr(1), 'R', ir::kMaxUniform) : std::nullopt;
}

std::optional<std::uint8_t> parse_predicate(std::string_view text) {
  return text == "PT" ? ir::kPredicateTrue : parse_numbered(text, 'P', ir::kPredicateTrue - 1);
}

std::optional<std::uint8_t> parse_uniform_predicate(std::string_view text) {
  if (text == kUniformTrueName) return ir::kUniformPredicateTrue;
  const auto number = text.starts_with('U') ? parse_predicate(text.substr(1)) : std::nullopt;
  if (!number) return std::nullopt;
  return static_cast<std::uint8_t>(ir::kFirstUniformPredicate + *number);
}

std::optional<ir::RegisterPart> parse_register_part(std::string_view text) {
  const auto* found = std::find(kRegisterParts.begin() + 1, kRegisterParts.end(), text);
  if (found == kRegisterParts.end()) return std::nullopt;
  return static_cast<ir::RegisterPart>(found - kRegisterParts.begin());
}

std::string_view register_part_text(ir::RegisterPart part) { return kRegisterParts[static_cast<std::size_t>(part)]; }

std::string_view scale_suffix(std::uint8_t bytes) {
  const auto has_bytes = [bytes](const AddressScale& scale) { return scale.bytes == bytes; };
  return std::find_if(kAddressScales.begin(), kAddressScales.end(), has_bytes)->suffix;
}

std::string register_name(ir::RegisterIndex index) {
  return index == ir::kRegisterZero ? "RZ" : fmt::format("R{}", index);
}

std::string uniform_name(ir::RegisterIndex index) {
  return index == ir::kUniformZero ? "URZ" : fmt::format("UR{}", index);
}

std::string descriptor_signs(std::uint64_t bits) {
  std::string text;
  for (const DescriptorSign& sign : kDescriptorSigns) {
    if ((bits & sign.bit) != 0) text += sign.name;
  }
  return text;
}

std::string predicate_name(ir::RegisterIndex index) {
  if (ir::is_uniform_predicate(index))
    return fmt::format("U{}", predicate_name(index - ir::kFirstUniformPredicate));
  return index == ir::kPredicateTrue ? "PT" : fmt::format("P{}", index);
}

std::optional<std::uint8_t> parse_convergence_barrier(std::string_view text) {
  return parse_numbered(text, 'B', ir::kMaxConvergenceBarrier);
}

std::string convergence_barrier_name(ir::RegisterIndex index) { return fmt::format("B{}", index); }

std::optional<std::uint8_t> parse_special_register(std::string_view text) {
  const auto place = find(ir::kSpecialRegisterNames, text);
  if (!place) return std::nullopt;
  return static_cast<std::uint8_t>(*place);
}

std::optional<ir::ParamType> parse_param_type(std::string_view text) {
  const auto place = find(kParamTypeNames, text);
  if (!place) return std::nullopt;
  return static_cast<ir::ParamType>(*place);
}

std::string_view param_type_name(ir::ParamType type) {
  return kParamTypeNames[static_cast<std::size_t>(type)];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = kLongestCompared + 1;
  for (const std::string_view candidate : candidates.first(std::min(candidates.size(), kMostCandidates))) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  if (best.empty() || edit_distance(word, best) > most_slips(word)) return {};
  return fmt::format("; did you mean {}?", quoted(best));
}

}  // namespace heddle::text
