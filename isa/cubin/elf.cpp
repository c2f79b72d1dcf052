#include "isa/cubin/elf.h"

#include <algorithm>

namespace heddle::cubin {

namespace {

constexpr std::string_view kMagic =
    "\x7f"
    "ELF";
constexpr std::uint8_t kClass64 = 2;
constexpr std::uint8_t kLittleEndian = 1;
constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::uint64_t kSectionBytes = 64;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint32_t kSymbolTable = 2;  // SHT_SYMTAB
constexpr std::uint32_t kNoBits = 8;       // SHT_NOBITS

/// The header of a section. Its name is still missing: the table of names is a section itself.
Section section_at(const ByteView& file, std::uint64_t at) {
  Section section{{},
                  file.u32(at + 4),
                  file.u64(at + 8),
                  file.u32(at + 40),
                  file.u32(at + 44),
                  file.u64(at + 32),
                  file.part(0, 0, "")};
  if (section.type != kNoBits && section.type != 0)
    section.bytes = file.part(file.u64(at + 24), section.size, "a section");
  return section;
}

void read_sections(const ByteView& file, Elf& elf) {
  const std::uint64_t table = file.u64(40);
  const std::uint16_t count = file.u16(60);
  const std::uint16_t names = file.u16(62);
  if (count == 0) return;
  if (file.u16(58) != kSectionBytes)
    file.fail(58, fmt::format("headers of sections have {} bytes, not {}", file.u16(58), kSectionBytes));
  const ByteView headers = file.part(table, count * kSectionBytes, "the table of sections");
  (void)headers;
  for (std::uint64_t i = 0; i < count; ++i)
    elf.sections.push_back(section_at(file, table + i * kSectionBytes));
  if (names >= count) file.fail(62, fmt::format("section {} has the names, of {} sections", names, count));
  for (std::uint64_t i = 0; i < count; ++i)
    elf.sections[i].name = elf.sections[names].bytes.name(file.u32(table + i * kSectionBytes));
}

void read_symbols(const ByteView& file, Elf& elf) {
  const auto is_table = [](const Section& section) { return section.type == kSymbolTable; };
  const auto table = std::find_if(elf.sections.begin(), elf.sections.end(), is_table);
  if (table == elf.sections.end()) return;
  if (table->link >= elf.sections.size())
    file.fail(0, fmt::format("section {} has the names of symbols, of {} sections", table->link,
                             elf.sections.size()));
  const ByteView& names = elf.sections[table->link].bytes;
  for (std::uint64_t at = 0; at + kSymbolBytes <= table->bytes.size(); at += kSymbolBytes) {
    const ByteView& bytes = table->bytes;
    elf.symbols.push_back({names.name(bytes.u32(at)), static_cast<std::uint8_t>(bytes.u8(at + 4) & 0xf),
                           bytes.u8(at + 5), bytes.u16(at + 6), bytes.u64(at + 8), bytes.u64(at + 16)});
  }
}

}  // namespace

const Section* Elf::find(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [name](const Section& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

bool is_elf(std::string_view bytes) { return bytes.starts_with(kMagic); }

Elf read_elf(std::string_view bytes, const std::string& file) {
  const ByteView view(bytes, file);
  if (!is_elf(bytes)) view.fail(0, "this is no ELF file");
  (void)view.part(0, kHeaderBytes, "the header");
  if (view.u8(4) != kClass64 || view.u8(5) != kLittleEndian)
    view.fail(4, "this ELF file is not a little-endian one of 64 bits");
  Elf elf;
  elf.machine = view.u16(18);
  elf.abi_version = view.u8(8);
  elf.flags = view.u32(48);
  read_sections(view, elf);
  read_symbols(view, elf);
  return elf;
}

}  // namespace heddle::cubin
