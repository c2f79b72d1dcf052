// Accesses that no program may make: the fault names kernel, instruction, block, warp, lane and address.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Thread 37 of block 1 in x and 2 in y, lane 5 of warp 1, uses `bad`; all others the buffer's begin.
KernelRun one_bad_lane(const std::string& instruction, Addr good, Addr bad) {
  return {R"(
.kernel faulty
.param good ptr
.param bad ptr
.shared tile 64
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    S2R R2, SR_CTAID.Y
    LDC.64 R4, c[good]
    ISETP.EQ.AND P0, PT, R0, 0x25, PT
    ISETP.EQ.AND P0, PT, R1, 0x1, P0
    ISETP.EQ.AND P0, PT, R2, 0x2, P0
@P0 LDC.64 R4, c[bad]
    MOV R8, RZ
    MOV R9, RZ
    MOV R10, RZ
    MOV R11, RZ
)" + instruction +
              "\nEXIT\n",
          {2, 4, 1},
          {64, 1, 1},
          32,
          {good, bad}};
}

void check_fault(const std::string& instruction, Addr good, Addr bad, GlobalMemory& memory,
                 const std::vector<std::string>& parts) {
  const std::string message = fault_of(one_bad_lane(instruction, good, bad), memory);
  CAPTURE(instruction, bad - good, message);
  for (const char* place :
       {"kernel faulty", "instruction 12 (", "test.sass:18", "block (1,2,0)", "warp 1", "lane 5"}) {
    CHECK(has(message, place));
  }
  CHECK(has(message, instruction));
  CHECK(has(message, fmt::format("{:#x}", bad)));
  for (const std::string& part : parts) CHECK(has(message, part));
}

struct Access {
  const char* text;
  unsigned bytes;
};

constexpr Access kGlobalAccesses[] = {{"LDG.E R8, [R4.64]", 4},      {"LDG.E.64 R8, [R4.64]", 8},
                                      {"LDG.E.128 R8, [R4.64]", 16}, {"STG.E [R4.64], R8", 4},
                                      {"STG.E.64 [R4.64], R8", 8},   {"STG.E.128 [R4.64], R8", 16}};

TEST_CASE("a global access that leaves its buffer is a fault") {
  GlobalMemory memory;
  memory.allocate("before", 1000);
  const Buffer& data = memory.allocate("data", 256);
  memory.allocate("after", 1000);
  for (const Access& access : kGlobalAccesses) {
    const Addr begin = data.address();
    const std::string verb =
        fmt::format("{} of {} bytes", access.text[0] == 'L' ? "load" : "store", access.bytes);
    check_fault(access.text, begin, begin + 256, memory,
                {"out-of-bounds " + verb, "byte 256 of buffer 'data'", "256"});
    check_fault(access.text, begin, begin - access.bytes, memory, {"out-of-bounds " + verb, "'before'"});
    check_fault(access.text, begin, 0, memory, {"out-of-bounds " + verb, "no buffer lies there"});
    check_fault(access.text, begin, ~Addr{0} - access.bytes + 1, memory, {"out-of-bounds " + verb});
    CHECK(fault_of(one_bad_lane(access.text, begin, begin + 256 - access.bytes), memory) == "");
  }
}

TEST_CASE("an access that is partly outside is a fault even by one byte") {
  GlobalMemory memory;
  // The last whole word of 255 bytes ends at 252.
  const Buffer& data = memory.allocate("data", 255);
  for (const Access& access : kGlobalAccesses) {
    const Addr last = data.address() + 256 - access.bytes;
    check_fault(access.text, data.address(), last, memory, {"out-of-bounds", "which has 255"});
    CHECK(fault_of(one_bad_lane(access.text, data.address(), last - access.bytes), memory) == "");
  }
}

TEST_CASE("an access to memory that has been freed says so, and whose it was") {
  GlobalMemory memory;
  const Addr good = memory.allocate("good", 256).address();
  const Addr freed = memory.allocate("gone", 256).address();
  memory.allocate("behind", 256);
  for (const Access& access : kGlobalAccesses) {
    CHECK(fault_of(one_bad_lane(access.text, good, freed + 16), memory) == "");
  }
  REQUIRE(memory.release(freed));
  memory.allocate("next", 256);  // does not come to lie there
  for (const Access& access : kGlobalAccesses) {
    const std::string verb =
        fmt::format("{} of {} bytes", access.text[0] == 'L' ? "load" : "store", access.bytes);
    check_fault(access.text, good, freed + 16, memory,
                {"use after free: " + verb, "byte 16 of buffer 'gone', which had 256 and has been freed"});
    check_fault(access.text, good, freed + 256, memory, {"out-of-bounds " + verb});
  }
}

TEST_CASE("a misaligned global access is a fault") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 256);
  for (const Access& access : kGlobalAccesses) {
    const std::string verb =
        fmt::format("{} of {} bytes", access.text[0] == 'L' ? "load" : "store", access.bytes);
    for (unsigned by = 1; by < access.bytes; ++by) {
      check_fault(access.text, data.address(), data.address() + 32 + by, memory, {"misaligned " + verb});
    }
  }
}

constexpr Access kSharedAccesses[] = {{"LDS R8, [R4]", 4}, {"LDS.64 R8, [R4]", 8}, {"LDS.128 R8, [R4]", 16},
                                      {"STS [R4], R8", 4}, {"STS.64 [R4], R8", 8}, {"STS.128 [R4], R8", 16}};

TEST_CASE("a shared access outside the block's memory, or misaligned, is a fault") {
  GlobalMemory memory;
  for (const Access& access : kSharedAccesses) {
    const std::string verb =
        fmt::format("{} of {} bytes", access.text[0] == 'L' ? "load" : "store", access.bytes);
    check_fault(access.text, 0, 64, memory, {"out-of-bounds " + verb, "64 bytes of shared memory"});
    check_fault(access.text, 0, 0x100000000U - access.bytes, memory, {"out-of-bounds " + verb});
    for (unsigned by = 1; by < access.bytes; ++by) {
      check_fault(access.text, 0, 16 + by, memory, {"misaligned " + verb});
    }
    CHECK(fault_of(one_bad_lane(access.text, 0, 64 - access.bytes), memory) == "");
  }
}

TEST_CASE("a shared access that is partly outside is a fault even by one byte") {
  GlobalMemory memory;
  for (const Access& access : kSharedAccesses) {
    // With `dynamic` more bytes than the 64 of the kernel's own, one byte short of another access.
    KernelRun run = one_bad_lane(access.text, 0, 64);
    run.dynamic_shared_bytes = access.bytes - 1;
    const std::string message = fault_of(run, memory);
    CAPTURE(access.text, message);
    CHECK(has(message, fmt::format("of {} bytes at 0x40 in lane 5", access.bytes)));
    CHECK(has(message, fmt::format("the block has {} bytes of shared memory", 63 + access.bytes)));
    run.dynamic_shared_bytes = access.bytes;
    CHECK(fault_of(run, memory) == "");
  }
}

TEST_CASE("a whole warp beside its alignment is a fault at its first lane") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 4096);
  for (const unsigned bytes : {4U, 8U, 16U}) {
    const std::string suffix = bytes == 16 ? ".128" : bytes == 8 ? ".64" : "";
    for (const unsigned by : {1U, bytes / 2, bytes - 1}) {
      KernelRun run{fmt::format(".kernel k\n.param data ptr\n.shared tile 2048\nS2R R0, SR_TID.X\n"
                                "IMAD.WIDE.U32 R2, R0, {0:#x}, c[data]\nLDG.E{1} R4, [R2.64+{2}]\nEXIT\n",
                                bytes, suffix, by),
                    {1, 1, 1},
                    {32, 1, 1},
                    32,
                    {data.address()}};
      CHECK(has(fault_of(run, memory),
                fmt::format("misaligned load of {} bytes at {:#x} in lane 0", bytes, data.address() + by)));
      run.text = fmt::format(
          ".kernel k\n.param data ptr\n.shared tile 2048\nS2R R0, SR_TID.X\n"
          "IMAD R2, R0, {0:#x}, RZ\nSTS{1} [R2+{2}], RZ\nEXIT\n",
          bytes, suffix, by);
      CHECK(has(fault_of(run, memory),
                fmt::format("misaligned store of {} bytes at {:#x} in lane 0", bytes, by)));
    }
  }
}

TEST_CASE("a kernel without shared memory may not touch it") {
  GlobalMemory memory;
  const KernelRun run{".kernel none\nLDS R0, [RZ]\nEXIT\n", {1, 1, 1}, {1, 1, 1}, 32, {}};
  CHECK(has(fault_of(run, memory), "out-of-bounds load of 4 bytes at 0x0 in lane 0"));
  KernelRun dynamic = run;
  dynamic.dynamic_shared_bytes = 4;
  CHECK(fault_of(dynamic, memory) == "");
}

TEST_CASE("lanes whose guard does not hold may have any address") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 256);
  const Addr begin = data.address();
  for (const Access& access : kGlobalAccesses) {
    CHECK(fault_of(one_bad_lane(fmt::format("@!P0 {}", access.text), begin, begin + 1000), memory) == "");
    CHECK(fault_of(one_bad_lane(fmt::format("@!P0 {}", access.text), begin, begin + 1), memory) == "");
  }
  for (const Access& access : kSharedAccesses) {
    CHECK(fault_of(one_bad_lane(fmt::format("@!P0 {}", access.text), 0, 67), memory) == "");
  }
}

TEST_CASE("whole warps that run past the end fault at the first lane outside") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 4 * 50);
  const KernelRun run{
      ".kernel k\n.param data ptr\nS2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\nLDG.E R4, "
      "[R2.64]\nEXIT\n",
      {1, 1, 1},
      {64, 1, 1},
      32,
      {data.address()}};
  const std::string message = fault_of(run, memory);
  CAPTURE(message);
  CHECK(has(message, "warp 1"));
  CHECK(has(message, "lane 18"));
  CHECK(has(message, fmt::format("{:#x}", data.address() + 200)));
  CHECK(has(message, "byte 200 of buffer 'data', which has 200"));
}

}  // namespace
}  // namespace heddle::exec
