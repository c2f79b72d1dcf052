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
  Preferred,  ///< Off where a block would not fit a half.
  Forced,
};

struct KernelResources {
  Dim3 block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t static_shared = 0;   ///< Bytes.
  std::uint32_t dynamic_shared = 0;  ///< Bytes that the launch asks for.
  bool shared_opt_in = true;         ///< The kernel may use more than the default, 48 KiB.
  /// The kernel's attribute of that name, in bytes; nothing: as much as the launch asks for.
  std::optional<std::uint32_t> max_dynamic_shared = {};
  std::uint32_t barriers = 1;           ///< Named barriers; 0 if the kernel has none.
  std::uint32_t virtual_resources = 0;  ///< As the driver counts them.
  /// Preferred shared memory, a share of the SM's in percent, 0 to 100; nothing: no preference.
  std::optional<std::uint32_t> carveout_percent = {};
  PartitionedCaching caching = PartitionedCaching::Off;

  [[nodiscard]] std::uint64_t shared_bytes() const { return std::uint64_t{static_shared} + dynamic_shared; }
};

}  // namespace heddle::sim
