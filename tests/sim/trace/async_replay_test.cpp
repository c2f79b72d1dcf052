// Barriers in shared memory, bulk copies and cluster barriers in replayed traces: hand-made ones, at the
// cycles that the rules give.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/load.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/both_modes.h"
#include "tests/support/scratch_folder.h"

namespace heddle::test {
namespace {

using ir::TimingClass;
using Lines = std::vector<std::string>;

constexpr unsigned kFull = 0x400;   // mbarriers that copies fill, 8 bytes each
constexpr unsigned kEmpty = 0x440;  // and those of consumers
constexpr Addr kData = 0x7f1000000000;

/// Nothing but latency counts.
sim::GpuSpec unloaded() {
  return sim::load_gpu("h100", {"dram.bandwidth_gbps=1e6", "dram.activate_ns=0", "l2.partitions=1"});
}

/// From a copy of one line's issue until its data are in shared memory.
Cycle copy_latency(const sim::GpuSpec& spec) {
  return spec.dram.latency + spec.sm.timing(TimingClass::CopyToShared).latency - spec.l1.latency;
}

// -- lines of version 6, and of version 5, which has no values ------------------------------------

struct Writer {
  bool has_values = true;

  [[nodiscard]] std::string line(std::string text, const std::string& values) const {
    if (has_values) text += values.empty() ? " NoVal" : " Val " + values;
    return text;
  }
  [[nodiscard]] std::string init(unsigned barrier, unsigned count) const {
    const std::uint64_t word = std::uint64_t{0x100000 - count} << 1;
    return line(fmt::format("00000001 1 UR255 SYNCS.EXCH.64 2 R4 UR6 8 0 {:#x} 0 0", barrier),
                fmt::format("1 0 1 0 1 {:016x}", word | word << 42));
  }
  [[nodiscard]] std::string arrive(unsigned barrier, const char* mask = "00000001") const {
    return line(fmt::format("{} 1 R255 SYNCS.ARRIVE.TRANS64.A1T0 2 R4 R255 8 1 {:#x} 0 0 0", mask, barrier),
                "1 0 1 0 1 0");
  }
  [[nodiscard]] std::string expect(unsigned barrier, unsigned bytes) const {
    return line(fmt::format("00000001 1 R255 SYNCS.ARRIVE.TRANS64 2 R4 R5 8 0 {:#x} 0 0", barrier),
                fmt::format("1 0 1 0 1 {:08x}", bytes));
  }
  [[nodiscard]] std::string wait(unsigned barrier, unsigned parity) const {
    return line(fmt::format("ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R4 R5 8 1 {:#x} 0 0 0", barrier),
                fmt::format("1 0 1 {:08x}", parity << 31));
  }
  [[nodiscard]] std::string copy(unsigned barrier, Addr from, unsigned pieces = 1) const {
    std::string text = fmt::format("00000001 0 UTMALDG.2D 0 128 0x{:08x} 0 {} 0 4 {:#x} {}", barrier,
                                   128 * pieces, from, pieces);
    for (unsigned i = 1; i < pieces; ++i) text += " 128";
    return line(text + " 0 0", "");
  }
  [[nodiscard]] std::string plain(const std::string& text) const { return line(text, ""); }

  /// Lines at places of their own, then an EXIT.
  [[nodiscard]] std::string warp(unsigned index, const Lines& lines) const {
    Lines placed;
    for (const std::string& each : lines) {
      const bool is_mark = each.starts_with("REPLAY");
      placed.push_back(is_mark ? "0000 ffffffff 0 " + each
                               : fmt::format("{:04x} {}", 0x1000 * index + 16 * placed.size(), each));
    }
    placed.push_back("ff00 " + plain("ffffffff 0 EXIT 0 0 0 0"));
    return trace::warp_text(index, placed);
  }
  /// A launch of blocks that do the same.
  [[nodiscard]] std::string launch(unsigned warps, const std::string& text, unsigned blocks = 1) const {
    std::string all = trace::text_of({.version = has_values ? "6" : "5",
                                      .grid = fmt::format("({},1,1)", blocks),
                                      .block = fmt::format("({},1,1)", 32 * warps),
                                      .format = trace::kNewFormat});
    for (unsigned i = 0; i < blocks; ++i) all += trace::block_text(fmt::format("{},0,0", i), text);
    return all;
  }
};

const Writer kValues{true};
const Writer kNoValues{false};
const std::string kFfma = "ffffffff 1 R3 FFMA 2 R3 R0 0 0 0";

struct Replayed {
  Timeline timeline;
  std::vector<trace::Approximation> approximations;

  [[nodiscard]] std::uint64_t released() const { return timeline.result.total.released_waits; }
};

Replayed replay_so(const std::string& path, const sim::GpuSpec& spec, const sim::RunOptions& options) {
  trace::ReplayKernel kernel(trace::open_trace(path));
  Timeline timeline = simulate(kernel, spec, options);
  return {std::move(timeline), kernel.approximations()};
}

/// By jumps, once it is known that visiting every cycle, and two threads, give the same.
Replayed replay(const std::string& text, const sim::GpuSpec& spec = unloaded()) {
  const test::ScratchFolder folder;
  const std::string path = folder.write("t.traceg", text);
  Replayed jumped = replay_so(path, spec, mode(false));
  const Replayed visited = replay_so(path, spec, mode(true));
  CHECK(differences(jumped.timeline.result, visited.timeline.result) == Lines{});
  CHECK((issues_of(jumped.timeline) == issues_of(visited.timeline)));
  CHECK(jumped.released() == visited.released());
  sim::RunOptions threads;
  threads.threads = 2;
  trace::ReplayKernel kernel(trace::open_trace(path));
  CHECK(differences(jumped.timeline.result, run_by_instruction(kernel, spec, threads)) == Lines{});
  CHECK(broken_laws(jumped.timeline.result, spec) == Lines{});
  return jumped;
}

// -- a copy and who waits for it ------------------------------------------------------------------

TEST_CASE("a wait for a bulk copy ends when its data have come") {
  const sim::GpuSpec spec = unloaded();
  for (const Writer& writer : {kValues, kNoValues}) {
    const Lines lines = {writer.init(kFull, 1), writer.expect(kFull, 128), writer.copy(kFull, kData),
                         writer.wait(kFull, 0), writer.plain(kFfma)};
    const Replayed run = replay(writer.launch(1, writer.warp(0, lines)));
    const std::vector<Cycle> at = run.timeline.cycles(0);
    CHECK(at[4] == at[2] + copy_latency(spec));
    CHECK(run.released() == 0);
    CHECK(run.timeline.result.total.stalls[ir::StallReason::LongScoreboard] == copy_latency(spec) - 2);
  }
}

TEST_CASE("the lines of a bulk copy leave one a cycle, and come as fast as the SM takes them in") {
  const sim::GpuSpec spec = unloaded();
  for (const unsigned pieces : {2U, 16U, 64U}) {
    INFO(pieces);
    const Lines lines = {kValues.init(kFull, 1), kValues.expect(kFull, 128 * pieces),
                         kValues.copy(kFull, kData, pieces), kValues.wait(kFull, 0), kValues.plain(kFfma)};
    const Replayed run = replay(kValues.launch(1, kValues.warp(0, lines)));
    const std::vector<Cycle> at = run.timeline.cycles(0);
    CHECK(at[4] - at[2] >= copy_latency(spec) + pieces - 1);
    CHECK(at[4] - at[2] <= copy_latency(spec) + 4 * pieces);
    CHECK(run.timeline.result.total.memory.global_load_sectors == 4 * pieces);
    CHECK(run.timeline.result.total.memory.l1_hit_sectors == 0);
  }
}

TEST_CASE("a wait that begins before the copy is issued does not end before its data have come") {
  const sim::GpuSpec spec = unloaded();
  for (const Writer& writer : {kValues, kNoValues}) {
    Lines producer = {writer.init(kFull, 1)};
    for (unsigned i = 0; i < 100; ++i) producer.push_back(writer.plain(kFfma));
    producer.push_back(writer.expect(kFull, 128));
    producer.push_back(writer.copy(kFull, kData));
    const Lines consumer = {writer.plain("ffffffff 0 NOP 0 0 0 0"), writer.wait(kFull, 0),
                            writer.plain(kFfma)};
    const Replayed run = replay(writer.launch(2, writer.warp(0, producer) + writer.warp(1, consumer)));
    CHECK(run.timeline.cycles(1)[2] == run.timeline.cycles(0)[102] + copy_latency(spec));
  }
}

// -- a pipeline of two stages ---------------------------------------------------------------------

/// Warp 0 copies, warp 1 computes: chains of so many FFMAs.
std::string pipeline(const Writer& writer, unsigned rounds, unsigned work, unsigned blocks = 1) {
  Lines producer = {writer.init(kFull, 1), writer.init(kFull + 8, 1), writer.init(kEmpty, 1),
                    writer.init(kEmpty + 8, 1), writer.plain("ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0")};
  Lines consumer = {writer.plain("ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0")};
  for (unsigned i = 0; i < rounds; ++i) {
    const unsigned stage = 8 * (i % 2);
    const unsigned parity = i / 2 % 2;
    producer.push_back(writer.wait(kEmpty + stage, 1 - parity));
    producer.push_back(writer.expect(kFull + stage, 128));
    producer.push_back(writer.copy(kFull + stage, kData + 4096 * i));
    consumer.push_back(writer.wait(kFull + stage, parity));
    for (unsigned j = 0; j < work; ++j) consumer.push_back(writer.plain(kFfma));
    consumer.push_back(writer.arrive(kEmpty + stage));
  }
  return writer.launch(2, writer.warp(0, producer) + writer.warp(1, consumer), blocks);
}

/// When the instructions behind the block's barrier issue. Without values nobody waits for free stages.
void check_pipeline(const Replayed& run, unsigned rounds, unsigned work, bool waits_for_empty) {
  const sim::GpuSpec spec = unloaded();
  const std::vector<Cycle> producer = run.timeline.cycles(0);
  const std::vector<Cycle> consumer = run.timeline.cycles(1);
  const Cycle each = spec.sm.timing(TimingClass::Fp32).latency;
  std::vector<Cycle> copied;
  std::vector<Cycle> emptied;
  Cycle last_wait = producer[5];
  Cycle at = consumer[1];
  Cycle chain = 0;  // when its last result can be read
  for (unsigned i = 0; i < rounds; ++i) {
    INFO("round " << i);
    const bool is_full = waits_for_empty && i >= 2;
    const Cycle announced = std::max(last_wait + 1, is_full ? emptied[i - 2] + 1 : 0);
    REQUIRE(producer[5 + 3 * i] == last_wait);
    REQUIRE(producer[6 + 3 * i] == announced);
    REQUIRE(producer[7 + 3 * i] == announced + 1);
    copied.push_back(announced + 1 + copy_latency(spec));
    last_wait = announced + 2;
    REQUIRE(consumer[1 + (2 + work) * i] == at);
    const Cycle begin = std::max({at + 1, copied.back(), chain});
    REQUIRE(consumer[2 + (2 + work) * i] == begin);
    chain = begin + work * each;
    emptied.push_back(begin + (work - 1) * each + 1);
    REQUIRE(consumer[2 + (2 + work) * i + work] == emptied.back());
    at = emptied.back() + 1;
  }
  CHECK(run.released() == 0);
}

TEST_CASE("a pipeline of two stages waits for full and for empty stages") {
  for (const unsigned work : {1U, 10U, 400U}) {
    INFO(work);
    check_pipeline(replay(pipeline(kValues, 7, work)), 7, work, true);
  }
}

TEST_CASE("without values a pipeline waits for its copies, and not for empty stages") {
  for (const unsigned work : {1U, 10U, 400U}) {
    INFO(work);
    const Replayed run = replay(pipeline(kNoValues, 7, work));
    check_pipeline(run, 7, work, false);
    REQUIRE(run.approximations.size() == 4);
    CHECK(run.approximations.back().opcode == "SYNCS.PHASECHK.TRANS64.TRYWAIT");
    CHECK(run.approximations.back().as == "wait for bulk copies");
    CHECK(run.approximations.back().warp_instructions == 14);
  }
  CHECK(replay(pipeline(kValues, 7, 1)).approximations.empty());
}

TEST_CASE("pipelines of many blocks do not disturb one another's barriers") {
  const Replayed run = replay(pipeline(kValues, 5, 10, 300), sim::load_gpu("h100", {"sms=4"}));
  CHECK(run.timeline.result.total.blocks == 300);
  CHECK(run.released() == 0);
}

// -- arrivals -------------------------------------------------------------------------------------

TEST_CASE("each lane arrives by itself, and blocks of a cluster are told apart by nothing") {
  const auto last_of = [](unsigned expected) {
    Lines waiter = {kValues.init(kFull, expected), kValues.plain("ffffffff 0 BAR.SYNC 0 0 0 0"),
                    kValues.wait(kFull, 0), kValues.plain(kFfma)};
    Lines other = {kValues.plain("ffffffff 0 BAR.SYNC 0 0 0 0"), kValues.arrive(kFull, "0000ffff")};
    for (unsigned i = 0; i < 50; ++i) other.push_back(kValues.plain(kFfma));
    other.push_back(kValues.arrive(kFull + (1U << 24), "ffffffff"));
    const Replayed run = replay(kValues.launch(2, kValues.warp(0, waiter) + kValues.warp(1, other)));
    CHECK(run.released() == 0);
    const std::vector<Cycle> arrivals = run.timeline.cycles(1);
    const Cycle went_on = run.timeline.cycles(0)[3];
    return went_on == arrivals[52] + 1                                       ? 2
           : went_on == std::max(arrivals[1], run.timeline.cycles(0)[2]) + 1 ? 1
                                                                             : 0;
  };
  CHECK(last_of(16) == 1);
  CHECK(last_of(17) == 2);
  CHECK(last_of(48) == 2);
}

TEST_CASE("copies of a warp arrive for it when they are done") {
  const sim::GpuSpec spec = unloaded();
  const std::string copy = fmt::format("ffffffff 0 LDGSTS.E 2 R2 R4 4 1 {:#x} 4 0 0", kData);
  const auto arrive_after = [](const char* opcode) {
    return kValues.line(fmt::format("ffffffff 0 {} 1 R6 8 1 {:#x} 0 0 0", opcode, kFull), "1 0");
  };
  // Its lanes are expected; or the copies count as bytes, which a line of their own announces, and others arrive.
  const std::string announce = kValues.line(
      fmt::format("ffffffff 1 R255 SYNCS.ARRIVE.TRANS64.RED.A0T1 2 R4 R255 8 1 {:#x} 0 0 0", kFull), "1 0 1 0 1 0");
  const Lines expected = {kValues.init(kFull, 32),
                          kValues.plain(copy),
                          arrive_after("ARRIVES.LDGSTSBAR.64"),
                          kValues.plain("ffffffff 0 NOP 0 0 0 0"),
                          kValues.plain("ffffffff 0 NOP 0 0 0 0"),
                          kValues.wait(kFull, 0),
                          kValues.plain(kFfma)};
  const Lines counted = {kValues.init(kFull, 1),
                         kValues.plain(copy),
                         announce,
                         arrive_after("ARRIVES.LDGSTSBAR.64.TRANSCNT"),
                         kValues.arrive(kFull),
                         kValues.wait(kFull, 0),
                         kValues.plain(kFfma)};
  for (const Lines& lines : {expected, counted}) {
    const Replayed run = replay(kValues.launch(1, kValues.warp(0, lines)));
    const std::vector<Cycle> at = run.timeline.cycles(0);
    CHECK(at[6] == at[1] + copy_latency(spec));
    CHECK(run.released() == 0);
  }
}

// -- copies of a warp, their groups, and arrivals between them ------------------------------------

const std::string kCommit = kValues.plain("ffffffff 0 LDGDEPBAR 0 0 0 0");
const std::string kNop = kValues.plain("ffffffff 0 NOP 0 0 0 0");
const std::string kArrive =
    kValues.line(fmt::format("ffffffff 0 ARRIVES.LDGSTSBAR.64 1 R6 8 1 {:#x} 0 0 0", kFull), "1 0");

std::string copy_of(unsigned line) {
  return kValues.plain(fmt::format("ffffffff 0 LDGSTS.E 2 R2 R4 4 1 {:#x} 4 0 0", kData + 128 * line));
}

std::string await_groups(unsigned left) {
  return kValues.plain(fmt::format("ffffffff 0 DEPBAR.LE 0 0 {} 0", left));
}

/// From each line's issue to the next one's.
std::vector<Cycle> steps_of(const Lines& lines) {
  return steps(replay(kValues.launch(1, kValues.warp(0, lines))).timeline.cycles(0));
}

Lines with_nop_for(Lines lines, const std::string& line) {
  std::replace(lines.begin(), lines.end(), line, kNop);
  return lines;
}

TEST_CASE("an arrival that waits for copies closes no group of them") {
  const Lines all[] = {
      {copy_of(0), kCommit, kArrive, await_groups(1)},                                     // for none
      {copy_of(0), kArrive, copy_of(1), kCommit, await_groups(0)},                         // for both
      {copy_of(0), kArrive, copy_of(1), kCommit, copy_of(2), kCommit, await_groups(1)},    // for two
      {copy_of(0), kCommit, kArrive, copy_of(1), kArrive, kCommit, kNop, await_groups(1)}  // for the first
  };
  for (const Lines& lines : all) CHECK(steps_of(lines) == steps_of(with_nop_for(lines, kArrive)));
  const Cycle latency = copy_latency(unloaded());
  CHECK(steps_of(all[0])[2] < latency / 2);
  CHECK(steps_of(all[1])[3] > latency / 2);
  CHECK(steps_of(all[2])[5] > latency / 2);
}

TEST_CASE("an arrival waits for the copies before it, and for none behind it, whatever their groups") {
  const std::string wait = kValues.wait(kFull, 0);
  for (const Lines& lines :
       {Lines{kValues.init(kFull, 32), copy_of(0), kCommit, kArrive, copy_of(1), kCommit, wait},
        Lines{kValues.init(kFull, 32), copy_of(0), kArrive, copy_of(1), kCommit, kNop, wait},
        Lines{kValues.init(kFull, 32), kNop, kNop, copy_of(0), kArrive, copy_of(1), wait}}) {
    const std::vector<Cycle> at = replay(kValues.launch(1, kValues.warp(0, lines))).timeline.cycles(0);
    const auto first =
        static_cast<std::size_t>(std::find(lines.begin(), lines.end(), copy_of(0)) - lines.begin());
    CHECK(at[7] == at[first] + copy_latency(unloaded()));
  }
}

// -- stores, clusters, loops ----------------------------------------------------------------------

TEST_CASE("a group of bulk stores is waited for like a group of copies") {
  const sim::GpuSpec spec = unloaded();
  const std::string store =
      fmt::format("00000001 0 UTMASTG.2D 0 128 0x00000000 0 256 0 4 {:#x} 2 128 0 0", kData);
  const Lines lines = {kValues.plain(store), kValues.plain("00000001 0 UTMACMDFLUSH 0 0 0 0"),
                       kValues.plain("ffffffff 0 DEPBAR.LE 0 0 0 0"), kValues.plain(kFfma)};
  const Replayed run = replay(kValues.launch(1, kValues.warp(0, lines)));
  const std::vector<Cycle> at = run.timeline.cycles(0);
  CHECK(at[2] >= at[0] + spec.l2.latency);
  CHECK(run.timeline.result.total.memory.global_store_sectors == 8);
  CHECK(run.approximations.empty());
}

TEST_CASE("bulk stores are done when memory has taken them, also those that were held, in every mode alike") {
  // 64 lines each, of whose sectors two slices take two a cycle; the stores of the second warp come while the
  // first one's are held.
  constexpr unsigned kStores = 30;
  constexpr unsigned kPieces = 64;
  const sim::GpuSpec spec = sim::load_gpu(
      "h100", {"dram.bandwidth_gbps=1e6", "dram.activate_ns=0", "l2.partitions=1", "l2.slices=2",
               "l2.sectors_per_cycle=1", "l2.far_sectors_per_cycle=1", "l2.efficiency=1"});
  const auto stores = [](Addr first, unsigned pause) {
    Lines lines(pause, kValues.plain(kFfma));
    for (unsigned i = 0; i < kStores; ++i) {
      std::string store = kValues.copy(0, first + 128 * kPieces * i, kPieces);
      lines.push_back(store.replace(store.find("UTMALDG"), 7, "UTMASTG"));
      lines.insert(lines.end(), 7, kValues.plain(kFfma));
    }
    lines.push_back(kValues.plain("00000001 0 UTMACMDFLUSH 0 0 0 0"));
    lines.push_back(kValues.plain("ffffffff 0 DEPBAR.LE 0 0 0 0"));
    lines.push_back(kValues.plain(kFfma));
    return lines;
  };
  const std::string both =
      kValues.warp(0, stores(kData, 0)) + kValues.warp(1, stores(kData + (1U << 20), 700));
  const Replayed run = replay(kValues.launch(2, both), spec);
  const std::uint64_t sectors = run.timeline.result.total.memory.global_store_sectors;
  CHECK(sectors == 2 * kStores * kPieces * 4);
  const Cycle end = std::max(run.timeline.cycles(0).back(), run.timeline.cycles(1).back());
  const Cycle begin = run.timeline.cycles(0).front();
  CHECK(end - begin >= sectors / 2);
  CHECK(end - begin <= sectors / 2 + 2 * spec.l2.latency);
}

TEST_CASE("the barrier of a cluster is the block's: a warp waits for those that have not come") {
  Lines late;
  for (unsigned i = 0; i < 60; ++i) late.push_back(kValues.plain(kFfma));
  const Lines both = {kValues.line("ffffffff 0 UCGABAR_ARV 0 0 0 0", ""),
                      kValues.line("ffffffff 0 UCGABAR_WAIT 0 0 0 0", ""),
                      kValues.plain("ffffffff 1 R7 FFMA 2 R8 R9 0 0 0")};
  late.insert(late.end(), both.begin(), both.end());
  const Replayed run = replay(kValues.launch(2, kValues.warp(0, both) + kValues.warp(1, late)));
  CHECK(run.timeline.cycles(0)[2] == run.timeline.cycles(1)[60] + 1);
  CHECK(run.timeline.cycles(1)[62] == run.timeline.cycles(1)[61] + 1);
  CHECK(run.released() == 0);
}

TEST_CASE("a marked loop around a wait is gone through once, whatever it repeats") {
  const sim::GpuSpec spec = unloaded();
  for (const Writer& writer : {kValues, kNoValues}) {
    Lines lines = {writer.init(kFull, 1)};
    const std::string spin = writer.plain("00000000 0 BRA 0 0 0 0");
    std::vector<std::size_t> first;
    for (unsigned round = 0; round < 3; ++round) {
      lines.push_back(writer.expect(kFull, 128));
      lines.push_back(writer.copy(kFull, kData + 4096 * round));
      lines.push_back("REPLAY_START 0 0 0 0");
      for (unsigned i = 0; i < 3; ++i) {
        lines.push_back(writer.wait(kFull, round % 2));
        lines.push_back(spin);
      }
      lines.push_back("REPLAY_END 0 0 0 0");
    }
    const Replayed run = replay(writer.launch(1, writer.warp(0, lines)));
    const std::vector<Cycle> at = run.timeline.cycles(0);
    for (unsigned round = 0; round < 3; ++round) {
      INFO(round);
      CHECK(at[4 + 8 * round] == at[2 + 8 * round] + copy_latency(spec));  // behind the first wait
    }
    CHECK(run.released() == 0);
  }
}

TEST_CASE("a wait that stands in for another instruction is told as that, released or not") {
  // The other warp waits elsewhere for the one that waits for the cluster.
  const Lines waits = {kValues.plain("ffffffff 0 UCGABAR_ARV 0 0 0 0"),
                       kValues.plain("ffffffff 0 UCGABAR_WAIT 0 0 0 0")};
  const Lines meets = {kValues.plain("ffffffff 0 BAR.SYNC 0 0 0 0")};
  const Replayed run = replay(kValues.launch(2, kValues.warp(0, waits) + kValues.warp(1, meets)));
  CHECK(run.released() == 1);
  CHECK(run.timeline.result.total.released_known_waits == 0);
  REQUIRE(run.approximations.size() == 2);
  CHECK(run.approximations[0].warp_instructions + run.approximations[1].warp_instructions == 2);
}

TEST_CASE("a wait that nothing ends is released, told, and does not hang") {
  const Lines lines = {kValues.init(kFull, 5), kValues.wait(kFull, 0), kValues.plain(kFfma),
                       kValues.wait(kFull, 1), kValues.plain("ffffffff 0 BAR.SYNC 0 0 0 0")};
  const Lines meets = {kValues.plain("ffffffff 0 BAR.SYNC 0 0 0 0")};
  const Replayed run = replay(kValues.launch(2, kValues.warp(0, lines) + kValues.warp(1, meets)));
  CHECK(run.released() == 2);
  CHECK(run.timeline.result.total.blocks == 1);
  CHECK(run.timeline.result.total.released_known_waits == 2);
  // A copy that brings less than was announced.
  const Lines lacking = {kValues.init(kFull, 1), kValues.expect(kFull, 256), kValues.copy(kFull, kData),
                         kValues.wait(kFull, 0), kValues.plain(kFfma)};
  const Replayed late = replay(kValues.launch(1, kValues.warp(0, lacking)));
  CHECK(late.released() == 1);
  CHECK(late.timeline.cycles(0)[4] == late.timeline.cycles(0)[2] + copy_latency(unloaded()));
}

}  // namespace
}  // namespace heddle::test
