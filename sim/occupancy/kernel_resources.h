// What one block of a kernel asks of an SM.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/base/dim3.h"

namespace heddle::sim {

/// Maxwell and Pascal parts of compute capability 5.2, 5.3, 6.1 and 6.2 cache global loads only for blocks
/// that keep to one half of the SM.
enum class PartitionedCaching : std::uint8_t {
  Off,
  Preferred,  ///< Partitioned unless a block would not fit half an SM.
  Forced,
};

/// The resources that a kernel and its launch ask for, per thread or per block.
struct KernelResources {
  Dim3 block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t static_shared = 0;   ///< Bytes per block.
  std::uint32_t dynamic_shared = 0;  ///< Bytes per block that the launch asks for.
  bool shared_opt_in = true;         ///< The kernel may use more than the default, 48 KiB.
  /// The kernel's attribute cudaFuncAttributeMaxDynamicSharedMemorySize, in bytes. If not set: as much as the
  /// launch asks for.
  std::optional<std::uint32_t> max_dynamic_shared = {};
  std::uint32_t barriers = 1;           ///< Named barriers; 0 if the kernel has none.
  std::uint32_t virtual_resources = 0;  ///< Counted as the driver counts them.
  /// Preferred shared memory in percent of the SM's maximum, 0 to 100. If not set: no preference.
  std::optional<std::uint32_t> carveout_percent = {};
  PartitionedCaching caching = PartitionedCaching::Off;

  [[nodiscard]] std::uint64_t shared_bytes() const { return std::uint64_t{static_shared} + dynamic_shared; }
};

}  // namespace heddle::sim
