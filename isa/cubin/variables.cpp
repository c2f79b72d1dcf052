#include "isa/cubin/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/cubin/bits.h"
#include "isa/cubin/decoder.h"

namespace heddle::cubin {

namespace {

constexpr std::string_view kAddresses = ".nv.constant4";
constexpr std::string_view kConstants = ".nv.constant3";
constexpr std::uint8_t kObjectSymbol = 1;                     // STT_OBJECT
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of a variable; what has more is damaged
constexpr std::uint64_t kAddressBytes = 8;

std::vector<std::byte> bytes_of(const Section& section, const Symbol& symbol) {
  if (section.bytes.size() == 0) return {};
  const std::string_view text = section.bytes.part(symbol.value, symbol.size, "a variable").text();
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

bool is_variable(const Elf& elf, const Symbol& symbol) {
  return symbol.type == kObjectSymbol && symbol.section < elf.sections.size() && symbol.size <= kMostBytes;
}

ir::Variable variable_of(const Elf& elf, const Symbol& symbol) {
  ir::Variable variable;
  variable.name = symbol.name;
  variable.bytes = symbol.size;
  variable.alignment = kAddressBytes;
  variable.data = bytes_of(elf.sections[symbol.section], symbol);
  return variable;
}

/// Calls visit(place, symbol) for each relocation of the section that has a symbol. Entries have 16 bytes, or
/// 24 with an addend.
template <typename Visit>
void for_each_relocation(const Elf& elf, std::string_view section_name, Visit visit) {
  for (const auto& [prefix, bytes] : {std::pair{".rel", 16U}, {".rela", 24U}}) {
    const Section* section = elf.find(std::string(prefix) + std::string(section_name));
    if (section == nullptr) continue;
    constexpr std::uint64_t kSymbolAt = 12;
    constexpr std::uint64_t kAddendAt = 16;
    for (std::uint64_t at = 0; at + bytes <= section->bytes.size(); at += bytes) {
      const std::uint32_t number = section->bytes.u32(at + kSymbolAt);
      if (number >= elf.symbols.size()) continue;
      visit(section->bytes.u64(at), elf.symbols[number],
            bytes > kAddendAt ? section->bytes.u64(at + kAddendAt) : 0);
    }
  }
}

/// The place in bank 4 at `at` is to have the symbol's address.
void add_address(const Elf& elf, const Symbol& symbol, std::uint64_t at, Image& image) {
  if (symbol.type == kFunctionSymbol) image.called_by_address.emplace_back(symbol.name);
  if (!is_variable(elf, symbol) || at + kAddressBytes > image.address_bytes) return;
  image.variables.push_back({variable_of(elf, symbol), static_cast<std::uint32_t>(at)});
}

/// The addresses of others that a variable begins with.
void add_relocations(const Elf& elf, const Symbol& symbol, ir::Variable& variable) {
  for_each_relocation(elf, elf.sections[symbol.section].name,
                      [&](std::uint64_t at, const Symbol& target, std::uint64_t addend) {
                        const bool is_inside =
                            at >= symbol.value && at + kAddressBytes <= symbol.value + symbol.size;
                        if (!is_inside || !is_variable(elf, target)) return;
                        variable.relocations.push_back(
                            {at - symbol.value, kAddressBytes, 0, std::string(target.name), addend});
                      });
}

/// All variables, each once, and those of bank 3 as what kernels have there.
void add_all(const Elf& elf, Image& image) {
  for (const Symbol& symbol : elf.symbols) {
    if (!is_variable(elf, symbol)) continue;
    const std::string_view section = elf.sections[symbol.section].name;
    const bool is_constant = section == kConstants;
    if (!is_constant && !section.starts_with(".nv.global")) continue;
    ir::Variable variable = variable_of(elf, symbol);
    add_relocations(elf, symbol, variable);
    const std::uint64_t bank_bytes = 4 * image.constants.size();
    if (is_constant && symbol.value <= bank_bytes && symbol.size <= bank_bytes - symbol.value) {
      variable.space = ir::VariableSpace::Constant;
      image.variables.push_back({variable, static_cast<std::uint32_t>(symbol.value)});
    }
    image.all_variables.push_back(std::move(variable));
  }
}

}  // namespace

void read_variables(const Elf& elf, Image& image) {
  add_all(elf, image);
  const Section* addresses = elf.find(kAddresses);
  if (addresses == nullptr) return;
  if (addresses->bytes.size() > ir::kConstantBankBytes)
    addresses->bytes.fail(0, fmt::format("a constant bank has {} bytes; the most is {}",
                                         addresses->bytes.size(), ir::kConstantBankBytes));
  image.address_bytes = static_cast<std::uint32_t>(addresses->bytes.size());
  for_each_relocation(elf, kAddresses, [&](std::uint64_t at, const Symbol& symbol, std::uint64_t) {
    add_address(elf, symbol, at, image);
  });
}

// An instruction reads bank 4 if its text says so: the fields of bank and place mean something else in
// others.
void move_addresses(Image& image) {
  if (image.address_bytes == 0) return;
  const auto base = static_cast<std::uint32_t>((4 * image.constants.size() + kAddressBytes - 1) /
                                               kAddressBytes * kAddressBytes);
  if (base + image.address_bytes > ir::kConstantBankBytes) return;
  image.constants.resize((base + image.address_bytes + 3) / 4);
  for (ir::UsedVariable& used : image.variables) {
    if (used.variable.space == ir::VariableSpace::Global) used.at += base;
  }
  const Decoder decoder(image.capability);
  constexpr unsigned kPlaceAt = 38;
  constexpr BitRange kBank = {54, 5};
  constexpr std::uint64_t kAddressBank = 4;
  constexpr std::uint64_t kFromAddressesToData = std::uint64_t{kAddressBank - ir::kDataBank} << kBank.first;
  for (Function& function : image.functions) {
    std::uint64_t address = 0;
    for (Encoding& encoding : function.code) {
      const std::uint64_t here = std::exchange(address, address + ir::kInstructionBytes);
      if (bits_of(encoding, kBank) != kAddressBank) continue;
      const auto text = decoder.decode(encoding, here);
      if (!text || text->find("c[0x4][") == std::string::npos) continue;
      encoding[0] += (std::uint64_t{base} << kPlaceAt) - kFromAddressesToData;
    }
  }
  image.address_bytes = 0;
}

}  // namespace heddle::cubin
