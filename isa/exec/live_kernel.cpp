#include "isa/exec/live_kernel.h"

#include <algorithm>
#include <string>
#include <utility>

#include "isa/exec/live_source.h"
#include "isa/exec/variables.h"

namespace heddle::exec {

namespace {

/// Global variables lie in memory beside the buffers, each once for all launches of kernels that use it.
Launch with_variables(Launch launch, GlobalMemory& memory) {
  bind_variables(launch.kernel, memory);
  return launch;
}

}  // namespace

LiveKernel::LiveKernel(Launch launch, GlobalMemory& memory, unsigned warp_size, Divergence divergence,
                       const TensorArithmetic& tensor)
    : launch_(with_variables(std::move(launch), memory)),
      memory_(memory),
      divergence_(divergence),
      tensor_(tensor),
      decoded_(decode(launch_, warp_size, divergence)) {
  shape_.kernel = launch_.kernel.name;
  shape_.grid = launch_.grid;
  shape_.block = launch_.block;
  shape_.registers_per_thread = std::max(launch_.registers_per_thread, launch_.kernel.registers);
  shape_.shared_bytes_per_block = launch_.kernel.static_shared_bytes + launch_.dynamic_shared_bytes;
  shape_.barriers_per_block = launch_.kernel.barriers;
  shape_.warp_size = warp_size;
  const std::uint64_t threads = round_up(launch_.block.count(), warp_size);
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    const Dim3 index = launch_.block.position_of(thread);
    thread_index_[0].push_back(index.x);
    thread_index_[1].push_back(index.y);
    thread_index_[2].push_back(index.z);
  }
  shape_.register_slots = decoded_.register_slots;
}

std::unique_ptr<stream::WarpSource> LiveKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  if (pending_.size() <= sm) pending_.resize(sm + 1);
  pending_[sm] = std::make_unique<PendingWrites>();
  return std::make_unique<LiveSource>(*this, warp_slots, sm, pending_[sm].get());
}

void LiveKernel::commit_writes(ThreadTeam& team) { write_commit_.commit(pending_, team); }

}  // namespace heddle::exec
