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

/// The place in bank 4 at `at` is to have the symbol's address. Functions have none here.
void add_variable(const Elf& elf, std::uint32_t number, std::uint64_t at, Image& image) {
  if (number >= elf.symbols.size()) return;
  const Symbol& symbol = elf.symbols[number];
  if (symbol.type != kObjectSymbol || symbol.section >= elf.sections.size()) return;
  if (symbol.size > kMostBytes || at + kAddressBytes > image.address_bytes) return;
  ir::UsedVariable& used = image.variables.emplace_back();
  used.at = static_cast<std::uint32_t>(at);
  used.variable.name = symbol.name;
  used.variable.bytes = symbol.size;
  used.variable.alignment = kAddressBytes;
  used.variable.data = bytes_of(elf.sections[symbol.section], symbol);
}

}  // namespace

void read_variables(const Elf& elf, Image& image) {
  const Section* addresses = elf.find(kAddresses);
  if (addresses == nullptr) return;
  if (addresses->bytes.size() > ir::kConstantBankBytes)
    addresses->bytes.fail(0, fmt::format("a constant bank has {} bytes; the most is {}",
                                         addresses->bytes.size(), ir::kConstantBankBytes));
  image.address_bytes = static_cast<std::uint32_t>(addresses->bytes.size());
  for (const auto& [prefix, bytes] : {std::pair{".rel", 16U}, {".rela", 24U}}) {
    const Section* section = elf.find(std::string(prefix) + std::string(kAddresses));
    if (section == nullptr) continue;
    constexpr std::uint64_t kSymbolAt = 12;
    for (std::uint64_t at = 0; at + bytes <= section->bytes.size(); at += bytes)
      add_variable(elf, section->bytes.u32(at + kSymbolAt), section->bytes.u64(at), image);
  }
}

// An instruction reads bank 4 if its text says so: the fields of bank and place mean something else in
// others.
void move_addresses(Image& image) {
  if (image.variables.empty()) return;
  const auto base = static_cast<std::uint32_t>((4 * image.constants.size() + kAddressBytes - 1) /
                                               kAddressBytes * kAddressBytes);
  if (base + image.address_bytes > ir::kConstantBankBytes) return;
  image.constants.resize((base + image.address_bytes + 3) / 4);
  for (ir::UsedVariable& used : image.variables) used.at += base;
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
