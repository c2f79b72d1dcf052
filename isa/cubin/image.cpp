#include "isa/cubin/image.h"

#include <algorithm>
#include <cstring>

#include "isa/cubin/attributes.h"
#include "isa/cubin/call_graph.h"
#include "isa/cubin/elf.h"
#include "isa/cubin/line_table.h"
#include "isa/cubin/relocations.h"
#include "isa/cubin/variables.h"

namespace heddle::cubin {

namespace {

constexpr std::string_view kConstants = ".nv.constant3";
constexpr std::size_t kMostInstructions = 1'000'000;
constexpr unsigned kOldest = 70;

// ptxas of CUDA 13 writes version 8, where the capability stands in another byte of the flags.
constexpr std::uint8_t kNewAbi = 8;

// Older compilers keep the number of registers and barriers in the header of the code's section.
constexpr unsigned kRegisterShift = 24;
constexpr unsigned kBarrierShift = 20;
constexpr std::uint32_t kMostBarriers = 0x7f;

std::vector<std::uint32_t> words_of(const ByteView& bytes) {
  if (bytes.size() > ir::kConstantBankBytes)
    bytes.fail(
        0, fmt::format("a constant bank has {} bytes; the most is {}", bytes.size(), ir::kConstantBankBytes));
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (bytes.size() != 0) std::memcpy(words.data(), bytes.text().data(), bytes.size());
  return words;
}

std::vector<Encoding> code_of(const ByteView& bytes, std::size_t& total) {
  if (bytes.size() % ir::kInstructionBytes != 0)
    bytes.fail(0, fmt::format("code of {} bytes is no whole number of instructions of {}", bytes.size(),
                              ir::kInstructionBytes));
  std::vector<Encoding> code(bytes.size() / ir::kInstructionBytes);
  total += code.size();
  if (total > kMostInstructions)
    bytes.fail(0, fmt::format("a file has at most {} instructions", kMostInstructions));
  if (!code.empty()) std::memcpy(code.data(), bytes.text().data(), bytes.size());
  return code;
}

std::vector<CodeRelocation> relocations_of(const Elf& elf, std::string_view section) {
  std::vector<CodeRelocation> all;
  for_each_relocation(elf, section, [&](const Relocation& each) {
    all.push_back({each.at, each.kind, std::string(each.symbol.name), each.addend});
  });
  return all;
}

unsigned capability_of(const Elf& elf) {
  return elf.abi_version >= kNewAbi ? (elf.flags >> 8) & 0xff : elf.flags & 0xff;
}

/// The section's size counts the reserved bytes, too.
void take_shared_bytes(const Section& section, unsigned capability, Function& function) {
  constexpr unsigned kFirstWithReserved = 90;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;  // no GPU has so much; what has more is damaged
  if (section.size > kMost)
    section.bytes.fail(0, fmt::format("static shared memory of {} bytes", section.size));
  const auto bytes = static_cast<std::uint32_t>(section.size);
  const bool has_reserved = capability >= kFirstWithReserved && bytes >= kReservedSharedBytes;
  function.reserved_shared_bytes = has_reserved ? kReservedSharedBytes : 0;
  function.shared_bytes = bytes - function.reserved_shared_bytes;
}

Function function_of(const Elf& elf, const Section& text, unsigned capability, std::size_t& total) {
  Function function;
  const std::string_view name = text.name.substr(kCodePrefix.size());
  function.name = name;
  function.code = code_of(text.bytes, total);
  function.registers = text.info >> kRegisterShift;
  function.barriers = static_cast<std::uint32_t>(text.flags >> kBarrierShift) & kMostBarriers;
  if (const Section* shared = elf.find(".nv.shared." + std::string(name)))
    take_shared_bytes(*shared, capability, function);
  if (const Section* tables = elf.find(".nv.constant2." + std::string(name)))
    function.tables = words_of(tables->bytes);
  if (const Section* info = elf.find(".nv.info." + std::string(name))) read_attributes(info->bytes, function);
  function.relocations = relocations_of(elf, text.name);
  return function;
}

/// Symbols tell which functions are kernels, and which one an attribute is about.
std::vector<std::size_t> functions_of_symbols(const Elf& elf, Image& image) {
  std::vector<std::size_t> found(elf.symbols.size(), kNoFunction);
  for (std::size_t i = 0; i < elf.symbols.size(); ++i) {
    const Symbol& symbol = elf.symbols[i];
    if (symbol.type != kFunctionSymbol) continue;
    const auto is_same = [&](const Function& function) { return function.name == symbol.name; };
    const auto function = std::find_if(image.functions.begin(), image.functions.end(), is_same);
    if (function == image.functions.end()) continue;
    function->is_entry = (symbol.other & kEntryBit) != 0;
    found[i] = static_cast<std::size_t>(function - image.functions.begin());
  }
  return found;
}

}  // namespace

bool has_code(const Image& image, std::string_view function) {
  return std::ranges::any_of(image.functions, [&](const Function& each) { return each.name == function; });
}

bool is_cubin(std::string_view bytes) {
  constexpr std::size_t kMachineAt = 18;
  if (!is_elf(bytes) || bytes.size() < kMachineAt + 2) return false;
  return static_cast<std::uint8_t>(bytes[kMachineAt]) == kCudaMachine && bytes[kMachineAt + 1] == 0;
}

Image read_image(std::string_view bytes, const std::string& file) {
  const Elf elf = read_elf(bytes, file);
  if (elf.machine != kCudaMachine)
    throw InputError({file}, fmt::format("is ELF code for machine {}, not for an NVIDIA GPU ({})",
                                         elf.machine, kCudaMachine));
  Image image;
  image.capability = capability_of(elf);
  if (image.capability < kOldest)
    throw InputError({file},
                     fmt::format("is machine code for compute capability {}.{}; from 7.0 on it can be read",
                                 image.capability / 10, image.capability % 10));
  std::size_t total = 0;
  for (const Section& section : elf.sections) {
    if (section.name.starts_with(kCodePrefix))
      image.functions.push_back(function_of(elf, section, image.capability, total));
  }
  if (image.functions.empty()) throw InputError({file}, "there is no function in this machine code");
  std::sort(image.functions.begin(), image.functions.end(),
            [](const Function& a, const Function& b) { return a.name < b.name; });
  const std::vector<std::size_t> found = functions_of_symbols(elf, image);
  if (const Section* info = elf.find(".nv.info")) read_common_attributes(info->bytes, found, image);
  if (const Section* constants = elf.find(kConstants)) image.constants = words_of(constants->bytes);
  read_variables(elf, image);
  read_call_graph(elf, image);
  read_line_table(elf, image);
  return image;
}

}  // namespace heddle::cubin
