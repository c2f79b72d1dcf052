// Loads and stores of 8 and 16 bits, and local memory.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"

namespace heddle::test {
namespace {

using exec::Buffer;
using exec::GlobalMemory;

struct Width {
  std::string suffix;
  unsigned bytes;
  std::uint32_t (*widened)(std::uint32_t);
};

const Width kWidths[] = {
    {"U8", 1, [](std::uint32_t word) { return word % 256; }},
    {"S8", 1, [](std::uint32_t word) { return static_cast<std::uint32_t>(static_cast<std::int8_t>(word)); }},
    {"U16", 2, [](std::uint32_t word) { return word % 65536; }},
    {"S16", 2,
     [](std::uint32_t word) { return static_cast<std::uint32_t>(static_cast<std::int16_t>(word)); }},
};

/// Each of 64 threads moves its element of `data` by way of an instruction pair; its register goes to `out`.
std::vector<std::uint32_t> run_pair(const std::string& directives, const std::string& body, Buffer& data,
                                    Buffer& out, GlobalMemory& memory, unsigned bytes, unsigned warp_size) {
  run_kernel(
      {".kernel narrow\n.param data ptr\n.param out ptr\n" + directives +
           fmt::format("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, {:#x}, c[data]\nIMAD R1, R0, {:#x}, RZ\n"
                       "IMAD.WIDE.U32 R4, R0, 0x4, c[out]\n",
                       bytes, bytes) +
           body + "STG.E [R4.64], R6\nEXIT\n",
       {1, 1, 1},
       {64, 1, 1},
       warp_size,
       {data.address(), out.address()}},
      memory);
  const auto words = out.as<std::uint32_t>();
  return {words.begin(), words.end()};
}

std::uint32_t element(const std::vector<std::uint8_t>& bytes, std::size_t index, unsigned size) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < size; ++i) word |= std::uint32_t{bytes[index * size + i]} << (8 * i);
  return word;
}

TEST_CASE("narrow loads widen with zeros or the sign, narrow stores leave their neighbours alone") {
  LaneValues values(5);
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  for (const Width& width : kWidths) {
    CAPTURE(width.suffix, warp_size);
    GlobalMemory memory;
    Buffer& data = memory.allocate("data", 64 * width.bytes);
    Buffer& out = memory.allocate("out", 64 * 4);
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < data.size(); ++i)
      bytes.push_back(static_cast<std::uint8_t>(values.any_bits()));
    const auto fill = [&] { std::copy(bytes.begin(), bytes.end(), data.as<std::uint8_t>().begin()); };
    std::vector<std::uint32_t> expected;
    for (std::size_t t = 0; t < 64; ++t) expected.push_back(width.widened(element(bytes, t, width.bytes)));

    fill();
    const std::string& name = width.suffix;
    CHECK(run_pair("", "LDG.E." + name + " R6, [R2.64]\n", data, out, memory, width.bytes, warp_size) ==
          expected);

    // Through local memory, where the word before it does not change; an odd lane's guard is off.
    const std::string body = fmt::format(
        "MOV R10, 0x5a5a5a5a\nSTL [RZ], R10\nLDG.E.{0} R8, [R2.64]\nLOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT\n"
        "ISETP.EQ.U32.AND P0, PT, R9, RZ, PT\n@P0 STL.{0} [RZ+4], R8\nLDL.{0} R6, [RZ+4]\nLDL R7, [RZ]\n"
        "ISETP.NE.U32.AND P1, PT, R7, R10, PT\n@P1 MOV R6, 0x77777777\n",
        name);
    std::vector<std::uint32_t> halves = expected;
    for (std::size_t t = 1; t < 64; t += 2) halves[t] = 0;
    CHECK(run_pair(".local 8\n", body, data, out, memory, width.bytes, warp_size) == halves);
    CHECK(run_pair(".shared tile 1024\n",
                   fmt::format("LDG.E.{0} R8, [R2.64]\nSTS.{0} [R1+tile], R8\nLDS.{0} R6, [R1+tile]\n", name),
                   data, out, memory, width.bytes, warp_size) == expected);

    // Stores to every other element.
    const std::string store = fmt::format(
        "LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT\nISETP.EQ.U32.AND P0, PT, R9, RZ, PT\n"
        "MOV R6, 0x12345678\n@P0 STG.E.{} [R2.64], R6\n",
        name);
    run_pair("", store, data, out, memory, width.bytes, warp_size);
    for (std::size_t i = 0; i < data.size(); ++i) {
      const bool stored = i / width.bytes % 2 == 0;
      const std::uint8_t value = i % width.bytes == 0 ? 0x78 : 0x56;
      CHECK(data.as<std::uint8_t>()[i] == (stored ? value : bytes[i]));
    }
  }
}

TEST_CASE("constants of 8 and 16 bits come out of the words of parameters") {
  for (const Width& width : kWidths) {
    for (unsigned at = 0; at < 8; at += width.bytes) {
      CAPTURE(width.suffix, at);
      GlobalMemory memory;
      Buffer& out = memory.allocate("out", 4);
      const std::uint64_t word = 0xf1e2d3c4b5a69788;
      run_kernel({fmt::format(".kernel k\n.param out ptr\n.param word u64\nLDC.{} R6, c[0x0][{:#x}]\n"
                              "IMAD.WIDE.U32 R2, RZ, RZ, c[out]\nSTG.E [R2.64], R6\nEXIT\n",
                              width.suffix, 0x168 + at),
                  {1, 1, 1},
                  {1, 1, 1},
                  32,
                  {out.address(), word}},
                 memory);
      CHECK(out.as<std::uint32_t>()[0] == width.widened(static_cast<std::uint32_t>(word >> (8 * at))));
    }
  }
}

TEST_CASE(
    "each thread has local memory of its own, which begins with zeros, and its stack begins at the end") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4 * 192);
  // Thread t fills its 10 words with t, t + 1, ... and sums them up; a second time over zeros would give
  // more.
  run_kernel({R"(
.kernel locals
.param out ptr
.local 40
    S2R R0, SR_TID.X
    S2R R2, SR_CTAID.X
    IMAD R0, R2, c[blockDim.x], R0
    MOV R1, c[0x0][0x28]
    IADD3 R1, R1, -0x28, RZ
    MOV R3, R0
    MOV R5, RZ
fill:
    LDL R4, [R1]
    IADD3 R4, R4, R3, RZ
    STL [R1], R4
    IADD3 R3, R3, 0x1, RZ
    IADD3 R1, R1, 0x4, RZ
    ISETP.NE.U32.AND P0, PT, R1, 0x28, PT
@P0 BRA fill
    LDL.64 R6, [RZ]
    LDL.64 R8, [RZ+0x20]
    IADD3 R5, R6, R7, R8
    IADD3 R5, R5, R9, RZ
    IMAD.WIDE.U32 R2, R0, 0x4, c[out]
    STG.E [R2.64], R5
    EXIT
)",
              {2, 1, 1},
              {96, 1, 1},
              32,
              {out.address()}},
             memory);
  for (std::uint32_t t = 0; t < 192; ++t) CHECK(out.as<std::uint32_t>()[t] == 4 * t + 0 + 1 + 8 + 9);
}

TEST_CASE("the addresses of one local word in all lanes are one stretch, apart for each warp slot") {
  GlobalMemory memory;
  const auto kernel =
      make_kernel({".kernel k\n.local 24\nLDL R0, [RZ+8]\nLDL.64 R2, [RZ+0x10]\nLDL.U8 R4, [RZ+7]\nEXIT\n",
                   {1, 1, 1},
                   {64, 1, 1},
                   32,
                   {}},
                  memory);
  const auto source = kernel->make_warp_source(3, 4);
  std::vector<const stream::StaticOp*> first(2);
  const std::vector<WarpSlot> slots{0, 1};
  source->start_block(0, slots, first);
  Addr windows[2];
  for (const WarpSlot slot : slots) {
    const Addr* words = source->issue(slot, 0).addresses;
    windows[slot] = words[0] - 8 * 32;
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(words[lane] == words[0] + 4 * lane);
    const Addr* pairs = source->issue(slot, 0).addresses;
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(pairs[lane] == windows[slot] + 0x10 * 32 + 8 * lane);
    const Addr* bytes = source->issue(slot, 0).addresses;
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(bytes[lane] == windows[slot] + 4 * 32 + 4 * lane + 3);
    CHECK(windows[slot] % 1024 == 0);
  }
  CHECK(windows[1] >= windows[0] + 24 * 32);
}

TEST_CASE("local accesses outside the thread's memory, or misaligned, are faults") {
  GlobalMemory memory;
  const auto fault = [&](const std::string& instruction) {
    return fault_of(
        {".kernel k\n.local 6\nS2R R0, SR_TID.X\n" + instruction + "\nEXIT\n", {1, 1, 1}, {32, 1, 1}, 32, {}},
        memory);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(fault("LDL.U8 R2, [RZ+5]") == "");
  CHECK(has(fault("LDL.U8 R2, [R0]"),
            "out-of-bounds load of 1 bytes at 0x6 in lane 6: the thread has 6 bytes of local"));
  CHECK(has(fault("STL [RZ+4], R0"),
            "out-of-bounds store of 4 bytes at 0x4 in lane 0: the thread has 6 bytes of local"));
  CHECK(has(fault("STL.U16 [R0], R0"), "misaligned store of 2 bytes at 0x1 in lane 1"));
  CHECK(has(fault("LDL R2, [RZ-4]"), "out-of-bounds load of 4 bytes at 0xfffffffc in lane 0"));
}

}  // namespace
}  // namespace heddle::test
