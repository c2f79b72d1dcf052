// Which memory a program has from this library, by address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>

namespace heddle::cudart {

/// Where a program asked for memory.
enum class MemoryKind : std::uint8_t {
  Device,      ///< cudaMalloc and its kin, and variables of modules.
  Managed,     ///< cudaMallocManaged: host and device use it.
  Pinned,      ///< cudaMallocHost, cudaHostAlloc.
  Registered,  ///< cudaHostRegister: the program's own.
};

/// An allocation. All kinds have the same address on the host and on the device.
struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;  ///< As the program gave them.
  std::string call = {};  ///< What the program must free, by the call that made it: "cudaMalloc 3"; else empty.
  bool is_variable = false;  ///< Of a module, which each GPU loads for itself.

  [[nodiscard]] bool is_on_device() const {
    return kind == MemoryKind::Device || kind == MemoryKind::Managed;
  }
  /// Kernels of every GPU may use it.
  [[nodiscard]] bool is_for_all_gpus() const { return kind != MemoryKind::Device && !is_variable; }
};

/// The allocations of a GPU that have not been freed.
class MemoryMap {
 public:
  void add(const Allocation& allocation) { all_[allocation.address] = allocation; }
  void remove(std::uint64_t address) { all_.erase(address); }

  /// By address.
  [[nodiscard]] const std::map<std::uint64_t, Allocation>& all() const { return all_; }

  /// That which holds the address; null if none does.
  [[nodiscard]] const Allocation* find(const void* pointer) const {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    auto next = all_.upper_bound(address);
    if (next == all_.begin()) return nullptr;
    const Allocation& before = std::prev(next)->second;
    return address - before.address < std::max<std::uint64_t>(before.bytes, 1) ? &before : nullptr;
  }
  /// That which begins there; null if none does.
  [[nodiscard]] const Allocation* find_begin(const void* pointer) const {
    const Allocation* found = find(pointer);
    return found != nullptr && found->address == reinterpret_cast<std::uint64_t>(pointer) ? found : nullptr;
  }

 private:
  std::map<std::uint64_t, Allocation> all_;
};

}  // namespace heddle::cudart
