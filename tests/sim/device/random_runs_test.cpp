// Random launches on random GPUs: whatever runs, the books balance, jumping over cycles changes nothing, and
// no run hangs. Nothing executes here, so each warp does what a random script says.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "sim/config/load.h"
#include "sim/device/device.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::TimingClass;
using stream::MemorySpace;
using stream::OpKind;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  /// From `least` to `most`.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + random_() % (most - least + 1);
  }
  std::uint32_t number(std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(between(least, most));
  }
  bool one_in(std::uint64_t n) { return random_() % n == 0; }
  /// Mostly short, sometimes beyond every ring and table.
  std::uint32_t latency() { return one_in(6) ? number(50, 200) : number(1, 30); }
  LaneMask mask(LaneMask within) { return one_in(2) ? within : random_() & within; }

 private:
  std::mt19937_64 random_;
};

void make_pipes(sim::SmSpec& sm, const sim::MioSpec& mio, Dice& dice) {
  const std::uint32_t pipes = dice.number(1, 5);
  sm.instruction_cache = {.instruction_bytes = 16,
                          .line_bytes = 16U << dice.number(0, 2),
                          .l0_bytes = 128 * dice.number(0, 2),
                          .l0_ways = 2,
                          .prefetch_lines = dice.number(0, 3),
                          .l1_bytes = 128 * dice.number(1, 3),
                          .l1_ways = 2,
                          .l1_latency = dice.latency()};
  sm.register_file = {dice.number(0, 4), dice.number(1, 3)};
  sm.pipes.clear();
  for (std::uint32_t i = 0; i < pipes; ++i) sm.pipes.push_back({fmt::format("pipe{}", i)});
  for (sim::ClassSpec& timing : sm.classes) {
    timing.pipes.clear();
    for (std::uint32_t i = 0; i < pipes; ++i) {
      if (dice.one_in(3)) timing.pipes.push_back(static_cast<std::uint8_t>(i));
    }
    if (timing.pipes.empty()) timing.pipes.push_back(static_cast<std::uint8_t>(dice.number(0, pipes - 1)));
    timing.interval = dice.one_in(3) ? dice.number(1, 20) : 1;
    timing.latency = std::max(dice.latency(), mio.front_latency);
  }
}

void make_caches(sim::GpuSpec& spec, Dice& dice) {
  spec.l1.enabled = !dice.one_in(4);
  spec.l1.ways = dice.number(1, 4);
  spec.l1.reserved_bytes = 128 * spec.l1.ways * dice.number(0, 2);
  spec.l1.unified_bytes =
      spec.occupancy.shared_bytes + spec.l1.reserved_bytes + 128 * spec.l1.ways * dice.number(1, 8);
  spec.l1.replacement_draws = dice.number(0, 3);
  spec.l1.write_allocate = dice.one_in(2);
  spec.l1.latency = spec.sm.mio.front_latency + dice.number(0, 30);
  spec.l1.tags_per_cycle = 1U << dice.number(0, 3);
  spec.l1.miss_entries = dice.number(1, 8);
  spec.l1.miss_merges = dice.number(1, 4);
  spec.l2.enabled = !dice.one_in(4);
  spec.l2.line_bytes = 32U << dice.number(0, 4);
  spec.l2.ways = dice.number(1, 4);
  spec.l2.slices = dice.number(1, 3);
  spec.l2.bytes = std::uint64_t{spec.l2.line_bytes} * spec.l2.ways * spec.l2.slices * dice.number(1, 16);
  spec.l2.request_latency = dice.number(1, 40);
  spec.l2.latency = spec.l1.latency + spec.l2.request_latency + dice.number(0, 100);
  spec.l2.sectors_per_cycle = dice.number(1, 4);
  spec.l2.reply_sectors_per_cycle = dice.number(1, 4);
  spec.dram.latency = spec.l2.latency + dice.number(0, 200);
  spec.l2.atomic_interval = dice.number(1, 3);
  spec.l2.atomic_addresses_per_cycle = 1.0 / dice.number(1, 6);
  spec.dram.channels = dice.number(1, 3);
  spec.dram.bandwidth_gbps = dice.number(5, 500);
  if (dice.one_in(2)) {
    spec.l2.partitions = 2;
    spec.l2.slices *= 2;
    spec.l2.bytes *= 2;
    spec.l2.far_latency = dice.number(0, 60);
    spec.l2.far_sectors_per_cycle = dice.number(1, 40) / 10.0;
  }
  spec.l2.fetch_bytes = std::min(spec.l2.line_bytes, 32U << dice.number(0, 2));
  spec.dram.row_bytes = 64U << dice.number(0, 5);
  spec.dram.banks = 1U << dice.number(0, 4);
  spec.dram.activate_ns = dice.number(0, 10);
  spec.dram.turnaround_ns = dice.number(0, 50);
  spec.dram.write_batch = dice.number(1, 1024);
}

std::string any_of(const sim::PolicyKind& kind, Dice& dice) {
  const sim::PolicyNames names = kind.names();
  return std::string(names[dice.number(0, static_cast<std::uint32_t>(names.size() - 1))].name);
}

void choose_policies(sim::GpuSpec& spec, Dice& dice) {
  spec.l1.replacement = any_of(sim::kReplacements, dice);
  spec.l2.replacement = any_of(sim::kReplacements, dice);
  spec.l2.address_hash = any_of(sim::kAddressHashes, dice);
  spec.dram.order = any_of(sim::kDramOrders, dice);
  spec.dispatch.placement = any_of(sim::kPlacements, dice);
  if (spec.l1.enabled) spec.l1.prefetcher = any_of(sim::kPrefetchers, dice);
  if (spec.l2.enabled) spec.l2.prefetcher = any_of(sim::kPrefetchers, dice);
  spec.l1.prefetch_degree = dice.number(1, 4);
  spec.l2.prefetch_degree = dice.number(1, 4);
}

sim::GpuSpec make_gpu(Dice& dice) {
  sim::GpuSpec spec = sim::load_gpu("tiny");
  spec.sms = dice.number(1, 3);
  spec.sm.sub_partitions = 1U << dice.number(0, 2);
  spec.occupancy.registers = spec.occupancy.registers_per_block = 65536;
  spec.occupancy.max_warps = spec.sm.sub_partitions * dice.number(1, 12);
  spec.occupancy.max_blocks = dice.number(1, 6);
  spec.occupancy.max_threads_per_block = 32 * spec.occupancy.max_warps;
  spec.sm.scheduler = any_of(sim::kSchedulers, dice);
  spec.sm.guard_latency = dice.latency();
  spec.sm.bypass = {.fma_alu = dice.number(0, 3),
                    .wide = dice.number(0, 3),
                    .fp16 = dice.number(0, 3),
                    .fp64 = dice.number(0, 3),
                    .special = dice.number(0, 3),
                    .tensor = dice.number(0, 3),
                    .memory = dice.number(0, 15)};
  spec.sm.mio = {.queue_depth = dice.number(1, 6),
                 .front_latency = dice.number(1, 12),
                 .address_interval = dice.number(1, 5),
                 .shared_interval = dice.number(1, 3)};
  spec.sm.shared.atomic_interval = dice.number(1, 3);
  spec.sm.barrier = {.base = dice.number(0, 70), .per_warp = dice.number(0, 3)};
  make_pipes(spec.sm, spec.sm.mio, dice);
  make_caches(spec, dice);
  spec.dispatch = {.kernel_launch = dice.number(0, 100),
                   .block_launch = dice.number(1, 120),
                   .block_interval = static_cast<double>(dice.number(1, 10))};
  spec.cold = {.enabled = dice.one_in(3),
               .constant_latency = dice.latency(),
               .translation_latency = dice.latency(),
               .page_bytes = 4096U << dice.number(0, 2)};
  Dice apart = dice;  // what else is drawn does not depend on it
  if (apart.one_in(2)) choose_policies(spec, apart);
  return spec;
}

OpKind kind_of(TimingClass timing_class) {
  switch (timing_class) {
    case TimingClass::LoadGlobal:
    case TimingClass::LoadShared:
      return OpKind::Load;
    case TimingClass::StoreGlobal:
    case TimingClass::StoreShared:
      return OpKind::Store;
    case TimingClass::AtomicGlobal:
    case TimingClass::ReduceGlobal:
    case TimingClass::AtomicShared:
      return OpKind::Atomic;
    case TimingClass::CopyToShared:
      return OpKind::Copy;
    case TimingClass::Membar:
    case TimingClass::MembarSys:
      return OpKind::Fence;
    case TimingClass::Barrier:
      return OpKind::Barrier;
    case TimingClass::Exit:
      return OpKind::Exit;
    default:
      return OpKind::Compute;
  }
}

MemorySpace space_of(TimingClass timing_class) {
  switch (timing_class) {
    case TimingClass::LoadGlobal:
    case TimingClass::StoreGlobal:
    case TimingClass::AtomicGlobal:
    case TimingClass::ReduceGlobal:
    case TimingClass::CopyToShared:
    case TimingClass::MembarSys:
      return MemorySpace::Global;
    case TimingClass::LoadShared:
    case TimingClass::StoreShared:
    case TimingClass::AtomicShared:
      return MemorySpace::Shared;
    default:
      return MemorySpace::None;
  }
}

/// Some of the NOPs are something else that needs no registers.
OpKind kind_of_nop(Dice& dice) {
  constexpr OpKind kKinds[] = {OpKind::Compute, OpKind::Sleep, OpKind::CommitCopies, OpKind::AwaitCopies};
  return kKinds[dice.number(0, 3)];
}

/// Reads and writes a few of eight registers and a predicate.
stream::StaticOp make_op(TimingClass timing_class, Dice& dice) {
  stream::StaticOp op;
  op.timing_class = timing_class;
  op.kind = kind_of(timing_class);
  op.space = space_of(timing_class);
  if (timing_class == TimingClass::Nop) op.kind = kind_of_nop(dice);
  if (timing_class == TimingClass::LoadGlobal && dice.one_in(8)) {
    op.kind = OpKind::InvalidateL1;
    op.space = MemorySpace::None;
  }
  op.groups_left = static_cast<std::uint8_t>(dice.number(0, 2));
  op.past_l1 = (op.kind == OpKind::Load || op.kind == OpKind::Copy) && dice.one_in(2);
  for (std::uint8_t& index : op.register_reads.registers)
    index = static_cast<std::uint8_t>(dice.number(0, 7));
  op.register_reads.kept = static_cast<std::uint8_t>(dice.number(0, 7));
  op.register_reads.is_timed = dice.one_in(2);
  op.bytes_per_lane = static_cast<std::uint8_t>(
      op.space == MemorySpace::None || op.kind == OpKind::Fence ? 0 : 1U << dice.number(0, 4));
  if (timing_class == TimingClass::LoadShared && dice.one_in(4)) {
    op.matrices = static_cast<std::uint8_t>(1U << dice.number(0, 2));
    op.bytes_per_lane = stream::kMatrixRowBytes;
  }
  const bool can_be_local = op.space == MemorySpace::Global &&
                            (op.kind == OpKind::Load || op.kind == OpKind::Store);
  if (can_be_local && dice.one_in(4)) op.space = MemorySpace::Local;
  op.may_branch = timing_class == TimingClass::Branch;
  std::set<ir::RegisterSlot> used;
  std::set<ir::RegisterSlot> written;
  for (std::uint32_t i = dice.number(0, 3); i > 0; --i) {
    used.insert(static_cast<ir::RegisterSlot>(ir::kFirstRegister + dice.number(0, 7)));
  }
  if (dice.one_in(4)) used.insert(ir::kGuardSlots);
  const bool writes = op.kind == OpKind::Load || (op.kind == OpKind::Atomic && dice.one_in(2)) ||
                      (op.kind == OpKind::Compute && !op.may_branch);
  if (writes && timing_class != TimingClass::Nop) {
    written.insert(static_cast<ir::RegisterSlot>(ir::kFirstRegister + dice.number(0, 7)));
    if (timing_class == TimingClass::Compare) written = {ir::kPredicateSlots, ir::kGuardSlots};
  }
  used.insert(written.begin(), written.end());
  for (const ir::RegisterSlot slot : used) op.waits_for.add(slot);
  for (const ir::RegisterSlot slot : written) op.writes.add(slot);
  return op;
}

std::vector<Addr> make_addresses(const stream::StaticOp& op, Dice& dice) {
  const std::uint64_t bytes = op.bytes_per_lane;
  const std::uint64_t span = std::uint64_t{1} << dice.number(7, 14);
  const std::uint64_t start = dice.between(0, 64) * bytes;
  const std::uint64_t stride = dice.between(0, 40) * bytes;
  const bool scattered = dice.one_in(3);
  std::vector<Addr> addresses;
  for (unsigned lane = 0; lane < 32; ++lane) {
    addresses.push_back(scattered ? dice.between(0, span / bytes) * bytes : start + lane * stride);
  }
  return addresses;
}

/// One pass over the operations, a few of which this warp leaves out; barriers it keeps, as its siblings wait
/// there.
Script::Warp make_warp(const Script& script, const std::vector<std::size_t>& order, LaneMask lanes,
                       Dice& dice) {
  Script::Warp warp{lanes, {}};
  const bool leaves_early = dice.one_in(5);
  for (const std::size_t index : order) {
    const stream::StaticOp& op = script.ops[index];
    if (op.kind == OpKind::Exit || (leaves_early && dice.one_in(10))) break;
    if (op.kind == OpKind::Barrier || op.kind == OpKind::BarrierReduce) {
      warp.steps.push_back({index, lanes, lanes, {}});
      continue;
    }
    if (dice.one_in(8)) continue;
    LaneMask active = dice.mask(lanes);
    if (active == 0) active = lanes;
    Script::Step step{index, active, dice.mask(active), {}};
    if (op.bytes_per_lane != 0) step.addresses = make_addresses(op, dice);
    if (op.kind == OpKind::Sleep) step.nanoseconds = dice.number(0, 300);
    warp.steps.push_back(std::move(step));
  }
  warp.steps.push_back({order.back(), lanes, lanes, {}});
  return warp;
}

Script make_script(const sim::GpuSpec& spec, Dice& dice, std::uint32_t most_blocks,
                   std::uint32_t most_threads) {
  Script script;
  const std::uint32_t threads = dice.number(1, most_threads);
  script.shape.kernel = "random";
  script.shape.grid = {dice.number(1, most_blocks)};
  script.shape.block = {threads};
  script.shape.registers_per_thread = 16;
  script.shape.shared_bytes_per_block = dice.number(0, 2048);
  std::vector<std::size_t> order;
  for (std::uint32_t i = dice.number(1, 40); i > 0; --i) {
    // Every class but Exit and, in its place, fewer barriers.
    auto timing_class = static_cast<TimingClass>(dice.number(0, ir::kTimingClasses - 1));
    const bool is_there = !spec.sm.timing(timing_class).is_absent();
    if (timing_class == TimingClass::Exit || !is_there) timing_class = TimingClass::LoadGlobal;
    if (dice.one_in(3)) timing_class = dice.one_in(2) ? TimingClass::LoadGlobal : TimingClass::LoadShared;
    order.push_back(script.add(make_op(timing_class, dice)));
  }
  order.push_back(script.add(make_op(TimingClass::Exit, dice)));
  for (std::uint64_t block = 0; block < script.shape.blocks(); ++block) {
    std::vector<Script::Warp>& warps = script.blocks.emplace_back();
    for (std::uint32_t left = threads; left > 0; left -= std::min(left, 32U)) {
      warps.push_back(make_warp(script, order, first_lanes(std::min(left, 32U)), dice));
    }
  }
  return script;
}

Script make_script(const sim::GpuSpec& spec, Dice& dice) {
  return make_script(spec, dice, 12, spec.occupancy.max_threads_per_block);
}

struct Case {
  explicit Case(std::uint64_t seed) : dice(seed), spec(make_gpu(dice)), kernel(make_script(spec, dice)) {}

  Timeline run(bool visit_every_cycle) {
    sim::RunOptions options = mode(visit_every_cycle);
    options.max_cycles = 10'000'000;
    return simulate(kernel, spec, options);
  }

  Dice dice;
  sim::GpuSpec spec;
  ScriptedKernel kernel;
};

/// (SM, slot parity, cycle) is used once, and each warp's issues ascend.
void check_issues(const Timeline& run, const sim::GpuSpec& spec) {
  std::set<std::tuple<SmId, unsigned, Cycle>> slots;
  std::map<std::pair<BlockId, std::uint32_t>, Cycle> last;
  std::uint64_t out_of_order = 0;
  for (const sim::WarpIssued& event : run.issued) {
    slots.emplace(event.sm, event.slot % spec.sm.sub_partitions, event.cycle);
    const auto [place, is_first] = last.try_emplace({event.block, event.warp_in_block}, event.cycle);
    if (!is_first && event.cycle <= place->second) ++out_of_order;
    place->second = event.cycle;
  }
  CHECK(slots.size() == run.issued.size());
  CHECK(out_of_order == 0);
}

bool same_issues(const Timeline& a, const Timeline& b) {
  const auto key = [](const sim::WarpIssued& event) {
    return std::tuple(event.sm, event.cycle, event.slot, event.block, event.warp_in_block, event.pc,
                      event.executed);
  };
  const auto sorted = [&key](const Timeline& run) {
    std::vector<decltype(key(run.issued.front()))> keys;
    for (const sim::WarpIssued& event : run.issued) keys.push_back(key(event));
    std::sort(keys.begin(), keys.end());
    return keys;
  };
  return sorted(a) == sorted(b);
}

void check_seed(std::uint64_t seed) {
  INFO("seed " << seed);
  Case random(seed);
  const Timeline jumped = random.run(false);
  CHECK(broken_laws(jumped.result, random.spec) == std::vector<std::string>{});
  check_issues(jumped, random.spec);
  const Timeline ticked = random.run(true);
  CHECK(differences(jumped.result, ticked.result) == std::vector<std::string>{});
  CHECK(same_issues(jumped, ticked));
  sim::RunOptions unasked;
  unasked.max_cycles = 10'000'000;
  CHECK(differences(jumped.result, sim::run(random.kernel, random.spec, unasked)) == std::vector<std::string>{});
}

TEST_CASE("random launches balance their books, and jump or tick alike") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) check_seed(seed);
}

TEST_CASE("random launches that the GPU files take run alike, too") {
  for (const char* gpu : {"tiny", "v100", "textbook"}) {
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      INFO(gpu << ", seed " << seed);
      Dice dice(seed);
      const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=2"});
      ScriptedKernel kernel(make_script(spec, dice));
      const Timeline jumped = simulate(kernel, spec, mode(false));
      CHECK(broken_laws(jumped.result, spec) == std::vector<std::string>{});
      CHECK(differences(jumped.result, simulate(kernel, spec, mode(true)).result) ==
            std::vector<std::string>{});
    }
  }
}

// -- several grids on one device ----------------------------------------------------------------------------

/// Grids in streams, some of which wait for others.
struct StreamedCase {
  struct Submission {
    std::uint32_t stream;
    std::uint32_t waits_for;  // the event behind that submission; its own: none
  };

  explicit StreamedCase(std::uint64_t seed) : dice(seed), spec(make_gpu(dice)) {
    for (std::uint32_t i = dice.number(1, 3); i > 0; --i)
      priorities.push_back(static_cast<int>(dice.number(0, 2)));
    const auto streams = static_cast<std::uint32_t>(priorities.size());
    for (std::uint32_t i = 0; i < dice.number(2, 6); ++i) {
      kernels.push_back(std::make_unique<ScriptedKernel>(
          make_script(spec, dice, 12, 1 + (spec.occupancy.max_threads_per_block - 1) / dice.number(1, 6))));
      submissions.push_back({dice.number(0, streams - 1), dice.number(0, i)});
    }
  }

  struct Outcome {
    std::vector<sim::GridRun> grids;
    sim::DeviceTotals totals;
  };

  /// Grids that are counted by instruction run beside others that are not.
  static bool is_by_instruction(std::size_t grid) { return grid % 3 != 1; }

  Outcome run(bool visit_every_cycle, unsigned threads) {
    sim::Device device(spec, {visit_every_cycle, threads});
    std::vector<sim::StreamId> streams;
    for (const int priority : priorities) streams.push_back(device.add_stream(priority));
    std::vector<sim::EventId> events;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
      const sim::StreamId stream = streams[submissions[i].stream];
      if (submissions[i].waits_for != i) device.wait(stream, events[submissions[i].waits_for]);
      device.submit(*kernels[i], stream, {10'000'000, is_by_instruction(i)});
      events.push_back(device.record(stream));
    }
    device.run();
    Outcome outcome;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
      outcome.grids.push_back(device.take_result(static_cast<sim::GridId>(i)));
      const sim::GridRun& grid = outcome.grids.back();
      CHECK(device.time_of(events[i]) == grid.begin + grid.result.cycles);
    }
    outcome.totals = device.totals();
    return outcome;
  }

  Dice dice;
  sim::GpuSpec spec;
  std::vector<int> priorities;
  std::vector<std::unique_ptr<ScriptedKernel>> kernels;
  std::vector<Submission> submissions;
};

/// All that a device did, as if it were one launch that may fill an SM.
sim::RunResult as_one_run(const StreamedCase::Outcome& outcome, const sim::GpuSpec& spec) {
  sim::RunResult all;
  all.cycles = outcome.totals.cycles;
  all.occupancy.warps_per_sm = spec.occupancy.max_warps;
  all.sms = outcome.totals.sms;
  all.total = outcome.totals.total;
  for (const sim::GridRun& grid : outcome.grids)
    all.launch.grid.x += static_cast<std::uint32_t>(grid.result.launch.blocks());
  all.launch.grid.x -= 1;  // that a grid has anyway
  return all;
}

std::vector<std::string> all_differences(const StreamedCase::Outcome& a, const StreamedCase::Outcome& b) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < a.grids.size(); ++i) {
    if (a.grids[i].begin != b.grids[i].begin) found.push_back(fmt::format("begin of grid {}", i));
    for (const std::string& what : differences(a.grids[i].result, b.grids[i].result))
      found.push_back(fmt::format("grid {}: {}", i, what));
  }
  if (a.totals.cycles != b.totals.cycles) found.emplace_back("cycles of all");
  if (!(a.totals.total == b.totals.total)) found.emplace_back("totals");
  return found;
}

TEST_CASE("random grids in streams: the books of the device balance, whoever looks on how") {
  std::size_t shared_sms = 0;
  for (std::uint64_t seed = 1; seed <= 170; ++seed) {
    INFO("seed " << seed);
    StreamedCase random(seed);
    const StreamedCase::Outcome jumped = random.run(false, 1);
    CHECK(broken_laws(as_one_run(jumped, random.spec), random.spec) == std::vector<std::string>{});
    // What each grid was charged with adds up to that.
    sim::SmCounters sum;
    Cycle active = 0;
    for (std::size_t i = 0; i < jumped.grids.size(); ++i) {
      const sim::RunResult& grid = jumped.grids[i].result;
      sum += grid.total;
      CHECK(grid.total.blocks == grid.launch.blocks());
      CHECK(grid.by_pc.empty() != StreamedCase::is_by_instruction(i));
      if (!grid.by_pc.empty()) CHECK(broken_pc_laws(grid) == std::vector<std::string>{});
    }
    active = std::exchange(sum.active_cycles, jumped.totals.total.active_cycles);
    CHECK(sum == jumped.totals.total);
    if (active > jumped.totals.total.active_cycles) ++shared_sms;
    CHECK(all_differences(jumped, random.run(true, 1)) == std::vector<std::string>{});
    CHECK(all_differences(jumped, random.run(false, 3)) == std::vector<std::string>{});
  }
  CHECK(shared_sms > 50);  // in so many, grids ran side by side on an SM
}

TEST_CASE("of a single warp, issue slots are lost to what the warp waited for") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    const sim::GpuSpec spec = make_gpu(dice);
    ScriptedKernel kernel(make_script(spec, dice, 1, 32));
    const sim::SmCounters total = simulate(kernel, spec).result.total;
    CHECK(total.issue_slots.stalled == total.stalls);
  }
}

}  // namespace
}  // namespace heddle::test
