#include "tools/cuda/image/fat_binary.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace heddle::image {

namespace {

constexpr std::string_view kMagic("\x50\xed\x55\xba", 4);
constexpr std::uint64_t kContainerHeader = 16;
constexpr std::uint64_t kLeastEntryHeader = 64;
constexpr std::uint64_t kAlignment = 8;
constexpr std::uint64_t kLz4Flag = 0x2000;
constexpr std::uint64_t kZstdFlag = 0x8000;
/// No source file has so much code; what says so is damaged.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;

CodeKind kind_of(std::uint16_t number) {
  constexpr std::uint16_t kPtx = 1;
  constexpr std::uint16_t kMachineCode = 2;
  if (number == kPtx) return CodeKind::Ptx;
  return number == kMachineCode ? CodeKind::MachineCode : CodeKind::Other;
}

Packing packing_of(std::uint64_t flags) {
  if ((flags & kZstdFlag) != 0) return Packing::Zstd;
  return (flags & kLz4Flag) != 0 ? Packing::Lz4 : Packing::None;
}

/// The entry whose header begins there; `at` becomes where the next one does.
FatEntry entry_at(const cubin::ByteView& container, std::uint64_t& at) {
  const std::uint32_t header_bytes = container.u32(at + 4);
  if (header_bytes < kLeastEntryHeader)
    container.fail(at + 4, fmt::format("the header of an entry has {} bytes, not {} or more", header_bytes,
                                       kLeastEntryHeader));
  const cubin::ByteView header = container.part(at, header_bytes, "the header of an entry");
  const cubin::ByteView all = container.part(at + header_bytes, header.u64(8), "an entry");
  const Packing packing = packing_of(header.u64(40));
  FatEntry entry{kind_of(header.u16(0)), packing, header.u32(28), all, all.size()};
  if (packing != Packing::None) {
    entry.bytes = all.part(0, header.u32(16), "the packed bytes of an entry");
    entry.unpacked_bytes = header.u64(56);
    if (entry.unpacked_bytes > kMostBytes)
      header.fail(56, fmt::format("an entry of {} bytes when it is unpacked", entry.unpacked_bytes));
  }
  at += header_bytes + all.size();
  return entry;
}

/// How many bytes that made, or why none, in the libraries' words.
std::size_t unpack(Packing packing, std::string_view packed, std::string& text, std::string& problem) {
  if (packing == Packing::Zstd) {
    const std::size_t bytes = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
    if (ZSTD_isError(bytes) != 0) problem = fmt::format("{} (zstd)", ZSTD_getErrorName(bytes));
    return bytes;
  }
  const int bytes = LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()),
                                        static_cast<int>(text.size()));
  if (bytes < 0) problem = "a damaged block (LZ4)";
  return static_cast<std::size_t>(bytes);
}

std::string unpacked(const FatEntry& entry) {
  const std::string_view packed = entry.bytes.text();
  if (entry.packing == Packing::None) return std::string(packed);
  std::string text(entry.unpacked_bytes, '\0');
  std::string problem;
  const std::size_t bytes = unpack(entry.packing, packed, text, problem);
  if (!problem.empty()) entry.bytes.fail(0, fmt::format("an entry cannot be unpacked: {}", problem));
  if (bytes != text.size())
    entry.bytes.fail(0,
                     fmt::format("{} packed bytes hold {} bytes, not {}", packed.size(), bytes, text.size()));
  return text;
}

}  // namespace

bool is_fat_binary(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::string_view fat_binary_at(const void* begin) {
  const auto* bytes = static_cast<const char*>(begin);
  std::uint64_t behind = 0;
  std::memcpy(&behind, bytes + kContainerHeader - sizeof behind, sizeof behind);
  return {bytes, kContainerHeader + behind};
}

std::vector<std::vector<FatEntry>> fat_binaries(std::string_view bytes, const std::string& name) {
  const cubin::ByteView view(bytes, name);
  std::vector<std::vector<FatEntry>> all;
  for (std::uint64_t begin = 0; begin < bytes.size();) {
    if (!is_fat_binary(bytes.substr(begin))) {
      begin += kAlignment;  // what lies between containers, so that the next one is aligned
      continue;
    }
    const std::uint16_t header_bytes = view.u16(begin + 6);
    const cubin::ByteView container =
        view.part(begin, header_bytes + view.u64(begin + 8), "a container of device code");
    std::vector<FatEntry>& entries = all.emplace_back();
    for (std::uint64_t at = header_bytes; at < container.size();) entries.push_back(entry_at(container, at));
    begin += (container.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
  return all;
}

std::string code_of(const FatEntry& entry) {
  std::string code = unpacked(entry);
  if (entry.kind == CodeKind::Ptx) code.resize(std::min(code.find('\0'), code.size()));
  return code;
}

const FatEntry* ptx_for(const std::vector<FatEntry>& entries, unsigned capability) {
  const FatEntry* best = nullptr;
  for (const FatEntry& entry : entries) {
    if (entry.kind != CodeKind::Ptx) continue;
    const bool is_for_it = entry.capability <= capability;
    const bool best_is = best != nullptr && best->capability <= capability;
    const bool is_better = best == nullptr || (is_for_it && !best_is) ||
                           (is_for_it == best_is && (entry.capability > best->capability) == is_for_it);
    if (is_better) best = &entry;
  }
  return best;
}

const FatEntry* machine_code_for(const std::vector<FatEntry>& entries, unsigned capability) {
  constexpr unsigned kMinors = 10;
  const FatEntry* best = nullptr;
  for (const FatEntry& entry : entries) {
    const bool fits = entry.kind == CodeKind::MachineCode &&
                      entry.capability / kMinors == capability / kMinors && entry.capability <= capability;
    if (fits && (best == nullptr || entry.capability > best->capability)) best = &entry;
  }
  return best;
}

}  // namespace heddle::image
