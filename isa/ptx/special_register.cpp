#include "isa/ptx/special_register.h"

#include <array>
#include <unordered_map>

#include "isa/base/read_number.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kCount = static_cast<std::size_t>(SpecialRegister::kCount);
constexpr std::string_view kNumbered = "<n>";

constexpr std::array<SpecialRegisterInfo, kCount> kTable = {{
#define SPECIAL_REGISTER(name, word, type, width) {word, Modifier::type, width},
#include "isa/ptx/special_registers.def"
#undef SPECIAL_REGISTER
}};

std::unordered_map<std::string_view, SpecialRegister> make_index() {
  std::unordered_map<std::string_view, SpecialRegister> index;
  for (std::size_t i = 0; i < kCount; ++i) index.emplace(kTable[i].word, static_cast<SpecialRegister>(i));
  return index;
}

/// %envreg12 of %envreg<n>.
std::optional<SpecialRegisterName> match_numbered(std::string_view word, SpecialRegister special) {
  const std::string_view pattern = info(special).word;
  const std::size_t hole = pattern.find(kNumbered);
  const std::string_view tail = pattern.substr(hole + kNumbered.size());
  if (word.size() <= pattern.size() - kNumbered.size()) return std::nullopt;
  if (!word.starts_with(pattern.substr(0, hole)) || !word.ends_with(tail)) return std::nullopt;
  const auto number = number_in<std::uint8_t>(word.substr(hole, word.size() - hole - tail.size()));
  if (!number) return std::nullopt;
  return SpecialRegisterName{special, *number};
}

}  // namespace

const SpecialRegisterInfo& info(SpecialRegister special) { return kTable[static_cast<std::size_t>(special)]; }

std::optional<SpecialRegisterName> find_special_register(std::string_view word) {
  static const std::unordered_map<std::string_view, SpecialRegister> index = make_index();
  if (!word.starts_with('%')) return std::nullopt;
  const auto found = index.find(word);
  if (found != index.end()) return SpecialRegisterName{found->second, 0};
  for (const SpecialRegister each : {SpecialRegister::EnvReg, SpecialRegister::Pm, SpecialRegister::Pm64,
                                     SpecialRegister::ReservedSmemOffset}) {
    if (const auto name = match_numbered(word, each)) return name;
  }
  return std::nullopt;
}

}  // namespace heddle::ptx
