#include "isa/exec/launch_bank.h"

#include <cstring>

#include "isa/ir/windows.h"

namespace heddle::exec {

namespace {

/// Each block is a cluster by itself, which nobody has asked for.
struct ClusterWords {
  std::uint32_t is_explicit = 0;
  Dim3 blocks;
  float of_place[3] = {1, 1, 1};
  Dim3 grid;
};

void put_cluster(const ir::LaunchBankLayout& layout, const Dim3& grid, std::vector<std::byte>& bank) {
  if (layout.cluster == 0) return;
  ClusterWords words;
  words.grid = grid;
  constexpr std::uint32_t kBlocks = 1;
  std::memcpy(bank.data() + layout.cluster, &words, sizeof words);
  std::memcpy(bank.data() + layout.cluster_blocks, &kBlocks, sizeof kBlocks);
}

}  // namespace

std::vector<std::byte> launch_bank(const Launch& launch) {
  std::vector<std::byte> bank(launch.kernel.param_base + launch.params.size());
  const ir::LaunchBankLayout& layout = ir::launch_bank_layout(launch.kernel.param_base);
  std::memcpy(bank.data() + layout.block_dim, &launch.block, sizeof launch.block);
  std::memcpy(bank.data() + layout.grid_dim, &launch.grid, sizeof launch.grid);
  std::memcpy(bank.data() + layout.stack, &launch.kernel.local_bytes, sizeof launch.kernel.local_bytes);
  put_cluster(layout, launch.grid, bank);
  const auto put_window = [&](std::uint32_t at, std::uint64_t high, std::uint32_t low) {
    const std::uint64_t address = high << 32 | low;
    if (at != 0) std::memcpy(bank.data() + at, &address, sizeof address);
  };
  put_window(layout.shared_window, ir::kSharedWindow, 0);
  put_window(layout.local_window, ir::kLocalWindow, 0);
  put_window(layout.parameters, ir::kParameterWindow, launch.kernel.param_base);
  std::memcpy(bank.data() + layout.dynamic_shared, &launch.dynamic_shared_bytes,
              sizeof launch.dynamic_shared_bytes);
  std::memcpy(bank.data() + layout.grid_number, &launch.number, sizeof launch.number);
  if (!launch.params.empty()) {
    std::memcpy(bank.data() + launch.kernel.param_base, launch.params.data(), launch.params.size());
  }
  return bank;
}

}  // namespace heddle::exec
