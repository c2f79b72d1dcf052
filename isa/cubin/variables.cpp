#include "isa/cubin/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "isa/cubin/bits.h"
#include "isa/cubin/decoder.h"
#include "isa/cubin/relocations.h"
#include "isa/ir/system_variables.h"

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

/// The place in bank 4 at `at` is to have the symbol's address.
void add_address(const Elf& elf, const Symbol& symbol, std::uint64_t at, Image& image) {
  if (at + kAddressBytes > image.address_bytes) return;
  if (symbol.type == kFunctionSymbol)
    image.function_pointers.push_back({std::string(symbol.name), std::string(), at});
  if (!is_variable(elf, symbol)) return;
  image.variables.push_back({variable_of(elf, symbol), static_cast<std::uint32_t>(at)});
}

/// The addresses of others that a variable begins with, and of functions.
void add_relocations(const Elf& elf, const Symbol& symbol, ir::Variable& variable, Image& image) {
  for_each_relocation(elf, elf.sections[symbol.section].name, [&](const Relocation& each) {
    const bool is_inside = each.at >= symbol.value && each.at + kAddressBytes <= symbol.value + symbol.size;
    if (is_inside && each.symbol.type == kFunctionSymbol)
      image.function_pointers.push_back(
          {std::string(each.symbol.name), variable.name, each.at - symbol.value});
    if (!is_inside || !is_variable(elf, each.symbol)) return;
    variable.relocations.push_back(
        {each.at - symbol.value, kAddressBytes, 0, std::string(each.symbol.name), each.addend});
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
    add_relocations(elf, symbol, variable, image);
    const std::uint64_t bank_bytes = 4 * image.constants.size();
    if (is_constant && symbol.value <= bank_bytes && symbol.size <= bank_bytes - symbol.value) {
      variable.space = ir::VariableSpace::Constant;
      image.variables.push_back({variable, static_cast<std::uint32_t>(symbol.value)});
    }
    image.all_variables.push_back(std::move(variable));
  }
}

/// Where %envreg1 and %envreg2 lie in bank 0, by ptxas 13.0. From 10.0 on code finds them by the size of its
/// cluster.
struct WorkspacePlaces {
  std::uint32_t upper;  // %envreg1, the upper half of the address
  std::uint32_t lower;  // %envreg2
};

WorkspacePlaces workspace_places(unsigned capability) {
  constexpr unsigned kHopper = 90;
  return capability < kHopper ? WorkspacePlaces{0x8c, 0x90} : WorkspacePlaces{0x44, 0x48};
}

/// Where `bytes` more of bank 3 would begin. Nothing if the bank is too full for them.
std::optional<std::uint32_t> more_constants_at(const Image& image, std::uint32_t bytes) {
  const auto at = static_cast<std::uint32_t>((4 * image.constants.size() + kAddressBytes - 1) /
                                             kAddressBytes * kAddressBytes);
  return at + bytes > ir::kConstantBankBytes ? std::nullopt : std::optional(at);
}

void take_constants(Image& image, std::uint32_t at, std::uint32_t bytes) {
  image.constants.resize((at + bytes + 3) / 4);
}

}  // namespace

std::optional<std::uint32_t> add_constants(Image& image, std::uint32_t bytes) {
  const auto at = more_constants_at(image, bytes);
  if (at) take_constants(image, *at, bytes);
  return at;
}

namespace {

constexpr unsigned kPlaceAt = 38;
constexpr BitRange kPlace = {kPlaceAt, 16};
constexpr BitRange kBank = {54, 5};

/// Lets instructions that read a place of a bank read moved(place) of bank 3, if is_moved(place). An
/// instruction reads a bank if its text says so: the fields of bank and place mean something else in others.
template <typename IsMoved, typename Moved>
void move_to_data_bank(Image& image, std::uint64_t bank, IsMoved is_moved, Moved moved) {
  const Decoder decoder(image.capability);
  for (Function& function : image.functions) {
    std::uint64_t address = 0;
    for (Encoding& encoding : function.code) {
      const std::uint64_t here = std::exchange(address, address + ir::kInstructionBytes);
      const std::uint64_t place = bits_of(encoding, kPlace);
      if (bits_of(encoding, kBank) != bank || !is_moved(place)) continue;
      const auto text = decoder.decode(encoding, here);
      if (!text || text->find(fmt::format("c[{:#x}][", bank)) == std::string::npos) continue;
      encoding[0] += (moved(place) - place) << kPlaceAt;
      encoding[0] += (ir::kDataBank - bank) << kBank.first;
    }
  }
}

constexpr BitRange kOpcode = {0, 12};

/// An instruction that puts a number into a register, and the one that takes it from a constant bank.
struct NumberMove {
  std::uint64_t of_number;
  std::uint64_t of_constant;
  std::uint64_t upper_bits;  // which the latter has beside those of the former, of bits 64 to 127
};
constexpr NumberMove kNumberMoves[] = {{0x802, 0xa02, 0},       // MOV
                                       {0x882, 0xab9, 0x800}};  // UMOV and ULDC, of 32 bits

const NumberMove* form_of(const Encoding& encoding) {
  const auto* const found =
      std::ranges::find(kNumberMoves, bits_of(encoding, kOpcode), &NumberMove::of_number);
  return found == std::end(kNumberMoves) ? nullptr : found;
}

void read_constant_instead(Encoding& encoding, const NumberMove& form, std::uint64_t place) {
  constexpr unsigned kNumberAt = 32;
  encoding[0] &= low_bits(kNumberAt) & ~low_bits(kOpcode.count);
  encoding[0] |= form.of_constant | place << kPlaceAt | std::uint64_t{ir::kDataBank} << kBank.first;
  encoding[1] |= form.upper_bits;
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
  for_each_relocation(elf, kAddresses,
                      [&](const Relocation& each) { add_address(elf, each.symbol, each.at, image); });
}

void move_addresses(Image& image) {
  if (image.address_bytes == 0) return;
  const auto base = add_constants(image, image.address_bytes);
  if (!base) return;
  for (ir::UsedVariable& used : image.variables) {
    if (used.variable.space == ir::VariableSpace::Global) used.at += *base;
  }
  for (FunctionPointer& pointer : image.function_pointers) {
    if (pointer.variable.empty()) pointer.at += *base;
  }
  constexpr std::uint64_t kAddressBank = 4;
  move_to_data_bank(
      image, kAddressBank, [](std::uint64_t) { return true; },
      [&](std::uint64_t place) { return place + *base; });
  image.address_bytes = 0;
}

namespace {

bool names_kernel(const CodeRelocation& relocation) {
  return relocation.kind == kLowKernelRelocation || relocation.kind == kHighKernelRelocation;
}

bool is_high(const CodeRelocation& relocation) {
  return relocation.kind == kHighWordRelocation || relocation.kind == kHighKernelRelocation;
}

bool is_half(const CodeRelocation& relocation) {
  return relocation.kind == kLowWordRelocation || is_high(relocation) || names_kernel(relocation);
}

/// What has the address of a kernel is a variable of its own.
std::string variable_name_of(const CodeRelocation& relocation, Image& image) {
  if (!names_kernel(relocation)) return relocation.symbol;
  std::string name = ir::kernel_variable(relocation.symbol);
  if (std::ranges::find(image.all_variables, name, &ir::Variable::name) == image.all_variables.end()) {
    ir::Variable made;
    made.name = name;
    made.bytes = made.alignment = ir::kKernelVariableBytes;
    image.all_variables.push_back(std::move(made));
  }
  return name;
}

}  // namespace

void move_code_addresses(Image& image) {
  std::map<std::string, std::uint32_t> places;
  const auto place_of = [&](const std::string& name) -> std::optional<std::uint32_t> {
    if (const auto known = places.find(name); known != places.end()) return known->second;
    const auto variable = std::ranges::find(image.all_variables, name, &ir::Variable::name);
    if (variable == image.all_variables.end()) return std::nullopt;
    const auto at = add_constants(image, kAddressBytes);
    if (!at) return std::nullopt;
    image.variables.push_back({*variable, *at});
    return places[name] = *at;
  };
  for (Function& function : image.functions) {
    std::erase_if(function.relocations, [&](const CodeRelocation& each) {
      const std::uint64_t index = each.at / ir::kInstructionBytes;
      if (!is_half(each) || each.addend != 0 || index >= function.code.size()) return false;
      const NumberMove* form = form_of(function.code[index]);
      const auto place = form != nullptr ? place_of(variable_name_of(each, image)) : std::nullopt;
      if (!place) return false;
      read_constant_instead(function.code[index], *form, *place + (is_high(each) ? kAddressBytes / 2 : 0));
      return true;
    });
  }
}

void add_grid_workspace(Image& image) {
  constexpr unsigned kFoundByCluster = 100;
  const auto at = more_constants_at(image, kAddressBytes);
  if (image.capability >= kFoundByCluster || !at) return;
  const WorkspacePlaces places = workspace_places(image.capability);
  bool is_read = false;
  move_to_data_bank(
      image, 0, [&](std::uint64_t place) { return place == places.upper || place == places.lower; },
      [&](std::uint64_t place) {
        is_read = true;
        return place == places.lower ? *at : *at + kAddressBytes / 2;
      });
  if (!is_read) return;
  take_constants(image, *at, kAddressBytes);
  ir::Variable workspace;
  workspace.name = ir::kGridWorkspaceVariable;
  workspace.bytes = ir::kGridWorkspaceBytes;
  workspace.alignment = kAddressBytes;
  image.variables.push_back({workspace, *at});
  image.all_variables.push_back(std::move(workspace));
}

}  // namespace heddle::cubin
