// Executes a launch as the timing model asks for it: the source of dynamic instructions when there is no
// trace.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/lane_addresses.h"
#include "isa/base/pool.h"
#include "isa/exec/decode.h"
#include "isa/exec/lane_places.h"
#include "isa/exec/launch.h"
#include "isa/exec/matrix_product.h"
#include "isa/exec/memory.h"
#include "isa/exec/pending_writes.h"
#include "isa/exec/shared_matrix.h"
#include "isa/exec/warp.h"
#include "isa/exec/write_commit.h"
#include "isa/ir/special_register.h"
#include "isa/stream/host_prefetchable.h"
#include "isa/stream/kernel_fault.h"
#include "isa/stream/spin_watchable.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// A launch with its memory. Asynchronous copies reach shared memory when their instruction issues, and a warpgroup's
/// product reads shared memory and leaves its sums. Who reads the data without waiting for the copy, or the sums
/// without waiting for the group of products, sees them at once, a choice: on a GPU it may see what was there before.
class LiveKernel final : public stream::KernelSource {
 public:
  /// `memory` must outlive this. `warp_size` is 16, 32 or 64. Throws InputError if an instruction needs more lanes.
  LiveKernel(Launch launch, GlobalMemory& memory, unsigned warp_size, Divergence divergence = Divergence::Stack,
             const TensorArithmetic& tensor = {});

  [[nodiscard]] const stream::LaunchShape& shape() const override { return shape_; }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return decoded_.static_ops; }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override;
  void exchange(ThreadTeam& team) override;

  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const DecodedLaunch& decoded() const { return decoded_; }
  [[nodiscard]] GlobalMemory& memory() const { return memory_; }
  [[nodiscard]] Divergence divergence() const { return divergence_; }
  [[nodiscard]] const TensorArithmetic& tensor() const { return tensor_; }
  /// threadIdx.x, y or z (axis 0 to 2) of every thread of a block, by linear index, in whole warps.
  [[nodiscard]] const std::uint32_t* thread_index(unsigned axis) const { return thread_index_[axis].data(); }

 private:
  Launch launch_;
  GlobalMemory& memory_;
  Divergence divergence_;
  TensorArithmetic tensor_;
  DecodedLaunch decoded_;
  stream::LaunchShape shape_;
  std::array<std::vector<std::uint32_t>, 3> thread_index_;
  std::vector<std::unique_ptr<PendingWrites>> pending_;  // by SM
  WriteCommit write_commit_;
};

/// What S2R reads from one of the lane mask registers.
std::uint32_t lane_mask_register(ir::SpecialRegister which, unsigned lane);

/// The warps of one SM.
class LiveSource final : public stream::WarpSource,
                         public stream::SpinWatchable,
                         public stream::HostPrefetchable {
 public:
  /// Warp slots of the SMs before this one have their local memory in front of this one's. Stores and atomics
  /// are noted in `pending`; without it they act at once.
  LiveSource(const LiveKernel& kernel, std::uint32_t warp_slots, SmId sm = 0, PendingWrites* pending = nullptr);

  LiveSource(const LiveSource&) = delete;  // it points into itself
  LiveSource& operator=(const LiveSource&) = delete;

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override;
  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override;
  void end_block(std::span<const WarpSlot> slots) override;
  [[nodiscard]] std::string describe(WarpSlot slot) const override;

  [[nodiscard]] const stream::HostPrefetchable* host_prefetchable() const override { return this; }
  void host_prefetch(WarpSlot slot, PrefetchStep step) const override;

  [[nodiscard]] stream::SpinWatchable* spin_watch() override { return this; }
  [[nodiscard]] bool seems_to_spin(WarpSlot slot) const override { return warps_[slot].spin.seems_endless(); }
  void watch_spin(WarpSlot slot) override {
    set_watched(true);
    warps_[slot].spin.ask();
  }
  [[nodiscard]] std::optional<bool> spins(WarpSlot slot) const override { return warps_[slot].spin.answer(); }
  void end_watch() override { set_watched(false); }
  [[nodiscard]] std::uint64_t barrier_arrivals() const override { return barrier_arrivals_; }
  [[nodiscard]] std::uint64_t changes() const override {
    return changes_ + (pending_ == nullptr ? 0 : pending_->changes());
  }
  [[nodiscard]] std::string describe_spin(WarpSlot slot) const override;

 private:
  using Row = std::uint32_t*;

  void set_watched(bool is_watched) {
    is_watched_ = is_watched;
    if (pending_ != nullptr) pending_->watch(is_watched);
  }

  void start_warp(Warp& warp, std::uint32_t warp_in_block, std::uint32_t context);
  std::uint32_t take_context(BlockId block);

  const stream::WarpStep& issue_any(const Decoded& op, Warp& warp);
  [[nodiscard]] const stream::StaticOp* find_next(Warp& warp);
  void execute(const Decoded& op, Warp& warp, LaneMask executed);
  void run_plain(const Decoded& op, const Warp& warp, Row result);
  void run_lanes(const Decoded& op, Warp& warp, LaneMask executed);
  void run_all_sorts(const Decoded& op, Warp& warp, LaneMask executed, bool whole);
  void write_predicates(const Decoded& op, Warp& warp, const LaneArgs& args, LaneMask holds,
                        LaneMask executed) const;
  void read_special(const Decoded& op, Warp& warp, LaneMask executed);
  void shuffle(const Decoded& op, Warp& warp, LaneMask executed);
  void vote(const Decoded& op, Warp& warp, LaneMask executed);
  void match_any(const Decoded& op, Warp& warp, LaneMask executed);
  void match_all(const Decoded& op, Warp& warp, LaneMask executed);
  void reduce(const Decoded& op, Warp& warp, LaneMask executed);
  void pack_predicates(const Decoded& op, Warp& warp, LaneMask executed);
  void unpack_predicates(const Decoded& op, Warp& warp, LaneMask executed) const;
  void load_constant(const Decoded& op, Warp& warp, LaneMask executed);
  void multiply_matrices(const Decoded& op, Warp& warp, LaneMask executed);
  void load_matrices(const Decoded& op, Warp& warp, LaneMask executed);
  void require_all_lanes(const Warp& warp, LaneMask executed) const;
  void multiply_in_group(const Decoded& op, Warp& warp, LaneMask executed);
  void require_warpgroup(const Warp& warp, LaneMask executed) const;
  [[nodiscard]] SharedMatrix shared_matrix(const Warp& warp, const SourceRows& descriptors, unsigned which,
                                           bool is_transposed) const;
  void copy_to_uniform(const Decoded& op, Warp& warp, LaneMask executed);
  void compute_uniform(const Decoded& op, Warp& warp, LaneMask executed);
  void write_uniform(const Decoded& op, Warp& warp, LaneMask executed);
  void control(const Decoded& op, Warp& warp, LaneMask executed);
  void save_barrier(const Decoded& op, Warp& warp, LaneMask executed);
  void restore_barrier(const Decoded& op, Warp& warp, LaneMask executed);
  void branch(const Decoded& op, Warp& warp, LaneMask executed);
  void jump(const Decoded& op, Warp& warp, LaneMask executed);
  static LaneMask under_condition(const Decoded& op, const Warp& warp, LaneMask executed);
  [[nodiscard]] bool passes_test(const Decoded& op, const Warp& warp) const;
  [[nodiscard]] bool stands_for(std::uint32_t value, Pc pc) const;
  [[nodiscard]] Pc jump_target(const Decoded& op, const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string place_text(std::uint64_t place) const;
  void call(const Decoded& op, Warp& warp, LaneMask executed);
  void return_from_call(const Decoded& op, Warp& warp, LaneMask executed);
  void go_together(Warp& warp, Pc target);
  [[nodiscard]] bool watch_round(Warp& warp, JumpBack jump, bool others_wait) const;
  static void finish_round(Warp& warp, bool repeats);
  [[nodiscard]] LaneMask warp_sync_members(const Decoded& op, const Warp& warp, LaneMask executed) const;
  void gather_at_block_barrier(Warp& warp) const;
  void come_to_barrier(const Decoded& op, Warp& warp, LaneMask executed);
  [[nodiscard]] stream::BarrierUse barrier_use(const Decoded& op, const Warp& warp, LaneMask executed) const;
  [[nodiscard]] std::uint32_t uniform(const Warp& warp, const SourceRows& rows, LaneMask executed) const;
  void read_barrier_result(const Decoded& op, Warp& warp, LaneMask executed);
  [[nodiscard]] std::uint32_t sleep_time(const Decoded& op, const Warp& warp, LaneMask executed) const;
  void copy_to_shared(const Decoded& op, Warp& warp, LaneMask executed);
  std::byte* shared_place(const Decoded& op, Warp& warp, LaneMask executed, unsigned lane);
  const std::byte* global_place(const Decoded& op, const Warp& warp, LaneMask executed, unsigned lane);
  void access_memory(const Decoded& op, Warp& warp, LaneMask executed);
  void access_global(const Decoded& op, Warp& warp, LaneMask executed);
  void access_shared(const Decoded& op, Warp& warp, LaneMask executed);
  const LaneShape& place_in_window(const Decoded& op, const Warp& warp, LaneMask executed, Addr window_bytes);
  void access_local(const Decoded& op, Warp& warp, LaneMask executed);
  void access_buffer(const Decoded& op, Warp& warp, LaneMask lanes, const LaneSpan& span,
                     const Buffer& buffer);
  void note(const Decoded& op, Warp& warp, LaneMask lanes, bool is_row, std::byte* host, Addr base);
  void load_with_pending(const Decoded& op, Warp& warp, LaneMask lanes, const std::byte* host, Addr base);
  void count_store(const Decoded& op, const Warp& warp, LaneMask lanes, const std::byte* host, Addr base);
  [[nodiscard]] bool would_change(const Decoded& op, const Warp& warp, LaneMask lanes, const std::byte* host,
                                  Addr base) const;
  void transfer(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base);
  [[nodiscard]] WarpAtomic warp_atomic(const Decoded& op, Warp& warp, LaneMask lanes);
  void update(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base);
  void move_row(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host);
  void move_data(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base);
  void move_narrow(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base);
  [[nodiscard]] Addr local_window(const Warp& warp) const;

  [[nodiscard]] Row row(const Warp& warp, std::uint32_t index) const {
    return warp.registers.get() + std::size_t{index} * lanes_;
  }
  [[nodiscard]] Row out(const Decoded& op, const Warp& warp) {
    return op.out_is_lost ? lost_.data() : warp.registers.get() + op.out_offset;
  }
  [[nodiscard]] const std::uint32_t* source(const Warp& warp, const SourceRows& rows) const {
    return (rows.constant ? constants_ : warp.registers.get()) + rows.offset;
  }
  /// That holds so many bytes from `address` on; null if none does.
  [[nodiscard]] const Buffer* buffer_at(Addr address, Addr bytes) {
    if (last_buffer_ == nullptr || !last_buffer_->holds(address, bytes)) {
      last_buffer_ = kernel_.memory().buffer_at(address, bytes);
    }
    return last_buffer_;
  }
  /// In which the places of an access by these registers lay last, for so many lanes.
  [[nodiscard]] LaneShape& shape_of(const SourceRows& rows, LaneMask executed) {
    const std::uint32_t row = rows.offset >> std::countr_zero(lanes_);
    return shapes_[(row + lane_count(executed)) % kLaneShapes];
  }
  const std::uint32_t* near_base(const Decoded& op, const Warp& warp);
  const std::uint32_t* far_base(const Decoded& op, const Warp& warp, const SourceRows& rows);
  const std::uint32_t* modified_source(const Decoded& op, const Warp& warp, const SourceRows& rows,
                                       Row out) const;

  void watch(const ir::RegisterUse& use, Warp& warp, LaneMask active, LaneMask executed) const;
  /// A fault of the warp's running path, at the instruction that it is at.
  [[noreturn]] void fail(const Warp& warp, stream::FaultKind kind, const std::string& what,
                         std::optional<unsigned> lane = {}, std::optional<Addr> address = {}) const;
  [[noreturn]] void fail_stuck(const Warp& warp) const;
  [[nodiscard]] std::string describe(const Warp& warp, Pc pc, LaneMask lanes) const;
  [[nodiscard]] std::string waits_text(const Warp& warp) const;
  [[nodiscard]] std::string nearest_buffer(Addr address) const;
  [[nodiscard]] std::string freed_buffer(Addr address) const;
  [[noreturn]] void fail_address(const Decoded& op, const Warp& warp, LaneMask executed,
                                 bool bad_alignment) const;

  const LiveKernel& kernel_;
  const DecodedLaunch& decoded_;
  // Of `decoded_`, at hand: each instruction asks for them.
  const Decoded* instructions_;
  const stream::StaticOp* static_ops_;
  const std::uint32_t* constants_;
  bool watches_;  // reads of registers that were never written
  unsigned lanes_;
  std::uint64_t first_slot_;  // of this SM, counted over all
  PendingWrites* pending_;
  std::vector<Warp> warps_;
  Pool<BlockContext> contexts_;
  const Buffer* last_buffer_ = nullptr;  // where the last access fell: most fall there again
  Cycle now_ = 0;
  std::uint64_t barrier_arrivals_ = 0;
  std::uint64_t changes_ = 0;  // beside those that `pending_` makes
  bool is_watched_ = false;    // somebody wants to know of changes
  stream::WarpStep step_;  // of the last issue
  LaneMask lost_carries_ = 0;  // where nobody wants them
  LaneArgs plain_args_;        // of plain instructions: of one, what another leaves as it is
  std::array<Addr, kMaxWarpSize> addresses_{};
  std::array<Addr, kMaxWarpSize> shared_addresses_{};  // of copies
  std::array<LaneShape, kLaneShapes> shapes_ = numbered_shapes();
  alignas(64) std::array<std::uint32_t, 4 * kMaxWarpSize> lost_{};            // what is written to RZ
  alignas(64) std::array<std::uint32_t, 4 * kMaxWarpSize> partial_result_{};  // of lanes under a partial mask
  // Sources, their signs or scales handled.
  alignas(64) std::array<std::array<std::uint32_t, 2 * kMaxWarpSize>, 3> modified_{};
};

}  // namespace heddle::exec
