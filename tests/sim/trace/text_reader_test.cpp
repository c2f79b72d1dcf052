// Every version and every kind of line, made by hand.
#include <fmt/format.h>

#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"

namespace heddle::trace {

namespace {

TraceRegister general(std::uint8_t index) { return {RegisterFile::General, index}; }

SmallHead version_6() { return {.version = "6", .format = kNewFormat}; }

SmallHead version_5_new() { return {.format = kNewFormat}; }

/// The first line of a trace that has this one before its EXIT.
SeenLine seen(const std::string& line, const SmallHead& head = {}) {
  const bool has_values = head.version == "6";
  const SeenTrace trace = read_text(one_warp(
      head, {line}, has_values ? "ff00 ffffffff 0 EXIT 0 0 0 0 NoVal " : "ff00 ffffffff 0 EXIT 0 0 0 "));
  REQUIRE(trace.lines.size() == 2);
  CHECK(trace.lines[1].instruction.opcode == "EXIT");
  return trace.lines[0];
}

std::string hex(std::uint64_t value) { return fmt::format("{:x}", value); }

}  // namespace

TEST_CASE("The head of a trace is read key by key, keys that are not known are kept") {
  SmallHead small = {.grid = "(2147483647,65535,65535)",
                     .block = "(8,4,2)",
                     .more = "-enable lineinfo = 1\n-heddle facts = side.txt\n-lonely\n"};
  const std::string text = text_of(small);
  CHECK(first_mistake(text).find("block 0,0,0 is missing: there are 0 blocks of the 9223090559730712575") !=
        std::string::npos);
  small.grid = "(1,1,1)";
  const SeenTrace trace =
      read_text(text_of(small) + block_text("0,0,0", warp_text(0, {"7 0000 ffffffff 0 EXIT 0 0 0 "}) +
                                                         warp_text(1, {"7 0000 ffffffff 0 EXIT 0 0 0 "})));
  const TraceHeader& head = trace.header;
  CHECK(head.kernel == "_Z5smallv");
  CHECK(head.id == 1);
  CHECK(head.grid == Dim3{1, 1, 1});
  CHECK(head.block == Dim3{8, 4, 2});
  CHECK(head.registers == 16);
  CHECK(head.binary_version == 90);
  CHECK(head.shared_base == 0x7f0000000000);
  CHECK(head.local_base == 0x7e0000000000);
  CHECK(head.nvbit_version == "1.7");
  CHECK(head.tracer_version == "5");
  CHECK(head.has_line_numbers);
  CHECK(head.unknown == std::vector<std::string>{"-heddle facts = side.txt", "-lonely"});
  CHECK(head.format.starts_with("[line_num] PC mask"));
  CHECK(head.format.ends_with("immediate"));
  CHECK(trace.lines[0].instruction.source_line == 7);
}

TEST_CASE("Lines may end as they do on Windows") {
  const std::string text =
      one_warp({}, {"0010 ffffffff 1 R3 S2R 0 0 0 ", "0020 0000ffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0 "});
  std::string returned;
  for (const char c : text) returned += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const SeenTrace trace = read_text(returned);
  CHECK(trace.header.kernel == read_text(text).header.kernel);
  REQUIRE(trace.lines.size() == 3);
  CHECK(trace.lines[0].instruction.opcode == "S2R");
  CHECK(trace.lines[1].instruction.opcode == "LDG.E");
  CHECK(first_mistake(returned).empty());
}

TEST_CASE("A plain line: place, mask, registers, opcode, immediate") {
  const SeenLine line = seen("00f0 0000ffff 1 R9 IMAD.WIDE.U32 3 R6 R255 R7 0 -17 ");
  CHECK(line.instruction.pc == 0xf0);
  CHECK(line.line.mask == 0xffff);
  CHECK(line.instruction.opcode == "IMAD.WIDE.U32");
  CHECK(line.instruction.has_destination);
  CHECK(line.instruction.destination == general(9));
  REQUIRE(line.instruction.sources == 3);
  CHECK(line.instruction.source[0] == general(6));
  CHECK(line.instruction.source[1] == general(255));
  CHECK(line.instruction.source[2] == general(7));
  CHECK(line.line.width == 0);
  CHECK(line.line.immediate == -17);
  CHECK_FALSE(line.line.has_bulk);
  CHECK(line.line.values.empty());
}

TEST_CASE("A line without an immediate, and one that ends without a space") {
  const SmallHead head = {.version = "3"};
  CHECK(seen("0000 ffffffff 1 R1 MOV 0 0", head).line.immediate == 0);
  CHECK(seen("0000 ffffffff 1 R1 MOV 0 0 ", head).line.immediate == 0);
  CHECK(seen("0000 ffffffff 0 DEPBAR.LE 0 0 2 ", head).line.immediate == 2);
}

TEST_CASE("Addresses as a list: one for each set lane, lowest first") {
  const SeenLine line = seen("0000 80000005 1 R4 LDG.E.64 1 R2 8 0 0x7fb0fc430e00 0x10 ffffffffffffffff 3 ");
  CHECK(line.line.format == AddressFormat::List);
  CHECK(line.line.width == 8);
  CHECK(line.line.addresses[0] == 0x7fb0fc430e00);
  CHECK(line.line.addresses[2] == 0x10);
  CHECK(line.line.addresses[31] == 0xffffffffffffffff);
  CHECK(line.line.immediate == 3);
}

TEST_CASE("Addresses as base and stride: a run of lanes") {
  SeenLine line = seen("0000 00000ff0 1 R4 LDG.E 1 R2 4 1 0x1000 -4 9 ");
  CHECK(line.line.format == AddressFormat::BaseStride);
  for (unsigned lane = 4; lane < 12; ++lane) CHECK(line.line.addresses[lane] == 0x1000 - 4 * (lane - 4));
  CHECK(line.line.immediate == 9);
  line = seen("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x2000 0 ");
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(line.line.addresses[lane] == 0x2000);
  CHECK(first_mistake(one_warp({}, {"0000 00000005 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 "}))
            .find("a stride stands for neighbouring lanes, but 00000005 has a gap") != std::string::npos);
}

TEST_CASE("Addresses as base and distances: one fewer than lanes, then the immediate") {
  SeenLine line = seen("0000 00010101 1 R4 LDG.E 1 R2 4 2 0x1000 16 -32 77 ");
  CHECK(line.line.format == AddressFormat::BaseDelta);
  CHECK(line.line.addresses[0] == 0x1000);
  CHECK(line.line.addresses[8] == 0x1010);
  CHECK(line.line.addresses[16] == 0xff0);
  CHECK(line.line.immediate == 77);
  line = seen("0000 00000004 1 R4 LDG.E 1 R2 4 2 0x7fc841500004 ");  // as version 3 writes a single lane
  CHECK(line.line.addresses[2] == 0x7fc841500004);
  CHECK(line.line.immediate == 0);
}

TEST_CASE("A memory line whose guard held in no lane") {
  for (const char* addresses : {"1 0x0 0", "0", "2 0x0"}) {
    const SeenLine line = seen(fmt::format("0000 00000000 1 R4 LDG.E 1 R2 4 {} 5 ", addresses));
    CHECK(line.line.mask == 0);
    CHECK(line.line.width == 4);
    CHECK(line.line.immediate == 5);
  }
}

TEST_CASE("Lines of versions before 3 say their block and warp") {
  for (const char* version : {"", "1.2", "2"}) {
    SmallHead head = {.version = version, .grid = "(2,1,1)", .block = "(33,1,1)"};
    const std::string first =
        block_text("1,0,0", warp_text(0, {"1 0 0 0 0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 ",
                                          "1 0 0 0 0010 ffffffff 0 EXIT 0 0 "}) +
                                warp_text(1, {"1 0 0 1 0010 00000001 0 EXIT 0 0 "}));
    const std::string second = block_text("0,0,0", warp_text(1, {"0 0 0 1 0010 00000001 0 EXIT 0 0 "}) +
                                                       warp_text(0, {"0 0 0 0 0010 ffffffff 0 EXIT 0 0 "}));
    const SeenTrace trace = read_text(text_of(head) + first + second);
    REQUIRE(trace.lines.size() == 5);
    CHECK(trace.lines[0].line.addresses[31] == 0x107c);
    CHECK(trace.lines[4].warp.index == 0);
    CHECK(trace.blocks == 2);
  }
  const SmallHead head = {.version = "1.2"};
  CHECK(first_mistake(one_warp(head, {}, "0 0 0 1 0010 ffffffff 0 EXIT 0 0 "))
            .find("the line is of block 0,0,0, warp 1, but stands in block 0,0,0, warp 0") !=
        std::string::npos);
}

TEST_CASE("Source lines stand before the place") {
  const SmallHead head = {.version = "4", .more = "-enable lineinfo = 1\n"};
  const SeenTrace trace =
      read_text(one_warp(head,
                         {"41 0000 ffffffff 1 R1 MOV 0 0 0 ", "42 0010 ffffffff 1 R1 MOV 0 0 0 ",
                          "0000 ffffffff 0 REPLAY_START 0 0 0 0", "41 0000 ffffffff 1 R1 MOV 0 0 0 ",
                          "0000 ffffffff 0 REPLAY_END 0 0 0 0"},
                         "50 0020 ffffffff 0 EXIT 0 0 0 "));
  REQUIRE(trace.lines.size() == 6);
  CHECK(trace.lines[0].instruction.source_line == 41);
  CHECK(trace.lines[1].instruction.source_line == 42);
  CHECK(trace.lines[2].instruction.opcode == "REPLAY_START");
  CHECK(trace.lines[3].instruction.index == trace.lines[0].instruction.index);
  CHECK(trace.lines[5].instruction.source_line == 50);
}

TEST_CASE("Registers of every file, two immediates") {
  const SeenLine line = seen("0000 ffffffff 1 UR4 USEL 3 R1 UP2 P3 0 5 -6 ", version_5_new());
  CHECK(line.instruction.destination == TraceRegister{RegisterFile::Uniform, 4});
  CHECK(line.instruction.source[1] == TraceRegister{RegisterFile::UniformPredicate, 2});
  CHECK(line.instruction.source[2] == TraceRegister{RegisterFile::Predicate, 3});
  CHECK(line.line.immediate == 5);
  CHECK(line.line.second_immediate == -6);
}

TEST_CASE("Values of registers: one for all lanes, or one for each") {
  std::string each;
  for (unsigned lane = 0; lane < 32; ++lane) each += fmt::format("{:08x} ", 0xa0000000U + lane);
  const SeenLine line =
      seen(fmt::format("0000 ffffffff 1 R4 BAR.ARV 1 R5 0 128 0 Val 1 00000003 32 {}", each), version_6());
  REQUIRE(line.line.values.size() == 2);
  CHECK(line.line.values[0].is_uniform);
  CHECK(line.line.values[0].lanes[0] == 3);
  CHECK(line.line.values[0].lanes[31] == 3);
  CHECK_FALSE(line.line.values[1].is_uniform);
  CHECK(line.line.values[1].lanes[31] == 0xa000001f);
  CHECK(line.line.immediate == 128);
  CHECK(seen("0000 ffffffff 1 R4 MOV 0 0 0 0 NoVal ", version_6()).line.values.empty());
  // Early traces of this version have one immediate.
  CHECK(seen("0000 ffffffff 1 R4 MOV 0 0 7 NoVal ", version_6()).line.immediate == 7);
}

TEST_CASE("A value of 16 digits") {
  const SeenLine line =
      seen("0000 00000001 0 SYNCS.EXCH.64 2 R2 R8 8 1 0x400 0 0 0 Val 1 00000400 1 00000010fffffffe ",
           version_6());
  REQUIRE(line.line.values.size() == 2);
  CHECK(line.line.values[1].lanes[0] == 0x10fffffffe);
}

TEST_CASE("GMMA has a column for the end of its group, in new traces") {
  CHECK(seen("0000 ffffffff 0 HGMMA.64x64x16.F32 1 R24 1 0 0 0 ", version_5_new()).instruction.closes_group);
  CHECK_FALSE(
      seen("0000 ffffffff 0 HGMMA.64x64x16.F32 1 R24 0 0 3 0 ", version_5_new()).instruction.closes_group);
  const SeenLine old = seen("0000 ffffffff 0 HGMMA.64x64x16.F32 1 R24 0 5 ");
  CHECK_FALSE(old.instruction.closes_group);
  CHECK(old.line.immediate == 5);
  CHECK(seen("0000 ffffffff 0 QGMMA.64x64x32.F32 1 R24 1 0 5 0 ").instruction.closes_group);
}

TEST_CASE("Tiles: pieces as a list, and as distances") {
  SeenLine line = seen(
      "0000 00000001 0 UTMALDG.2D 0 64 0x00000440 0 4096 128 3 2 0x7f0000001000 0x7f0000002000 11 12 NoVal ",
      version_6());
  REQUIRE(line.line.has_bulk);
  CHECK(line.line.width == 64);
  CHECK(line.line.bulk.barrier == 0x440);
  CHECK_FALSE(line.line.bulk.is_multicast);
  CHECK(line.line.bulk.bytes == 4096);
  CHECK(line.line.bulk.outside_bytes == 128);
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x7f0000001000, 0x7f0000002000});
  line = seen(
      "0000 00000001 0 UTMALDG.2D.MULTICAST 0 64 0x00000440 1 0x0003 4096 0 4 0x7f0000001000 3 64 -128 0 0 "
      "NoVal ",
      version_6());
  CHECK(line.line.bulk.is_multicast);
  CHECK(line.line.bulk.blocks == 3);
  CHECK(line.line.format == AddressFormat::BulkDelta);
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x7f0000001000, 0x7f0000001040, 0x7f0000000fc0});
}

TEST_CASE("Tiles: fewer addresses than announced, where pieces are out of bounds") {
  SeenLine line =
      seen("0000 00000001 0 UTMASTG.2D 0 64 0x00000000 0 256 128 4 0x1000 4 64 0 0 NoVal ", version_6());
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x1000, 0x1040});
  line = seen("0000 00000001 0 UTMASTG.2D 0 64 0x00000000 0 256 128 4 0x1000 4 64 7 8 ", version_5_new());
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x1000, 0x1040});
  CHECK(line.line.immediate == 7);
  CHECK(line.line.second_immediate == 8);
}

TEST_CASE("Tiles: in no lane, in older columns, and as plain lines") {
  SeenLine line = seen("0000 00000000 0 UBLKCP.S.G 0 0 0x0 0 0 0 4 0x0 0 0 0 NoVal ", version_6());
  CHECK(line.line.has_bulk);
  CHECK(line.line.bulk.addresses.empty());
  line = seen("0000 00000001 0 UBLKCP.S.G 0 16 4 0x1000 2 16 9 ");
  REQUIRE(line.line.has_bulk);
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x1000, 0x1010});
  CHECK(line.line.immediate == 9);
  line = seen("0000 00000001 0 UBLKCP.S.G 0 16 3 1 0x1000 9 ");
  CHECK(line.line.bulk.addresses == std::vector<Addr>{0x1000});
  line = seen("0000 00000001 0 UTMALDG.2D 0 0 3 ");
  CHECK_FALSE(line.line.has_bulk);
  CHECK(line.line.immediate == 3);
}

TEST_CASE("Spin loops stand between marks, which no lane executes") {
  const SmallHead head = {.version = "6", .block = "(4,1,1)", .format = kNewFormat};
  const SeenTrace trace =
      read_text(one_warp(head,
                         {"0000 ffffffff 0 REPLAY_START 0 0 0 0",
                          "0010 0000000f 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x0 0 0 0 NoVal ",
                          "0000 ffffffff 0 REPLAY_END 0 0 0 0"},
                         "0020 0000000f 0 EXIT 0 0 0 0 NoVal "));
  CHECK(trace.lines.size() == 4);
  // The last line of a warp within them takes all lanes with it.
  CHECK(read_text(
            one_warp(head, {"0000 ffffffff 0 REPLAY_START 0 0 0 0"}, "0020 00000001 0 EXIT 0 0 0 0 NoVal "))
            .lines.size() == 2);
}

TEST_CASE("Blocks say their place in their cluster") {
  const SmallHead head = {.grid = "(2,1,1)", .format = kNewFormat};
  const std::string warp = warp_text(0, {"0000 ffffffff 0 EXIT 0 0 0 0 "});
  const SeenTrace trace = read_text(
      text_of(head) + block_text("0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0", warp) +
      block_text("1,0,0\ncluster id = 3,4,5\ncluster cta = 1,2,0\ncluster rank = 7", warp));
  REQUIRE(trace.lines.size() == 2);
  CHECK(trace.lines[0].block.has_cluster);
  CHECK(trace.lines[1].block.cluster == std::array<std::uint32_t, 3>{3, 4, 5});
  CHECK(trace.lines[1].block.place_in_cluster == std::array<std::uint32_t, 3>{1, 2, 0});
  CHECK(trace.lines[1].block.rank_in_cluster == 7);
}

TEST_CASE("A place of the program is one instruction, unless functions share it") {
  const SeenTrace trace = read_text(one_warp(
      {}, {"0010 ffffffff 1 R1 MOV 0 0 0 ", "0010 ffffffff 1 R2 MOV 0 0 0 ", "0010 0000ffff 1 R1 MOV 0 0 5 ",
           "0010 ffffffff 1 R2 MOV 0 0 0 ", "10010 ffffffff 1 R2 MOV 0 0 0 "}));
  REQUIRE(trace.lines.size() == 6);
  const auto index = [&](std::size_t i) { return trace.lines[i].instruction.index; };
  CHECK(index(0) == 0);
  CHECK(index(1) == 1);
  CHECK(index(2) == 0);
  CHECK(index(3) == 1);
  CHECK(index(4) == 2);
  CHECK(trace.lines[4].instruction.pc == 0x10010);
}

TEST_CASE("Numbers of every length are what they are written as") {
  for (unsigned digits = 1; digits <= 16; ++digits) {
    const std::uint64_t value = 0xfedcba9876543210U >> (64 - 4 * digits);
    CHECK(seen(fmt::format("0000 00000001 1 R4 LDG.E 1 R2 4 2 0x{} 0 ", hex(value))).line.addresses[0] ==
          value);
    std::string upper = hex(value);
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    CHECK(seen(fmt::format("0000 00000001 1 R4 LDG.E 1 R2 4 2 {} 0 ", upper)).line.addresses[0] == value);
  }
  CHECK(seen("0000 00000001 1 R4 MOV 0 0 9223372036854775807 ").line.immediate == INT64_MAX);
  CHECK(seen("0000 00000001 1 R4 MOV 0 0 -9223372036854775808 ").line.immediate == INT64_MIN);
  CHECK(seen("0000 00000001 1 R4 MOV 0 0 18446744073709551615 ").line.immediate == -1);
}

TEST_CASE("Lists of numbers of one length, then of another") {
  // The space behind a short number stands where a long one would end.
  const SeenLine line = seen(
      "0000 0000007f 1 R4 LDG.E 1 R2 4 0 0x123456789abc 0x1 0x123456 0x2 0x7fb0fc430e00 0x7fb0fc430e08  "
      "0xfedcba98 "
      "0 ");
  const Addr expected[] = {0x123456789abc, 0x1, 0x123456, 0x2, 0x7fb0fc430e00, 0x7fb0fc430e08, 0xfedcba98};
  for (unsigned lane = 0; lane < 7; ++lane) CHECK(line.line.addresses[lane] == expected[lane]);
  const SeenLine last =
      seen("0000 00000003 1 R4 LDG.E 1 R2 4 0 0x123456789abc 0x1 1234567890 5 ", version_5_new());
  CHECK(last.line.addresses[1] == 1);
  CHECK(last.line.immediate == 1234567890);
}

TEST_CASE("No byte but the digits is taken for one") {
  for (int c = 1; c < 256; ++c) {
    const bool is_digit = std::isxdigit(c) != 0;
    if (c == ' ' || c == '\n') continue;
    for (const std::string before : {"", "1", "1234567", "12345678", "123456789"}) {
      const std::string line =
          fmt::format("0000 00000001 1 R4 LDG.E 1 R2 4 2 0x{}{}a 0 ", before, static_cast<char>(c));
      INFO("byte " << c << " after '" << before << "'");
      CHECK(first_mistake(one_warp({}, {line})).empty() == is_digit);
    }
  }
}

}  // namespace heddle::trace
