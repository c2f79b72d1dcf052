#include "tools/cuda/image/host_program.h"

#include <cstdint>
#include <map>

#include "isa/cubin/elf.h"

namespace heddle::image {

namespace {

using cubin::ByteView;
using cubin::Elf;
using cubin::Section;

const ByteView* bytes_of(const Elf& elf, std::string_view section) {
  const Section* found = elf.find(section);
  return found != nullptr ? &found->bytes : nullptr;
}

void read_dynamic(const Elf& elf, const ByteView& names, HostProgram& program) {
  constexpr std::uint64_t kEntryBytes = 16;
  constexpr std::uint64_t kEnd = 0;
  constexpr std::uint64_t kNeeded = 1;
  constexpr std::uint64_t kRpath = 15;
  const ByteView* dynamic = bytes_of(elf, ".dynamic");
  if (dynamic == nullptr) return;
  for (std::uint64_t at = 0; at + kEntryBytes <= dynamic->size(); at += kEntryBytes) {
    const std::uint64_t tag = dynamic->u64(at);
    if (tag == kEnd) return;
    if (tag == kNeeded) program.libraries.emplace_back(names.name(dynamic->u64(at + 8)));
    program.has_own_path |= tag == kRpath;
  }
}

/// By the number of a version, the library that must have it.
std::map<unsigned, std::string> libraries_of_versions(const Elf& elf, const ByteView& names) {
  std::map<unsigned, std::string> libraries;
  const ByteView* needs = bytes_of(elf, ".gnu.version_r");
  if (needs == nullptr) return libraries;
  for (std::uint64_t at = 0;;) {
    const std::string library(names.name(needs->u32(at + 4)));
    std::uint64_t version = at + needs->u32(at + 8);
    for (unsigned left = needs->u16(at + 2); left > 0; --left) {
      libraries[needs->u16(version + 6)] = library;
      version += needs->u32(version + 12);
    }
    const std::uint32_t next = needs->u32(at + 12);
    if (next == 0) return libraries;
    at += next;
  }
}

void read_symbols(const Elf& elf, const ByteView& names, HostProgram& program) {
  constexpr std::uint64_t kSymbolBytes = 24;
  constexpr unsigned kGlobal = 1;
  constexpr unsigned kWeak = 2;
  constexpr unsigned kHiddenVersion = 0x8000;
  const ByteView* symbols = bytes_of(elf, ".dynsym");
  if (symbols == nullptr) return;
  const ByteView* versions = bytes_of(elf, ".gnu.version");
  const std::map<unsigned, std::string> libraries = libraries_of_versions(elf, names);
  for (std::uint64_t i = 1; (i + 1) * kSymbolBytes <= symbols->size(); ++i) {
    const std::uint64_t at = i * kSymbolBytes;
    const unsigned binding = symbols->u8(at + 4) >> 4;
    const bool is_defined = symbols->u16(at + 6) != 0;
    const std::string name(names.name(symbols->u32(at)));
    if (is_defined && (binding == kGlobal || binding == kWeak)) program.offered.push_back(name);
    if (is_defined || binding != kGlobal) continue;
    const unsigned version = versions != nullptr ? versions->u16(i * 2) & ~kHiddenVersion : 0;
    const auto library = libraries.find(version);
    program.wanted.push_back({name, library != libraries.end() ? library->second : ""});
  }
}

}  // namespace

HostProgram read_host_program(std::string_view bytes, const std::string& file) {
  const Elf elf = cubin::read_elf(bytes, file);
  HostProgram program;
  if (const ByteView* code = bytes_of(elf, ".nv_fatbin")) program.device_code = code->text();
  if (const ByteView* code = bytes_of(elf, "__nv_relfatbin")) program.prelinked_code = code->text();
  const ByteView* names = bytes_of(elf, ".dynstr");
  if (names == nullptr) return program;
  read_dynamic(elf, *names, program);
  read_symbols(elf, *names, program);
  return program;
}

}  // namespace heddle::image
