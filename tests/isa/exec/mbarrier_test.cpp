// SYNCS, ARRIVES, UBLKCP and UCGABAR as kernels execute them: what they leave, who waits how long, what is no program.
#include <fmt/format.h>

#include <cstring>
#include <numeric>

#include "isa/exec/access_checks.h"
#include "sim/config/load.h"
#include "tests/support/both_modes.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// Thread 0 makes an mbarrier that expects so many arrivals, and all threads see it.
std::string init(unsigned arrivals) {
  const std::uint32_t complement = (1U << 20) - arrivals;
  return fmt::format(R"(
    S2R R0, SR_TID.X
    ISETP.NE.AND P0, PT, R0, RZ, PT
    UMOV UR4, {:#x}
    UMOV UR5, {:#x}
    BSSY B0, made
@P0 BRA skipped
    SYNCS.EXCH.64 URZ, [bar], UR4
skipped:
    BSYNC B0
made:
    BAR.SYNC 0x0
)",
                     complement << 1, complement << 11);
}

/// All wait for a phase of the register's parity.
constexpr const char* kWait = R"(
again:
    SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [bar], {}
@!P1 BRA again
)";

std::string wait_for(const char* parity) { return fmt::format(fmt::runtime(kWait), parity); }

std::string kernel(const std::string& body) {
  return ".kernel k\n.param in ptr\n.param out ptr\n.shared tile 8192\n.shared bar 8\n" + body + "\nEXIT\n";
}

KernelRun launch_of(const std::string& body, unsigned threads, const Buffer& in, const Buffer& out) {
  KernelRun run;
  run.text = kernel(body);
  run.block = {threads};
  run.params = {in.address(), out.address()};
  run.divergence = Divergence::Barriers;
  return run;
}

TEST_CASE("each thread that arrives is told how many were missing before it") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 64 * 8);
  const KernelRun run = launch_of(init(64) + "SYNCS.ARRIVE.TRANS64.A1T0 R2, [bar], RZ\n" + wait_for("RZ") +
                                      "IMAD.WIDE.U32 R4, R0, 0x8, c[out]\nSTG.E.64 [R4.64], R2",
                                  64, out, out);
  CHECK(fault_of(run, memory) == "");
  for (unsigned thread = 0; thread < 64; ++thread) {
    const auto high = static_cast<std::uint32_t>(out.as<std::uint64_t>()[thread] >> 32);
    CAPTURE(thread);
    CHECK((1U << 20) - (high >> 11 & 0xfffff) == 64 - thread);  // as ptxas counts
    CHECK(high >> 31 == 0);
  }
}

TEST_CASE("arrivals by number, bytes that are announced and come, and who departs") {
  // Warp 0 announces 8 bytes for each of its lanes and arrives 3 times in one; warp 1 brings the bytes, then departs for
  // one arrival. The phase is over, and the next one expects 3: 2 arrivals do not end it.
  const std::string body = init(4) + R"(
    MOV R6, 0x8
    MOV R7, 0x3
    SHF.R.U32.HI R8, RZ, 0x5, R0
    ISETP.NE.AND P2, PT, R8, RZ, PT
    LOP3.LUT R9, R0, 0x1f, RZ, 0xc0, !PT
    ISETP.NE.AND P3, PT, R9, RZ, PT
@!P2 SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [bar], R6
    BAR.SYNC 0x0
@!P0 SYNCS.ARRIVE.TRANS64.RED.ART0 RZ, [bar], R7
    BAR.SYNC 0x0
    SYNCS.PHASECHK.TRANS64 P4, [bar], RZ
@P2 SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [bar], R6
    BAR.SYNC 0x0
    ISETP.NE.OR P5, PT, R9, RZ, !P2
@!P5 SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 RZ, [bar], RZ
)" + wait_for("RZ") + R"(
    MOV R10, 0x2
    BAR.SYNC 0x0
@!P0 SYNCS.ARRIVE.TRANS64.ART0 RZ, [bar], R10
    BAR.SYNC 0x0
    MOV R11, 0x80000000
    SYNCS.PHASECHK.TRANS64 P6, [bar], R11
    SEL R12, RZ, 0x1, !P4
    SEL R13, RZ, 0x1, !P6
    LDS.64 R14, [bar]
    IMAD.WIDE.U32 R4, R0, 0x10, c[out]
    STG.E.128 [R4.64], R12)";
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 64 * 16);
  CHECK(fault_of(launch_of(body, 64, out, out), memory) == "");
  const auto words = out.as<std::uint32_t>();
  for (unsigned thread = 0; thread < 64; ++thread) {
    CHECK(words[4 * thread] == 0);      // before the bytes and the last arrival
    CHECK(words[4 * thread + 1] == 0);  // one arrival of three is missing
    CHECK((1U << 20) - (words[4 * thread + 2] >> 1 & 0xfffff) == 3);
    CHECK((1U << 20) - (words[4 * thread + 3] >> 11 & 0xfffff) == 1);
  }
}

/// Thread 0 copies so many bytes in bulk to the tile, all wait for it; each thread writes 4 bytes of every 128 of what came.
std::string bulk_load(unsigned bytes) {
  return init(1) + fmt::format(R"(
    UMOV UR8, 0x0
    UMOV UR9, 0x2000
    ULDC.64 UR10, c[in]
    UMOV UR6, {:#x}
    MOV R6, {:#x}
    BSSY B1, sent
@P0 BRA passed
    UBLKCP.S.G [UR8], [UR10], UR6
    SYNCS.ARRIVE.TRANS64 RZ, [bar], R6
passed:
    BSYNC B1
sent:
)",
                               bytes / 16, bytes) +
         wait_for("RZ");
}

std::string store_tile(unsigned bytes) {
  std::string text = "IMAD.WIDE.U32 R4, R0, 0x4, c[out]\nSHF.L.U32 R8, R0, 0x2, RZ\n";
  for (unsigned at = 0; at < bytes; at += 128)
    text += fmt::format("LDS R10, [R8+tile+{0:#x}]\nSTG.E [R4.64+{0:#x}], R10\n", at);
  return text;
}

TEST_CASE("a bulk copy brings its bytes, and the mbarrier tells") {
  for (const unsigned bytes : {128U, 1024U, 8192U}) {
    CAPTURE(bytes);
    GlobalMemory memory;
    const Buffer& in = memory.allocate("in", bytes);
    const Buffer& out = memory.allocate("out", bytes);
    const auto words = in.as<std::uint32_t>();
    std::iota(words.begin(), words.end(), 77U);
    CHECK(fault_of(launch_of(bulk_load(bytes) + store_tile(bytes), 32, in, out), memory) == "");
    CHECK(std::memcmp(in.as<std::byte>().data(), out.as<std::byte>().data(), bytes) == 0);
  }
}

TEST_CASE("a bulk copy back, and the group that tells when it is done") {
  const std::string body = R"(
    S2R R0, SR_TID.X
    SHF.L.U32 R2, R0, 0x2, RZ
    STS [R2+tile], R0
    IADD3 R3, R0, 0x64, RZ
    STS [R2+tile+0x80], R3
    BAR.SYNC 0x0
    ISETP.NE.AND P0, PT, R0, RZ, PT
    UMOV UR8, 0x0
    ULDC.64 UR10, c[out]
    UMOV UR6, 0x10
@P0 EXIT
    UBLKCP.G.S [UR10], [UR8], UR6
    UTMACMDFLUSH
    DEPBAR.LE SB0, 0x0)";
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 256);
  CHECK(fault_of(launch_of(body, 32, out, out), memory) == "");
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(out.as<std::uint32_t>()[i] == i);
    CHECK(out.as<std::uint32_t>()[32 + i] == i + 100);
  }
}

/// A kernel as the timing model runs it.
TextKernel timed(const std::string& body, unsigned threads) {
  return TextKernel(body, {.x = threads}, {}, ".param in ptr\n.param out ptr\n.shared tile 8192\n.shared bar 8");
}

/// The same of one that reads and writes nothing but shared memory.
TextKernel timed_alone(const std::string& body, unsigned threads) {
  TextKernel kernel = timed(body, threads);
  kernel.add_buffer("in", 128);
  kernel.add_buffer("out", 128);
  return kernel;
}

/// Nothing but latency counts.
sim::GpuSpec unloaded() {
  return sim::load_gpu("h100", {"dram.bandwidth_gbps=1e6", "dram.activate_ns=0", "l2.partitions=1"});
}

TEST_CASE("who waits for a bulk copy goes on when its data have come") {
  const sim::GpuSpec spec = unloaded();
  TextKernel kernel = timed(bulk_load(128) + "after:\n" + store_tile(128), 32);
  Buffer& in = kernel.add_buffer("in", 128);
  Buffer& out = kernel.add_buffer("out", 128);
  in.as<std::uint32_t>()[31] = 5;
  const Timeline run = run_both(kernel, spec);
  CHECK(out.as<std::uint32_t>()[31] == 5);
  const auto first_at = [&](Pc pc) { return run.cycles_at(pc).front(); };
  const Pc wait = kernel.pc_of("again");
  const Pc copy = kernel.pc_of("passed") - 2;
  // From a copy of one line's issue until its data are in shared memory.
  const Cycle latency = spec.dram.latency + spec.sm.timing(ir::TimingClass::CopyToShared).latency - spec.l1.latency;
  CHECK(first_at(wait + 1) == first_at(copy) + latency);
  CHECK(run.cycles_at(wait).size() == 1);
  CHECK(run.result.total.released_waits == 0);
}

TEST_CASE("who waits for arrivals sleeps until the last one, and asks once more") {
  const std::string body = init(32) + R"(
    SHF.R.U32.HI R8, RZ, 0x5, R0
    ISETP.NE.AND P2, PT, R8, RZ, PT
@!P2 BRA again
)" + repeat("NOP", 100) + R"(
arrive:
    SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [bar], RZ
    EXIT
)" + wait_for("RZ");
  TextKernel kernel = timed_alone(body, 64);
  const Timeline run = run_both(kernel, unloaded());
  const Pc wait = kernel.pc_of("again");
  const std::vector<Cycle> asked = run.cycles_at(wait, 0);
  REQUIRE(asked.size() == 2);
  const Cycle arrived = run.cycles_at(kernel.pc_of("arrive"), 1).front();
  CHECK(run.cycles_at(wait + 1, 0).front() == arrived + 1);
}

TEST_CASE("lanes that wait let the lane of their warp go first that ends the phase") {
  for (const char* first : {"@P0 BRA again", "@!P0 BRA arrive"}) {
    const std::string body = init(1) + "BSSY B1, met\n" + first + "\n" +
                             (first[1] == 'P' ? std::string() : std::string("BRA again\n")) + R"(
arrive:
    SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [bar], RZ
    BRA together
)" + wait_for("RZ") + "together:\nBSYNC B1\nmet:\nNOP";
    CAPTURE(body);
    GlobalMemory memory;
    const Buffer& out = memory.allocate("out", 128);
    CHECK(fault_of(launch_of(body, 32, out, out), memory) == "");
    TextKernel kernel = timed_alone(body, 32);
    const Timeline run = run_both(kernel, unloaded());
    CHECK(run.cycles_at(kernel.pc_of("again")).size() <= 2);
  }
}

TEST_CASE("a warp that ends the phase that it has asked for in vain goes on") {
  const std::string body = init(1) + R"(
    SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [bar], RZ
@!P0 SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [bar], RZ
)" + wait_for("RZ");
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  CHECK(fault_of(launch_of(body, 32, out, out), memory) == "");
  TextKernel kernel = timed_alone(body, 32);
  CHECK(run_both(kernel, unloaded()).result.total.released_waits == 0);
}

TEST_CASE("a phase that nobody ends is a deadlock, with and without time") {
  const std::string body = init(2) + "@!P0 SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [bar], RZ\n" + wait_for("RZ");
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  CHECK_THAT(fault_of(launch_of(body, 32, out, out), memory), Catch::Contains("SYNCS.PHASECHK"));
  TextKernel kernel = timed_alone(body, 32);
  CHECK_THROWS_WITH(kernel.run(unloaded()), Catch::Contains("deadlock") || Catch::Contains("waits"));
}

/// Warp 1 writes the tile late; warp 0 reads it behind the barrier of the cluster.
const std::string kAcrossCluster = R"(
    S2R R0, SR_TID.X
    LOP3.LUT R1, R0, 0x1f, RZ, 0xc0, !PT
    SHF.L.U32 R2, R1, 0x2, RZ
    SHF.R.U32.HI R8, RZ, 0x5, R0
    ISETP.EQ.AND P2, PT, R8, RZ, PT
@P2 BRA meet
)" + repeat("NOP", 50) + R"(
    STS [R2+tile], R0
meet:
    UCGABAR_ARV
    UCGABAR_WAIT
    LDS R3, [R2+tile]
    IMAD.WIDE.U32 R4, R0, 0x4, c[out]
    STG.E [R4.64], R3)";

void check_across_cluster(const Buffer& out) {
  for (unsigned thread = 0; thread < 64; ++thread) CHECK(out.as<std::uint32_t>()[thread] == 32 + thread % 32);
}

TEST_CASE("the barrier of a cluster of one block is one of the block's warps") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 256);
  CHECK(fault_of(launch_of(kAcrossCluster, 64, out, out), memory) == "");
  check_across_cluster(out);
  TextKernel kernel = timed(kAcrossCluster, 64);
  kernel.add_buffer("in", 4);
  Buffer& timed_out = kernel.add_buffer("out", 256);
  run_both(kernel, unloaded());
  check_across_cluster(timed_out);
}

std::size_t races_of(const std::string& body, unsigned threads) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 256);
  const auto live = make_kernel(launch_of(body, threads, out, out), memory);
  AccessChecks checks({.races = true});
  checks.begin_launch(live->shape(), live->launch().kernel);
  run_functionally(*live, checks);
  return checks.findings().size();
}

TEST_CASE("what an mbarrier or the barrier of a cluster orders is no race") {
  CHECK(races_of(kAcrossCluster, 64) == 0);
  const std::string write = "SHF.L.U32 R2, R0, 0x2, RZ\nSTS [R2+tile], R0\n";
  const std::string read = "LOP3.LUT R2, R2, 0x80, RZ, 0x3c, !PT\nLDS R3, [R2+tile]";
  const std::string arrive = "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [bar], RZ\n";
  CHECK(races_of(init(64) + write + arrive + wait_for("RZ") + read, 64) == 0);
  CHECK(races_of(init(64) + write + arrive + read, 64) != 0);
}

void check_fault(const std::string& body, const std::string& part) {
  GlobalMemory memory;
  const Buffer& in = memory.allocate("in", 256);
  const Buffer& out = memory.allocate("out", 256);
  CAPTURE(body);
  CHECK_THAT(fault_of(launch_of(body, 32, in, out), memory), Catch::Contains(part));
}

TEST_CASE("mbarriers and bulk copies that lie where none may are faults") {
  check_fault("MOV R2, 0x4\nSYNCS.ARRIVE.TRANS64.A1T0 RZ, [R2], RZ", "misaligned");
  check_fault("MOV R2, 0x10000\nSYNCS.PHASECHK.TRANS64 P0, [R2], RZ", "out-of-bounds");
  const std::string places = "UMOV UR8, 0x0\nUMOV UR9, 0x2000\nULDC.64 UR10, c[in]\nUMOV UR6, 0x8\n";
  const std::string copy = "UBLKCP.S.G [UR8], [UR10], UR6";
  check_fault(places + "UMOV UR6, 0x11\n" + copy, "out-of-bounds load of 16 bytes");
  check_fault(places + "UMOV UR8, 0x4\n" + copy, "misaligned store of 16 bytes at 0x4");
  check_fault(places + "UMOV UR9, 0x10004\n" + copy, "misaligned atomic of 8 bytes");
  check_fault(places + "UMOV UR9, 0x10000\n" + copy, "out-of-bounds atomic of 8 bytes");
  check_fault(places + "UMOV UR6, 0x11\nUBLKCP.G.S [UR10], [UR8], UR6", "out-of-bounds store of 16 bytes");
}

}  // namespace
}  // namespace heddle::exec
