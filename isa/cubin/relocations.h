// The relocations of a section: places in it that a loader gives the address of a symbol.
#pragma once

#include <string>
#include <utility>

#include "isa/cubin/elf.h"

namespace heddle::cubin {

/// The place at `at` of a section gets the address of a symbol.
struct Relocation {
  std::uint64_t at;
  std::uint32_t kind;  ///< NVIDIA's R_CUDA_...
  const Symbol& symbol;
  std::uint64_t addend;
};

/// Calls visit(relocation) for each that has a symbol, in the sections .rel and .rela of this one. Entries
/// have 16 bytes, or 24 with an addend (System V ABI, chapter 4).
template <typename Visit>
void for_each_relocation(const Elf& elf, std::string_view section_name, Visit visit) {
  for (const auto& [prefix, bytes] : {std::pair{".rel", 16U}, {".rela", 24U}}) {
    const Section* section = elf.find(std::string(prefix) + std::string(section_name));
    if (section == nullptr) continue;
    constexpr std::uint64_t kKindAt = 8;
    constexpr std::uint64_t kSymbolAt = 12;
    constexpr std::uint64_t kAddendAt = 16;
    for (std::uint64_t at = 0; at + bytes <= section->bytes.size(); at += bytes) {
      const std::uint32_t number = section->bytes.u32(at + kSymbolAt);
      if (number >= elf.symbols.size()) continue;
      visit(Relocation{section->bytes.u64(at), section->bytes.u32(at + kKindAt), elf.symbols[number],
                       bytes > kAddendAt ? section->bytes.u64(at + kAddendAt) : 0});
    }
  }
}

}  // namespace heddle::cubin
