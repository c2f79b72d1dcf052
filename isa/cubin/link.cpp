#include "isa/cubin/link.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "isa/cubin/bits.h"
#include "isa/ir/system_variables.h"

namespace heddle::cubin {

namespace {

// The kinds of relocations that ptxas 13.0 leaves in calls beside halves of addresses, as found in its files.
constexpr std::uint32_t kTarget = 0x3a;         // R_CUDA_ABS47_34: where a call leads, in units of 4 bytes
constexpr std::uint32_t kTargetSince90 = 0x4b;  // the same with its lowest bits apart

/// Instructions that may be appended to all kernels of a file; a damaged one could ask for far more.
constexpr std::size_t kMostAppended = 8'000'000;

void put(Encoding& encoding, BitRange range, std::uint64_t value) {
  encoding[0] &= ~(low_bits(range.count) << range.first);
  encoding[0] |= (value & low_bits(range.count)) << range.first;
}

/// False: this kind is not known.
bool fill_in(Encoding& encoding, std::uint32_t kind, std::uint64_t address) {
  constexpr BitRange kWord = {32, 32};
  constexpr BitRange kTargetBits = {34, 30};  // the rest, of addresses beyond 4 GiB, is 0 as it stands
  constexpr BitRange kLowBits = {16, 8};
  constexpr std::uint64_t kUnit = 4;
  switch (kind) {
    case kLowWordRelocation:
      put(encoding, kWord, address);
      return true;
    case kHighWordRelocation:
      put(encoding, kWord, address >> kWord.count);
      return true;
    case kTarget:
      put(encoding, kTargetBits, address / kUnit);
      return true;
    case kTargetSince90:
      put(encoding, kLowBits, address / kUnit);
      put(encoding, kTargetBits, address / kUnit >> kLowBits.count);
      return true;
    default:
      return false;
  }
}

class Linker {
 public:
  explicit Linker(const Image& image) {
    for (const Function& function : image.functions) functions_[function.name] = &function;
  }

  [[nodiscard]] Function linked(const Function& kernel) {
    addresses_ = {{kernel.name, 0}};
    Function made = kernel;
    made.relocations.clear();
    add_relocations(kernel, 0);
    // Those that are found behind others find more.
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const CodeRelocation each = open_[i];
      const auto address = address_of(each.symbol, made);
      const std::uint64_t at = each.at / ir::kInstructionBytes;
      if (!address || at >= made.code.size() || !fill_in(made.code[at], each.kind, *address + each.addend))
        made.relocations.push_back(each);
    }
    open_.clear();
    return made;
  }

 private:
  void add_relocations(const Function& function, std::uint64_t base) {
    for (CodeRelocation each : function.relocations) {
      each.at += base;
      open_.push_back(std::move(each));
    }
  }

  /// Where the function begins in the kernel; it is appended if it is not there yet.
  std::optional<std::uint64_t> address_of(const std::string& name, Function& kernel) {
    const auto known = addresses_.find(name);
    if (known != addresses_.end()) return known->second;
    const auto found = functions_.find(name);
    if (found == functions_.end() || is_of_device_runtime(name)) return std::nullopt;
    const Function& called = *found->second;
    // A table of jumps is a kernel's own, and counts from its begin.
    if (called.is_entry || !called.tables.empty() || called.code.size() > room_) return std::nullopt;
    room_ -= called.code.size();
    const std::uint64_t base = kernel.code.size() * ir::kInstructionBytes;
    addresses_[name] = base;
    kernel.code.insert(kernel.code.end(), called.code.begin(), called.code.end());
    if (!kernel.places.empty() || !called.places.empty()) {
      kernel.places.resize(base / ir::kInstructionBytes);
      kernel.places.insert(kernel.places.end(), called.places.begin(), called.places.end());
    }
    kernel.registers = std::max(kernel.registers, called.registers);
    add_relocations(called, base);
    return base;
  }

  static bool is_of_device_runtime(const std::string& name) {
    return ir::is_system_function(name) || name.starts_with("__cudaCDP") || name.starts_with("cudaCDP");
  }

  std::map<std::string, const Function*> functions_;
  std::map<std::string, std::uint64_t> addresses_;
  std::vector<CodeRelocation> open_;
  std::size_t room_ = kMostAppended;
};

}  // namespace

void link_functions(Image& image) {
  Linker linker(image);
  std::vector<std::pair<std::size_t, Function>> made;
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const Function& function = image.functions[i];
    if (function.is_entry && !function.relocations.empty()) made.emplace_back(i, linker.linked(function));
  }
  for (auto& [index, function] : made) image.functions[index] = std::move(function);
}

}  // namespace heddle::cubin
