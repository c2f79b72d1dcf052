// The sections and symbols of a 64-bit little-endian ELF file, as ptxas, nvlink and host linkers write them
// (System V ABI, chapter 4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cubin/byte_view.h"

namespace heddle::cubin {

/// e_machine of code for NVIDIA's GPUs.
inline constexpr std::uint16_t kCudaMachine = 190;

/// A section. Its names and bytes lie in the file.
struct Section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint32_t link = 0;  ///< sh_link
  std::uint32_t info = 0;  ///< sh_info
  std::uint64_t size =
      0;           ///< Bytes; of a section without bytes in the file, those that it will have in memory.
  ByteView bytes;  ///< Empty where the file has none.
};

/// A symbol: a function, a section or a variable.
struct Symbol {
  std::string_view name;
  std::uint8_t type = 0;      ///< kFunctionSymbol and others.
  std::uint8_t other = 0;     ///< st_other: has kEntryBit for kernels.
  std::uint16_t section = 0;  ///< Its index.
  std::uint64_t value = 0;    ///< Where it begins in its section, in bytes.
  std::uint64_t size = 0;     ///< Bytes.
};

/// The section of function F is ".text.F".
inline constexpr std::string_view kCodePrefix = ".text.";

inline constexpr std::uint8_t kFunctionSymbol = 2;  ///< STT_FUNC
inline constexpr std::uint8_t kEntryBit = 0x10;     ///< STO_CUDA_ENTRY

/// An ELF file.
struct Elf {
  std::uint16_t machine = 0;
  std::uint8_t abi_version = 0;
  std::uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;

  /// The section of that name; null if there is none.
  [[nodiscard]] const Section* find(std::string_view name) const;
};

/// Whether the bytes begin as those of an ELF file.
bool is_elf(std::string_view bytes);

/// Reads headers, sections and symbols. The result points into `bytes` and to `file`. Throws InputError where
/// something lies beyond the end of the file.
Elf read_elf(std::string_view bytes, const std::string& file);

}  // namespace heddle::cubin
