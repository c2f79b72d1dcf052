#include "sim/config/compute_capabilities.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sim {

namespace {

constexpr std::uint32_t kKiB = 1024;

template <typename... KiBs>
std::vector<std::uint32_t> carveouts(KiBs... kib) {
  return {static_cast<std::uint32_t>(kib) * kKiB...};
}

ExampleGpu example(std::string_view name, std::uint32_t sms, std::uint32_t gpcs) { return {name, sms, gpcs}; }

std::vector<ComputeCapability> make_table() {
  std::vector<ComputeCapability> table;
#define COMPUTE_CAPABILITY(version, architecture, warps, blocks, block_registers, pools, launch_pools,    \
                           thread_registers, shared, block_shared, without_opt_in, reserved, unit, sizes, \
                           named, virtuals, partitioned, cluster, gpu)                                    \
  table.push_back({version,                                                                               \
                   architecture,                                                                          \
                   {.warp_size = 32,                                                                      \
                    .max_warps = warps,                                                                   \
                    .max_blocks = blocks,                                                                 \
                    .max_threads_per_block = 1024,                                                        \
                    .registers = 65536,                                                                   \
                    .registers_per_block = block_registers,                                               \
                    .max_registers_per_thread = thread_registers,                                         \
                    .register_partitions = pools,                                                         \
                    .register_launch_partitions = launch_pools,                                           \
                    .register_unit = 256,                                                                 \
                    .shared_bytes = (shared)*kKiB,                                                        \
                    .shared_bytes_per_block = (block_shared)*kKiB,                                        \
                    .shared_without_opt_in = (without_opt_in)*kKiB,                                       \
                    .shared_reserved = (reserved)*kKiB,                                                   \
                    .shared_unit = unit,                                                                  \
                    .carveouts = sizes,                                                                   \
                    .barriers = named,                                                                    \
                    .virtual_resources = virtuals,                                                        \
                    .partitioned_caching = partitioned,                                                   \
                    .max_cluster_blocks = cluster,                                                        \
                    .gpcs = (gpu).gpcs},                                                                  \
                   gpu});
#include "sim/config/compute_capabilities.def"
#undef COMPUTE_CAPABILITY
  return table;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::span<const ComputeCapability> compute_capabilities() {
  static const std::vector<ComputeCapability> table = make_table();
  return table;
}

const ComputeCapability* find_compute_capability(std::string_view version) {
  const std::span<const ComputeCapability> all = compute_capabilities();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ComputeCapability& row) { return row.version == version; });
  return found == all.end() ? nullptr : &*found;
}

std::string compute_capability_version(std::string_view text) {
  std::string_view digits = text;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
  }
  // The letters of sm_90a and sm_100f choose instructions, not limits.
  if (digits.ends_with('a') || digits.ends_with('f')) digits.remove_suffix(1);
  if (digits.size() < 2 || digits.size() > 3 || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return std::string(text);
  }
  return fmt::format("{}.{}", digits.substr(0, digits.size() - 1), digits.back());
}

unsigned compute_capability_number(std::string_view version, unsigned otherwise) {
  if (find_compute_capability(version) == nullptr) return otherwise;
  unsigned number = 0;
  for (const char c : version) {
    if (c != '.') number = 10 * number + static_cast<unsigned>(c - '0');
  }
  return number;
}

}  // namespace heddle::sim
