#include "isa/cubin/link.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/base/types.h"
#include "isa/cubin/bits.h"
#include "isa/ir/system_variables.h"

namespace heddle::cubin {

namespace {

// The kinds of relocations that ptxas 13.0 leaves in calls beside halves of addresses, as found in its files.
constexpr std::uint32_t kTarget = 0x3a;         // R_CUDA_ABS47_34: where a call leads, in units of 4 bytes
constexpr std::uint32_t kTargetSince90 = 0x4b;  // the same with its lowest bits apart

/// Instructions that may be appended to all kernels of a file; a damaged one could ask for far more.
constexpr std::size_t kMostAppended = 8'000'000;

/// A function that is called through a register may call itself: it has the stack that CUDA gives a thread
/// where nobody asks for more (cudaLimitStackSize).
constexpr std::uint32_t kUsualStack = 1024;

/// Where no function lies: what stands for the address of one whose code is not there.
constexpr std::uint64_t kNoFunctionThere = 0xfffffff0;

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

bool is_of_device_runtime(const std::string& name) {
  return ir::is_system_function(name) || name.starts_with("__cudaCDP") || name.starts_with("cudaCDP");
}

/// A table of jumps is a kernel's own, and counts from its begin.
bool can_be_appended(const Function& function) {
  return !function.is_entry && function.tables.empty() && !is_of_device_runtime(function.name);
}

std::uint64_t bytes_of(std::size_t instructions) { return instructions * ir::kInstructionBytes; }

class Linker {
 public:
  explicit Linker(Image& image) : image_(image) {
    place_functions();
    fill_pointers();
    find_taken();
  }

  [[nodiscard]] bool needs_linking(const Function& function) const {
    return function.is_entry && (!function.relocations.empty() || calls_through_register(function));
  }

  [[nodiscard]] Function linked(const Function& kernel) {
    appended_ = {kernel.name};
    Function made = kernel;
    made.relocations.clear();
    add_relocations(kernel, 0);
    fill_relocations(made);
    if (!calls_through_register(made)) return made;
    for (const std::string& name : taken_) address_of(name, made);
    fill_relocations(made);
    const bool has_functions = !made.tables.empty() || !made.linked.empty();
    if (has_functions) made.frame_bytes = std::max(made.frame_bytes, kUsualStack);
    return made;
  }

 private:
  void place_functions() {
    constexpr std::uint64_t kAlignment = 128;
    std::uint64_t& end = image_.code_end;
    for (const Function& each : image_.functions) {
      if (each.is_entry) end = std::max(end, bytes_of(each.code.size()));
    }
    const auto place = [&](const std::string& name, std::size_t instructions) {
      const std::uint64_t address = addresses_[name] = round_up(end, kAlignment);
      end = address + bytes_of(instructions);
      return address;
    };
    for (const Function& each : image_.functions) {
      functions_[each.name] = &each;
      if (can_be_appended(each)) place(each.name, each.code.size());
    }
    for (std::size_t i = 0; i < image_.system_functions.size(); ++i) {
      SystemFunction& each = image_.system_functions[i];
      if (functions_.contains(each.name)) continue;
      each.address = place(each.name, each.code.size());
      system_functions_[each.name] = i;
    }
  }

  void fill_pointers() {
    std::multimap<std::string_view, std::pair<std::uint64_t, std::uint64_t>> in_variables;
    for (const FunctionPointer& pointer : image_.function_pointers) {
      const auto known = addresses_.find(pointer.function);
      const std::uint64_t address = known == addresses_.end() ? kNoFunctionThere : known->second;
      if (pointer.variable.empty()) {
        if (pointer.at + sizeof address > 4 * image_.constants.size()) continue;  // the bank had no room
        std::memcpy(image_.constants.data() + pointer.at / 4, &address, sizeof address);
        continue;
      }
      in_variables.emplace(pointer.variable, std::pair(pointer.at, address));
    }
    const auto fill_in_variable = [&](ir::Variable& variable) {
      const auto [first, last] = in_variables.equal_range(variable.name);
      for (auto each = first; each != last; ++each) put_address(variable.data, each->second);
    };
    for (ir::UsedVariable& used : image_.variables) fill_in_variable(used.variable);
    for (ir::Variable& variable : image_.all_variables) fill_in_variable(variable);
  }

  /// At a place, an address.
  static void put_address(std::vector<std::byte>& data, std::pair<std::uint64_t, std::uint64_t> one) {
    const auto [at, address] = one;
    data.resize(std::max<std::size_t>(data.size(), at + sizeof address));
    std::memcpy(data.data() + at, &address, sizeof address);
  }

  /// The functions that a register may hold the address of.
  void find_taken() {
    for (const FunctionPointer& pointer : image_.function_pointers) {
      if (addresses_.contains(pointer.function)) taken_.insert(pointer.function);
    }
    for (const Function& function : image_.functions) {
      for (const CodeRelocation& each : function.relocations) {
        const bool is_half = each.kind == kLowWordRelocation || each.kind == kHighWordRelocation;
        // A function names itself where it has to be returned to.
        if (is_half && each.symbol != function.name && addresses_.contains(each.symbol))
          taken_.insert(each.symbol);
      }
    }
  }

  [[nodiscard]] static bool calls_through_register(const Function& function) {
    return std::ranges::any_of(function.code, is_call_through_register);
  }

  void add_relocations(const Function& function, std::uint64_t base) {
    for (CodeRelocation each : function.relocations) {
      each.at += base;
      open_.push_back(std::move(each));
    }
  }

  /// Those that are found behind others find more.
  void fill_relocations(Function& made) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const CodeRelocation each = open_[i];
      const auto address = address_of(each.symbol, made);
      const std::uint64_t at = each.at / ir::kInstructionBytes;
      if (!address || at >= made.code.size() || !fill_in(made.code[at], each.kind, *address + each.addend))
        made.relocations.push_back(each);
    }
    open_.clear();
  }

  /// Where the function begins in the kernel; it is appended if it is not there yet.
  std::optional<std::uint64_t> address_of(const std::string& name, Function& kernel) {
    if (name == kernel.name) return 0;
    const auto known = addresses_.find(name);
    if (known == addresses_.end()) return std::nullopt;
    if (appended_.contains(name)) return known->second;
    if (const auto system = system_functions_.find(name); system != system_functions_.end()) {
      kernel.system_functions.push_back(system->second);
    } else {
      const Function& called = *functions_.at(name);
      if (called.code.size() > room_) return std::nullopt;
      room_ -= called.code.size();
      append(called, known->second, kernel);
    }
    appended_.insert(name);
    return known->second;
  }

  void append(const Function& called, std::uint64_t address, Function& kernel) {
    const std::size_t begin = kernel.code.size();
    kernel.linked.push_back({begin, address});
    kernel.code.insert(kernel.code.end(), called.code.begin(), called.code.end());
    if (!kernel.places.empty() || !called.places.empty()) {
      kernel.places.resize(begin);
      kernel.places.insert(kernel.places.end(), called.places.begin(), called.places.end());
    }
    kernel.called.insert(kernel.called.end(), called.called.begin(), called.called.end());
    kernel.registers = std::max(kernel.registers, called.registers);
    add_relocations(called, bytes_of(begin));
  }

  Image& image_;
  std::map<std::string, const Function*> functions_;
  std::map<std::string, std::size_t> system_functions_;
  std::map<std::string, std::uint64_t> addresses_;  // of what may be appended
  std::set<std::string> taken_;
  std::set<std::string> appended_;  // to the kernel at hand
  std::vector<CodeRelocation> open_;
  std::size_t room_ = kMostAppended;
};

}  // namespace

bool is_call_through_register(const Encoding& encoding) {
  constexpr BitRange kOpcode = {0, 12};
  constexpr std::uint64_t kAbsolute = 0x343;
  constexpr std::uint64_t kRelative = 0x344;
  const std::uint64_t opcode = bits_of(encoding, kOpcode);
  return opcode == kAbsolute || opcode == kRelative;
}

void link_functions(Image& image) {
  Linker linker(image);
  std::vector<std::pair<std::size_t, Function>> made;
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const Function& function = image.functions[i];
    if (linker.needs_linking(function)) made.emplace_back(i, linker.linked(function));
  }
  for (auto& [index, function] : made) image.functions[index] = std::move(function);
}

}  // namespace heddle::cubin
